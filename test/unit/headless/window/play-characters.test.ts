/** Players' characters: how they appear, where, die, appear again and go. */
import { expect, test } from "bun:test";
import { END, linesOf, placeOfAsync, playAsync, runPlayAsync, sides } from "./play-window.ts";

/** A place file that does not say how signals behave, which means at once. */
const immediateAsync = (): Promise<Uint8Array> => placeOfAsync("");

test("a character appears after PlayerAdded, whole, and in the documented order", async () => {
  const lines = await playAsync(
    "",
    `
    game.Players.PlayerAdded:Connect(function(player)
      print("added", player.Character)
      player.Changed:Connect(function(name) print("changed", name) end)
      player.CharacterAppearanceLoaded:Connect(function(character) print("loaded", character.Parent) end)
      player.CharacterAdded:Connect(function(character)
        print("character", character == player.Character, character.Parent, character.Humanoid.Health, character.PrimaryPart)
        character.AncestryChanged:Wait()
        print(character:GetFullName(), game.Players:GetPlayerFromCharacter(character))
        task.wait()
        print(character.Humanoid.RootPart.Position, player:HasAppearanceLoaded(), player:DistanceFromCharacter(character.Head.Position))
        ${END}
      end)
    end)`,
    "",
    await immediateAsync(),
  );
  expect(lines).toEqual([
    "[server] added nil",
    "[server] character true nil 100 HumanoidRootPart",
    "[server] changed Character",
    "[server] loaded nil",
    "[server] Workspace.Player1 Player1",
    "[server] 0, 103, 0 true 0",
    "[server] changed Parent",
  ]);
});

test("a client waits for its character and finds the server's", async () => {
  const lines = await playAsync(
    `Instance.new("RemoteEvent", game.ReplicatedStorage)`,
    `game.ReplicatedStorage.RemoteEvent.OnServerEvent:Once(function(player, root)
      print(root == player.Character.HumanoidRootPart)
      ${END}
    end)`,
    `local player = game.Players.LocalPlayer
    local character = player.Character or player.CharacterAdded:Wait()
    local humanoid = character:WaitForChild("Humanoid")
    print(character == player.Character, character:GetFullName(), humanoid.RigType.Name, humanoid.DisplayName)
    game.ReplicatedStorage.RemoteEvent:FireServer(character:WaitForChild("HumanoidRootPart"))`,
  );
  expect(lines).toEqual(["[client] true Workspace.Player1 R15 Player1", "[server] true"]);
});

test("who dies appears again after RespawnTime, once, on both sides", async () => {
  const lines = await playAsync(
    `game.Players.RespawnTime = 0.05`,
    `
    local deaths, first = 0, nil
    game.Players.PlayerAdded:Connect(function(player)
      player.CharacterRemoving:Connect(function(character) print("removing", character == first) end)
      player.CharacterAdded:Connect(function(character)
        if first then
          print("again", character ~= first, first.Parent, pcall(function() first.Parent = workspace end))
          task.wait(0.2)
          print(player.Character == character, #workspace:GetChildren())
          ${END}
          return
        end
        first = character
        local humanoid = character.Humanoid
        humanoid.HealthChanged:Connect(function(health) print("health", health) end)
        humanoid.StateChanged:Connect(function(old, new) print(old.Name, new.Name) end)
        humanoid.Died:Connect(function() deaths += 1 print("died", deaths, humanoid:GetState().Name) end)
        task.wait()
        humanoid:TakeDamage(30)
        humanoid:TakeDamage(100)
        humanoid.Health = 50
        task.wait()
        print(humanoid.Health, character:FindFirstChildWhichIsA("Motor6D", true))
      end)
    end)`,
    `local player = game.Players.LocalPlayer
    local character = player.CharacterAdded:Wait()
    character:WaitForChild("Humanoid").Died:Connect(function() print("died") end)
    player.CharacterRemoving:Wait()
    print("removing", player.CharacterAdded:Wait() ~= character)`,
  );
  expect(linesOf("[server]", lines)).toEqual([
    "[server] health 70",
    "[server] health 0",
    "[server] Running Dead",
    "[server] died 1 Dead",
    "[server] 0 nil",
    "[server] removing true",
    "[server] again true nil false The Parent property of Player1 is locked, current parent: NULL, new parent Workspace",
    "[server] true 3",
    "[server] removing false",
  ]);
  expect(linesOf("[client]", lines)).toEqual(["[client] died", "[client] removing true"]);
});

test("without CharacterAutoLoads nothing appears until a script asks for it", async () => {
  const lines = await playAsync(
    `game.Players.CharacterAutoLoads = false
    Instance.new("ScreenGui", game:GetService("StarterGui"))
    Instance.new("Tool", game:GetService("StarterPack"))
    Instance.new("RemoteEvent", game.ReplicatedStorage)`,
    `local player = game.ReplicatedStorage.RemoteEvent.OnServerEvent:Wait()
    task.wait(0.05)
    print(player.Character, #player.Backpack:GetChildren())
    player:LoadCharacterAsync()
    print(player.Character, #player.Backpack:GetChildren())
    local before = player.Character
    player:LoadCharacterAsync()
    print(player.Character ~= before, before.Parent, #player.Backpack:GetChildren())
    player.Character.Humanoid.Health = 0
    game.Players.RespawnTime = 0
    task.wait(0.05)
    print(player.Character.Humanoid.Health)
    player.Character = nil
    game.ReplicatedStorage.RemoteEvent.OnServerEvent:Wait()
    ${END}`,
    `local player = game.Players.LocalPlayer
    print(#player.PlayerGui:GetChildren(), pcall(player.LoadCharacterAsync, player))
    game.ReplicatedStorage.RemoteEvent:FireServer()
    player.CharacterAdded:Wait()
    print(#player.PlayerGui:GetChildren())
    repeat task.wait() until player.Character == nil
    game.ReplicatedStorage.RemoteEvent:FireServer()`,
  );
  expect(lines).toEqual([
    "[client] 0 false LoadCharacter can only be called by the backend server",
    "[server] nil 0",
    "[server] Player1 1",
    "[server] true nil 1",
    "[client] 1",
    "[server] 0",
  ]);
});

test("StarterCharacter and StarterHumanoid take the place of the usual ones, StarterPlayer sets the rest", async () => {
  const lines = await playAsync(
    `local Starter = game:GetService("StarterPlayer")
    Starter.CharacterWalkSpeed = 25
    Starter.CameraMaxZoomDistance = 33
    local humanoid = Instance.new("Humanoid")
    humanoid.Name = "StarterHumanoid"
    humanoid.MaxHealth = 250
    humanoid.Parent = Starter`,
    `local player = game.Players.PlayerAdded:Wait()
    local humanoid = player.CharacterAdded:Wait().Humanoid
    print(humanoid.MaxHealth, humanoid.WalkSpeed, player.CameraMaxZoomDistance)
    local own = Instance.new("Model")
    own.Name = "StarterCharacter"
    Instance.new("Part", own).Name = "HumanoidRootPart"
    own.PrimaryPart = own.HumanoidRootPart
    own.Parent = game.StarterPlayer
    game.StarterPlayer.StarterHumanoid:Destroy()
    player:LoadCharacterAsync()
    print(player.Character.Name, #player.Character:GetChildren(), player.Character.PrimaryPart == player.Character.HumanoidRootPart)
    ${END}`,
  );
  expect(lines).toEqual(["[server] 250 25 33", "[server] Player1 1 true"]);
});

test("a character appears on a SpawnLocation that is for its player, and is protected there", async () => {
  const lines = await playAsync(
    `local function spawn(x, color, duration)
      local location = Instance.new("SpawnLocation")
      location.Neutral = false
      location.TeamColor = BrickColor.new(color)
      location.Duration = duration
      location.Size = Vector3.new(4, 1, 4)
      location.Position = Vector3.new(x, 10, 0)
      location.Parent = workspace
      return location
    end
    spawn(1, "Really red", 10)
    spawn(2, "Bright blue", 1)
    local team = Instance.new("Team")
    team.TeamColor = BrickColor.new("Bright blue")
    team.Parent = game:GetService("Teams")`,
    `local player = game.Players.PlayerAdded:Wait()
    local character = player.CharacterAdded:Wait()
    print(character.HumanoidRootPart.Position)
    character.Humanoid:TakeDamage(10)
    print(character.Humanoid.Health)
    character:FindFirstChildOfClass("ForceField"):Destroy()
    character.Humanoid:TakeDamage(10)
    print(character.Humanoid.Health)
    ${END}`,
  );
  expect(lines).toEqual(["[server] 2, 13.5, 0", "[server] 100", "[server] 90"]);
});

test("at a test's end everybody leaves with what is theirs still there, then BindToClose runs", async () => {
  const lines = await playAsync(
    "",
    `
    game.Players.PlayerAdded:Connect(function(player)
      local stats = Instance.new("Folder")
      stats.Name = "leaderstats"
      Instance.new("IntValue", stats).Value = 7
      stats.Parent = player
      player.CharacterRemoving:Connect(function(character) print("character", character.Parent) end)
      player.CharacterAdded:Wait()
      ${END}
    end)
    game.Players.PlayerRemoving:Connect(function(player)
      print("removing", player.Parent, player.leaderstats.Value.Value, player.Character)
    end)
    game:BindToClose(function(reason)
      print("closing", #game.Players:GetPlayers(), #workspace:GetChildren(), reason.Name)
    end)`,
  );
  expect(lines).toEqual([
    "[server] removing Players 7 Player1",
    "[server] character Workspace",
    "[server] closing 0 2 DeveloperShutdown",
  ]);
});

test("Player.Character can be set to any model", async () => {
  const lines = await playAsync(
    `game.Players.CharacterAutoLoads = false`,
    `local player = game.Players.PlayerAdded:Wait()
    player.CharacterAdded:Connect(function(character) print("added", character) end)
    player.CharacterRemoving:Connect(function(character) print("removing", character) end)
    local model = Instance.new("Model", workspace)
    model.Name = "Mine"
    player.Character = model
    player.Character = model
    player.Character = nil
    task.wait()
    ${END}`,
  );
  expect(lines).toEqual(["[server] added Mine", "[server] removing Mine"]);
});

test("scripts that wait for what only Studio puts there are told so, and find what describes a body", async () => {
  const lines = await playAsync(
    `Instance.new("RemoteEvent", game.ReplicatedStorage)`,
    `game.ReplicatedStorage.RemoteEvent.OnServerEvent:Once(function() ${END} end)`,
    `local player = game.Players.LocalPlayer
    local character = player.Character or player.CharacterAdded:Wait()
    local humanoid = character:WaitForChild("Humanoid")
    print(humanoid:WaitForChild("HumanoidDescription").Head, humanoid:GetAppliedDescription().ClassName)
    print(next(player:GetJoinData()), player.CanLoadCharacterAppearance)
    for _ = 1, 2 do character:WaitForChild("Animate", 0.01) end
    print(player:WaitForChild("PlayerScripts"):WaitForChild("PlayerModule", 0.01))
    character:WaitForChild("Nothing", 0.01)
    game.ReplicatedStorage.RemoteEvent:FireServer()`,
  );
  const absent = (owner: string, name: string): string =>
    `[client] ${owner} has no ${name} in headless Studio (needs Roblox Studio); what waits for it waits for a script of the place to make one.`;
  expect(linesOf("[client]", lines)).toEqual([
    "[client] 0 HumanoidDescription",
    "[client] nil true",
    absent("Workspace.Player1", "Animate"),
    absent("Players.Player1.PlayerScripts", "PlayerModule"),
    "[client] nil",
  ]);
});

/** Runs a body on the server for each new character, with its Humanoid, and prints whether it has died. */
const eachLife = (bodies: readonly string[]): string => `
  game.Players.RespawnTime = 0
  local lives = { ${bodies.map((body) => `function(character, humanoid) ${body} end`).join(",\n")} }
  game.Players.PlayerAdded:Connect(function(player)
    for index, live in lives do
      player:LoadCharacterAsync()
      local character = player.Character
      local humanoid, died = character.Humanoid, false
      humanoid.Died:Connect(function() died = true end)
      live(character, humanoid)
      task.wait(0.05)
      print(index, died, humanoid.Health)
    end
    ${END}
  end)`;

test("a character dies without its neck or head, by BreakJoints and below the world, and not otherwise", async () => {
  const lines = await playAsync(
    `game.Players.CharacterAutoLoads = false workspace.FallenPartsDestroyHeight = -300`,
    eachLife([
      `character.Head.Neck:Destroy()`,
      `character.Head:Destroy()`,
      `character.Head.Neck.Part0 = nil`,
      `character.Head.Neck.Enabled = false`,
      `character:BreakJoints()`,
      `character.HumanoidRootPart.CFrame = CFrame.new(0, -301, 0)`,
      `character:PivotTo(CFrame.new(0, -400, 0))`,
      `humanoid.RequiresNeck = false character.Head:Destroy()`,
      `character.LeftHand:Destroy() character.Parent = game.ServerStorage character.Parent = workspace`,
      `character.HumanoidRootPart.CFrame = CFrame.new(0, -299, 0)`,
      `humanoid.MaxHealth = 30`,
    ]),
  );
  const dead = [1, 2, 3, 4, 5, 6, 7].map((index) => `[server] ${index} true 0`);
  expect(lines).toEqual([
    ...dead,
    "[server] 8 false 100",
    "[server] 9 false 100",
    "[server] 10 false 100",
    "[server] 11 false 30",
  ]);
});

test("an explosion hits parts by their distance, breaks joints in its inner radius, spares ForceFields and leaves", async () => {
  const lines = await playAsync(
    `game.Players.CharacterAutoLoads = false`,
    `
    local function part(name, x)
      local made = Instance.new("Part")
      made.Name, made.Size, made.CFrame, made.Parent = name, Vector3.one * 2, CFrame.new(x, 0, 0), workspace
      return made
    end
    local function weld(a, b)
      local made = Instance.new("WeldConstraint")
      made.Part0, made.Part1, made.Parent = a, b, a
      return made
    end
    local near, mid, far, out = part("Near", 3), part("Mid", 8), part("Far", 11), part("Out", 12)
    local first, second = weld(near, mid), weld(far, mid)
    local function explode(properties)
      local explosion = Instance.new("Explosion")
      local hits = {}
      explosion.Hit:Connect(function(hit, distance) table.insert(hits, hit.Name .. distance) end)
      explosion.Parent = workspace
      explosion.BlastRadius = 10
      for name, value in properties do explosion[name] = value end
      task.wait(0.05)
      table.sort(hits)
      print(table.concat(hits, " "), first.Parent, second.Parent, explosion.Parent)
      return explosion
    end
    explode({ BlastPressure = 0 })
    local shield = Instance.new("Model", workspace)
    Instance.new("ForceField", shield)
    near.Parent = shield
    explode({ DestroyJointRadiusPercent = 0.5 })
    near.Parent = workspace
    local last = explode({ DestroyJointRadiusPercent = 0.5 })
    task.wait(2.1)
    print(last.Parent, pcall(function() last.Parent = game.ServerStorage end))
    game:GetService("StudioTestService"):EndTest({})`,
  );
  expect(lines).toEqual([
    "[server] Far10 Mid7 Near2 Near Far Workspace",
    "[server] Far10 Mid7 Near2 Near Far Workspace",
    "[server] Far10 Mid7 Near2 nil Far Workspace",
    "[server] nil true",
  ]);
});

test("an explosion kills a character through its neck", async () => {
  const lines = await playAsync(
    `game.Players.CharacterAutoLoads = false`,
    eachLife([
      `local e = Instance.new("Explosion") e.Position = character.Head.Position e.Parent = workspace`,
      `local e = Instance.new("Explosion") e.Position = character.Head.Position + Vector3.new(0, 20, 0) e.Parent = workspace`,
    ]),
  );
  expect(lines).toEqual(["[server] 1 true 0", "[server] 2 false 100"]);
});

test("a place whose avatars are R6 gives its players R6 characters", async () => {
  const place = await placeOfAsync(
    `<Item class="StarterPlayer"><Properties><token name="GameSettingsAvatar">0</token></Properties></Item>`,
  );
  const source = sides(
    `local player = game.Players.PlayerAdded:Wait()
    local character = player.Character or player.CharacterAdded:Wait()
    print(character.Humanoid.RigType.Name, character["Left Leg"].Position.Y - character.Torso.Position.Y) ${END}`,
    "",
  );
  expect(await runPlayAsync(source, "", place)).toEqual(["[server] R6 -2"]);
});
