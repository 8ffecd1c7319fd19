/** Players' characters: how they appear, die, appear again and go, and what comes and goes with them. */
import { expect, test } from "bun:test";
import { placeOfAsync, runPlayAsync } from "./play-window.ts";

const END = `game:GetService("StudioTestService"):EndTest()`;

/** A place file that does not say how signals behave, which means at once. */
const immediateAsync = (): Promise<Uint8Array> => placeOfAsync("");

/** Plays with \`server\` in ServerScriptService and \`client\` in StarterPlayerScripts; \`place\` runs in the edited place first. */
const playAsync = (
  place: string,
  server: string,
  client = "",
  file?: Uint8Array,
): Promise<readonly string[]> =>
  runPlayAsync(
    `
    local Starter = game:GetService("StarterPlayer")
    ${place}
    add("Script", [==[${server}]==], game:GetService("ServerScriptService"))
    add("LocalScript", [==[${client}]==], Starter.StarterPlayerScripts)
    Tests:ExecutePlayModeAsync()
  `,
    "",
    file,
  );

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
  const of = (side: string): string[] => lines.filter((line) => line.startsWith(`[${side}]`));
  expect(of("server")).toEqual([
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
  expect(of("client")).toEqual(["[client] died", "[client] removing true"]);
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

test("PlayerGui is filled again each time, but for what does not reset", async () => {
  const lines = await playAsync(
    `local Gui = game:GetService("StarterGui")
    for _, name in { "Resets", "Stays" } do
      local gui = Instance.new("ScreenGui")
      gui.Name = name
      gui.ResetOnSpawn = name == "Resets"
      gui.Parent = Gui
      add("LocalScript", "print(script:GetFullName())", gui)
    end
    Instance.new("RemoteEvent", game.ReplicatedStorage)`,
    `local Remote = game.ReplicatedStorage.RemoteEvent
    local player = Remote.OnServerEvent:Wait()
    print(#player.PlayerGui:GetChildren())
    player:LoadCharacterAsync()
    Remote.OnServerEvent:Wait()
    ${END}`,
    `local player = game.Players.LocalPlayer
    player.CharacterAdded:Wait()
    Instance.new("ScreenGui", player.PlayerGui).Name = "OfScript"
    local stays = player.PlayerGui:WaitForChild("Stays")
    task.wait()
    game.ReplicatedStorage.RemoteEvent:FireServer()
    player.CharacterAdded:Wait()
    task.wait()
    local names = {}
    for _, gui in player.PlayerGui:GetChildren() do table.insert(names, gui.Name) end
    table.sort(names)
    print(table.concat(names, " "), player.PlayerGui.Stays == stays)
    game.ReplicatedStorage.RemoteEvent:FireServer()`,
  );
  expect(lines).toEqual([
    "[client] Players.Player1.PlayerGui.Resets.LocalScript",
    "[client] Players.Player1.PlayerGui.Stays.LocalScript",
    "[server] 0",
    "[client] Players.Player1.PlayerGui.Resets.LocalScript",
    "[client] Resets Stays true",
  ]);
});

test("scripts of StarterCharacterScripts run in the character, a LocalScript only for its own player", async () => {
  const lines = await runPlayAsync(`
    local Scripts = game:GetService("StarterPlayer").StarterCharacterScripts
    add("Script", "print(script:GetFullName())", Scripts, "Server")
    add("LocalScript", "print(script:GetFullName(), game.Players.LocalPlayer) game.ReplicatedStorage.RemoteEvent:FireServer()", Scripts, "Local")
    Instance.new("RemoteEvent", game.ReplicatedStorage)
    add("Script", [[
      for _ = 1, 2 do game.ReplicatedStorage.RemoteEvent.OnServerEvent:Wait() end
      task.wait(0.05)
      ${END}
    ]], game:GetService("ServerScriptService"))
    Tests:ExecuteMultiplayerTestAsync(2)
  `);
  expect([...lines].sort()).toEqual([
    "[client] Workspace.Player1.Local Player1",
    "[client] Workspace.Player2.Local Player2",
    "[server] Workspace.Player1.Server",
    "[server] Workspace.Player2.Server",
  ]);
});

test("StarterCharacter and StarterHumanoid take the place of the usual ones, StarterPlayer sets the rest", async () => {
  const lines = await playAsync(
    `Starter.CharacterWalkSpeed = 25
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

test("what a server puts into a PlayerGui only its player gets", async () => {
  const lines = await runPlayAsync(`
    Instance.new("RemoteEvent", game.ReplicatedStorage)
    add("Script", [[
      local Remote = game.ReplicatedStorage.RemoteEvent
      local players = {}
      for _ = 1, 2 do
        local player = Remote.OnServerEvent:Wait()
        players[player.Name] = player
      end
      local gui = Instance.new("ScreenGui")
      gui.Name = "Own"
      Instance.new("TextLabel", gui).Text = "one"
      gui.Parent = players.Player1.PlayerGui
      gui.TextLabel.Text = "two"
      Remote:FireAllClients(gui)
      for _ = 1, 2 do Remote.OnServerEvent:Wait() end
      gui.Parent = players.Player2.PlayerGui
      Remote:FireAllClients(gui)
      for _ = 1, 2 do Remote.OnServerEvent:Wait() end
      gui:Destroy()
      Remote:FireAllClients(gui)
      for _ = 1, 2 do Remote.OnServerEvent:Wait() end
      ${END}
    ]], game:GetService("ServerScriptService"))
    add("LocalScript", [[
      local Remote = game.ReplicatedStorage.RemoteEvent
      local me = game.Players.LocalPlayer
      me.CharacterAdded:Wait()
      Remote:FireServer()
      Remote.OnClientEvent:Connect(function(gui)
        print(me, gui and gui:GetFullName(), gui and gui.TextLabel.Text, #game.Players:GetDescendants() > 0, me.PlayerGui:FindFirstChild("Own"))
        Remote:FireServer()
      end)
      local other = game.Players:WaitForChild(if me.Name == "Player1" then "Player2" else "Player1")
      print(me, other:FindFirstChild("PlayerGui"))
    ]], game:GetService("StarterPlayer").StarterPlayerScripts)
    Tests:ExecuteMultiplayerTestAsync(2)
  `);
  const of = (player: string): string[] => lines.filter((line) => line.startsWith(`[client] ${player}`));
  expect(of("Player1")).toEqual([
    "[client] Player1 nil",
    "[client] Player1 Players.Player1.PlayerGui.Own two true Own",
    "[client] Player1 nil nil true nil",
    "[client] Player1 nil nil true nil",
  ]);
  expect(of("Player2")).toEqual([
    "[client] Player2 nil",
    "[client] Player2 nil nil true nil",
    "[client] Player2 Players.Player2.PlayerGui.Own two true Own",
    "[client] Player2 nil nil true nil",
  ]);
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

test("tools are equipped and put away, and tell so on both sides", async () => {
  const lines = await playAsync(
    `local tool = Instance.new("Tool")
    tool.RequiresHandle = false
    add("Script", "script.Parent.Equipped:Connect(function() print('equipped') end) script.Parent.Activated:Connect(function() print('activated') end) script.Parent.Unequipped:Connect(function() print('unequipped') end)", tool)
    add("LocalScript", "script.Parent.Equipped:Connect(function() print('equipped') end) script.Parent.Unequipped:Connect(function() print('unequipped') end)", tool)
    tool.Parent = game:GetService("StarterPack")
    local broken = Instance.new("Tool")
    broken.Name = "Broken"
    broken.Parent = game:GetService("StarterPack")
    Instance.new("RemoteEvent", game.ReplicatedStorage)`,
    `local Remote = game.ReplicatedStorage.RemoteEvent
    local player = Remote.OnServerEvent:Wait()
    local humanoid = player.Character.Humanoid
    player.Backpack.Broken.Equipped:Connect(function() print("never") end)
    local tool = player.Backpack.Tool
    tool:Activate()
    humanoid:EquipTool(tool)
    tool:Activate()
    task.wait()
    humanoid:EquipTool(player.Backpack.Broken)
    task.wait()
    print(tool.Parent, player.Character.Broken)
    humanoid:UnequipTools()
    print(#player.Backpack:GetChildren())
    Remote:FireClient(player)
    Remote.OnServerEvent:Wait()
    ${END}`,
    `local player = game.Players.LocalPlayer
    player.CharacterAdded:Wait()
    player.Backpack:WaitForChild("Tool"):WaitForChild("LocalScript")
    task.wait()
    game.ReplicatedStorage.RemoteEvent:FireServer()
    game.ReplicatedStorage.RemoteEvent.OnClientEvent:Wait()
    task.wait()
    game.ReplicatedStorage.RemoteEvent:FireServer()`,
  );
  const of = (side: string): string[] => lines.filter((line) => line.startsWith(`[${side}]`));
  expect(of("server")).toEqual([
    "[server] equipped",
    "[server] activated",
    "[server] unequipped",
    "[server] Backpack Broken",
    "[server] 2",
  ]);
  expect(of("client")).toEqual(["[client] equipped", "[client] unequipped"]);
});
