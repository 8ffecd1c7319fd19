/** Players of a test: who joins, who leaves or is kicked, how many there may be, and who hears of it. */
import { expect, test } from "bun:test";
import { END, runPlayAsync, sides } from "./play-window.ts";

test("a player joins: the server hears of it, the client has it as its own", async () => {
  const lines = await runPlayAsync(
    sides(
      `
      local Players = game:GetService("Players")
      local player = Players.PlayerAdded:Wait()
      print(player, player.UserId, #Players:GetPlayers(), Players:GetPlayerByUserId(-1) == player, Players.LocalPlayer)
      `,
      `
      local Players = game:GetService("Players")
      local me = Players.LocalPlayer
      print(workspace.CurrentCamera.Parent, workspace.Terrain, #workspace:GetChildren())
      print(me, me.UserId, me.Parent == Players, me.Character, me.PlayerGui.ClassName, script.Parent == me.PlayerScripts)
      Instance.new("RemoteEvent")
      print(pcall(me.LoadCharacterAsync, me))
      game.ReplicatedStorage.End:FireServer()
      `,
      `Instance.new("RemoteEvent", game.ReplicatedStorage).Name = "End"
       add("Script", "script.Parent.OnServerEvent:Wait() ${END.replaceAll('"', "'")}", game.ReplicatedStorage.End).RunContext = "Server"
       Tests:ExecutePlayModeAsync({})`,
    ),
  );
  expect(lines).toEqual([
    "[server] Player1 -1 1 true nil",
    "[client] Workspace Terrain 2",
    "[client] Player1 -1 true nil PlayerGui true",
    "[client] false LoadCharacter can only be called by the backend server",
  ]);
});

test("a client hears of those who join and leave after it", async () => {
  const lines = await runPlayAsync(
    sides(
      `
      local Players = game:GetService("Players")
      local remote = game.ReplicatedStorage.RemoteEvent
      Players.PlayerAdded:Connect(function(player) Instance.new("Folder", player).Name = "leaderstats" end)
      local asks = 0
      remote.OnServerEvent:Connect(function(player)
        asks += 1
        if asks == 1 then
          Players.Player2:Kick()
        else
          game:GetService("StudioTestService"):EndTest({})
        end
      end)
      `,
      `
      local Players = game:GetService("Players")
      local remote = game.ReplicatedStorage.RemoteEvent
      if Players.LocalPlayer.Name ~= "Player1" then return end
      Players.PlayerRemoving:Connect(function(player)
        print("removing", player, player.Parent, player:FindFirstChild("leaderstats"))
        remote:FireServer()
      end)
      for _, player in Players:GetPlayers() do print("there", player) end
      local player = Players.PlayerAdded:Wait()
      print("added", player)
      player:WaitForChild("leaderstats")
      remote:FireServer()
      `,
      `Instance.new("RemoteEvent", game.ReplicatedStorage) Tests:ExecuteMultiplayerTestAsync(2, {})`,
    ),
  );
  expect(lines).toEqual([
    "[client] there Player1",
    "[client] added Player2",
    "[client] removing Player2 Players leaderstats",
  ]);
});

test("a multiplayer test has several clients that see each other, and one may leave", async () => {
  const lines = await runPlayAsync(
    sides(
      `
      local Players = game:GetService("Players")
      Players.PlayerRemoving:Connect(function(player) print("removing", player) end)
      local ready = 0
      game.ReplicatedStorage.RemoteEvent.OnServerEvent:Connect(function() ready += 1 end)
      while ready < 3 do task.wait() end
      game.ReplicatedStorage.RemoteEvent:FireAllClients()
      Players.PlayerRemoving:Wait()
      task.wait(0.05)
      print(#Players:GetPlayers())
      game:GetService("StudioTestService"):EndTest("over")
      `,
      `
      local Players = game:GetService("Players")
      game.ReplicatedStorage.RemoteEvent:FireServer()
      game.ReplicatedStorage.RemoteEvent.OnClientEvent:Wait()
      local names = {}
      for _, player in Players:GetPlayers() do table.insert(names, player.Name) end
      table.sort(names)
      print(Players.LocalPlayer, table.concat(names, ","))
      local Tests = game:GetService("StudioTestService")
      if Players.LocalPlayer.Name == "Player2" then print(Tests:CanLeaveTest()) Tests:LeaveTest() end
      `,
      `Instance.new("RemoteEvent", game.ReplicatedStorage) print(Tests:ExecuteMultiplayerTestAsync(3, {}))`,
    ),
  );
  expect(lines).toEqual([
    "[client] Player1 Player1,Player2,Player3",
    "[client] Player2 Player1,Player2,Player3",
    "[client] true",
    "[client] Player3 Player1,Player2,Player3",
    "[server] removing Player2",
    "[server] 2",
    "[server] removing Player1",
    "[server] removing Player3",
    "over",
  ]);
});

test("a player who is kicked leaves, and calls to the player end; a client can kick only its own player", async () => {
  const lines = await runPlayAsync(
    sides(
      `
      local Players, call = game:GetService("Players"), game.ReplicatedStorage.RemoteFunction
      Players.PlayerRemoving:Connect(function(player) print("leaves", player) end)
      local ready = 0
      call.OnServerInvoke = function(player)
        ready += 1
        if ready < 2 then return end
        local first, second = Players.Player1, Players.Player2
        local answered = false
        task.spawn(function() print(pcall(call.InvokeClient, call, first)) answered = true end)
        first:Kick("you go")
        while not answered do task.wait() end
        print(first.Parent, #Players:GetPlayers(), pcall(call.InvokeClient, call, first))
        call:InvokeClient(second)
      end
      Players.ChildRemoved:Connect(function() if #Players:GetPlayers() == 0 then ${END} end end)
      `,
      `
      local Players, call = game:GetService("Players"), game.ReplicatedStorage:WaitForChild("RemoteFunction")
      while #Players:GetPlayers() < 2 do Players.ChildAdded:Wait() end
      if Players.LocalPlayer.Name == "Player1" then
        call.OnClientInvoke = function() task.wait(1000) end
      else
        print(pcall(Players.Player1.Kick, Players.Player1))
        call.OnClientInvoke = function() Players.LocalPlayer:Kick() end
      end
      call:InvokeServer()
      `,
      `Instance.new("RemoteFunction", game.ReplicatedStorage) Tests:ExecuteMultiplayerTestAsync(2, {})`,
    ),
  );
  expect(lines).toEqual([
    "[client] false Cannot kick a non-local Player from a LocalScript",
    "[server] false The other side has left the game",
    "[server] leaves Player1",
    "[server] nil 1 false InvokeClient: Player1 is not in the game",
    "[server] leaves Player2",
  ]);
});

test("a test takes no more players than eight at a time", async () => {
  const lines = await runPlayAsync(`
    add("Script", [==[
      local Players, Tests = game:GetService("Players"), game:GetService("StudioTestService")
      Players.PlayerAdded:Connect(function() if #Players:GetPlayers() == 8 then print(#Players:GetPlayers()) ${END} end end)
      while #Players:GetPlayers() < 2 do Players.PlayerAdded:Wait() end
      print(pcall(Tests.AddPlayers, Tests, 7))
      print(pcall(Tests.AddPlayers, Tests, 0.5))
      Tests:AddPlayers(6)
    ]==], game:GetService("ServerScriptService"))
    Tests:ExecuteMultiplayerTestAsync(2, {})
    print(pcall(Tests.ExecuteMultiplayerTestAsync, Tests, 9, {}))
  `);
  expect(lines).toEqual([
    "[server] false A test has at most 8 players",
    "[server] false The number of players must be a whole number from 1 on",
    "[server] 8",
    "false The number of players must be between 1 and 8",
  ]);
});
