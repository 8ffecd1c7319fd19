/** What comes and goes with players and their characters: PlayerGui, Backpack and tools, scripts of the character. */
import { expect, test } from "bun:test";
import { END, linesOf, playAsync, runPlayAsync } from "./play-window.ts";

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

test("what a script puts into PlayerGui before the first character stays there, and goes with the next one", async () => {
  const lines = await playAsync(
    `game.Players.CharacterAutoLoads = false
    Instance.new("RemoteEvent", game.ReplicatedStorage)`,
    `local Remote = game.ReplicatedStorage.RemoteEvent
    for _ = 1, 2 do Remote.OnServerEvent:Wait():LoadCharacterAsync() end
    Remote.OnServerEvent:Wait()
    ${END}`,
    `local player = game.Players.LocalPlayer
    Instance.new("Folder", player:WaitForChild("PlayerGui")).Name = "Early"
    for _ = 1, 2 do
      game.ReplicatedStorage.RemoteEvent:FireServer()
      player.CharacterAdded:Wait()
      task.wait()
      print(player.PlayerGui:FindFirstChild("Early") ~= nil)
    end
    game.ReplicatedStorage.RemoteEvent:FireServer()`,
  );
  expect(lines).toEqual(["[client] true", "[client] false"]);
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
    Tests:ExecuteMultiplayerTestAsync(2, {})
  `);
  expect(linesOf("[client] Player1", lines)).toEqual([
    "[client] Player1 nil",
    "[client] Player1 Players.Player1.PlayerGui.Own two true Own",
    "[client] Player1 nil nil true nil",
    "[client] Player1 nil nil true nil",
  ]);
  expect(linesOf("[client] Player2", lines)).toEqual([
    "[client] Player2 nil",
    "[client] Player2 nil nil true nil",
    "[client] Player2 Players.Player2.PlayerGui.Own two true Own",
    "[client] Player2 nil nil true nil",
  ]);
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
  expect(linesOf("[server]", lines)).toEqual([
    "[server] equipped",
    "[server] activated",
    "[server] unequipped",
    "[server] Backpack Broken",
    "[server] 2",
  ]);
  expect(linesOf("[client]", lines)).toEqual(["[client] equipped", "[client] unequipped"]);
});

test("scripts of the Backpack find the character in the place, also when it appears again", async () => {
  const look = (side: string) =>
    `local player = game.Players:GetPlayers()[1] print("${side}", player.Character and player.Character:IsDescendantOf(workspace))`;
  const lines = await playAsync(
    `local tool = Instance.new("Tool")
    add("Script", [[${look("script")}]], tool)
    add("LocalScript", [[${look("local")}]], tool)
    tool.Parent = game:GetService("StarterPack")`,
    `local player = game.Players:GetPlayers()[1] or game.Players.PlayerAdded:Wait()
    task.wait(0.1)
    player:LoadCharacterAsync()
    task.wait(0.1)
    ${END}`,
  );
  expect(linesOf("[server]", lines)).toEqual(["[server] script true", "[server] script true"]);
  expect(linesOf("[client]", lines)).toEqual(["[client] local true", "[client] local true"]);
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
    Tests:ExecuteMultiplayerTestAsync(2, {})
  `);
  expect([...lines].sort()).toEqual([
    "[client] Workspace.Player1.Local Player1",
    "[client] Workspace.Player2.Local Player2",
    "[server] Workspace.Player1.Server",
    "[server] Workspace.Player2.Server",
  ]);
});
