/** Server and clients of a test: players, remotes, what replicates, connections between the plugin's copies. */
import { expect, test } from "bun:test";
import { runPlayAsync } from "./play-window.ts";

const END = `game:GetService("StudioTestService"):EndTest()`;
/** A server script and a client script; either may end the test. */
const both = (server: string, client: string, start = "Tests:ExecutePlayModeAsync()"): string => `
  add("Script", [==[ ${server} ]==], game:GetService("ServerScriptService"))
  add("LocalScript", [==[ ${client} ]==], game:GetService("StarterPlayer").StarterPlayerScripts)
  ${start}
`;

test("a player joins: the server hears of it, the client has it as its own", async () => {
  const lines = await runPlayAsync(
    both(
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
       Tests:ExecutePlayModeAsync()`,
    ),
  );
  expect(lines).toEqual([
    "[server] Player1 -1 1 true nil",
    "[client] Workspace Terrain 2",
    "[client] Player1 -1 true nil PlayerGui true",
    "[client] false LoadCharacter can only be called by the backend server",
  ]);
});

test("remote events carry copies both ways; functions and strangers' Instances become nil", async () => {
  const lines = await runPlayAsync(
    both(
      `
      local remote = Instance.new("RemoteEvent")
      remote.Parent = game.ReplicatedStorage
      remote.OnServerEvent:Connect(function(player, ...)
        print(player, ...)
        local values = { ... }
        print(typeof(values[1]), values[1] and values[1].Name, getmetatable(values[2]), values[2].inner.x)
        remote:FireClient(player, "back", workspace.Part, game.ServerStorage)
        if values[2].inner.x ~= 1 then ${END} end
      end)
      `,
      `
      local remote = game.ReplicatedStorage:WaitForChild("RemoteEvent")
      remote.OnClientEvent:Connect(function(...)
        print(...)
        remote:FireServer(workspace.Terrain, setmetatable({ inner = { x = Vector2.new(1, 2) } }, { __index = {} }), print, Instance.new("Part"))
      end)
      remote:FireServer(workspace.Terrain, { inner = { x = 1 } }, 1.5)
      `,
      `Instance.new("Part", workspace) Tests:ExecutePlayModeAsync()`,
    ).replace(
      "remote:FireServer(workspace.Terrain, setmetatable",
      "if done then return end done = true remote:FireServer(workspace.Terrain, setmetatable",
    ),
  );
  const plain = lines.map((line) => line.replace(/table: 0x[0-9a-f]+/g, "table"));
  expect(plain).toEqual([
    "[server] Player1 Terrain table 1.5",
    "[server] Instance Terrain nil 1",
    "[client] back Part nil",
    "[server] Player1 Terrain table nil nil",
    "[server] Instance Terrain nil 1, 2",
    "[client] back Part nil",
  ]);
});

test("events that come before a handler wait for it, except unreliable ones", async () => {
  const lines = await runPlayAsync(
    both(
      `
      local remote, loose = game.ReplicatedStorage.RemoteEvent, game.ReplicatedStorage.UnreliableRemoteEvent
      game.ReplicatedStorage.Sent.OnServerEvent:Wait()
      loose.OnServerEvent:Connect(function() print("unreliable") end)
      remote.OnServerEvent:Connect(function(_, word) print(word) if word == "last" then ${END} end end)
      `,
      `
      for _, word in { "first", "second", "last" } do
        game.ReplicatedStorage.UnreliableRemoteEvent:FireServer(word)
        game.ReplicatedStorage.RemoteEvent:FireServer(word)
      end
      game.ReplicatedStorage.Sent:FireServer()
      `,
      `Instance.new("RemoteEvent", game.ReplicatedStorage)
       Instance.new("RemoteEvent", game.ReplicatedStorage).Name = "Sent"
       Instance.new("UnreliableRemoteEvent", game.ReplicatedStorage)
       Tests:ExecutePlayModeAsync()`,
    ),
  );
  expect(lines).toEqual(["[server] first", "[server] second", "[server] last"]);
});

test("remote functions return values, errors and wait for a callback", async () => {
  const lines = await runPlayAsync(
    both(
      `
      local remote = game.ReplicatedStorage.RemoteFunction
      local player = game.Players.PlayerAdded:Wait()
      task.wait(0.05)
      remote.OnServerInvoke = function(from, a, b)
        if a == "fail" then error("no " .. b) end
        task.wait()
        return from == player, a + b, { a, b }
      end
      `,
      `
      local remote = game.ReplicatedStorage.RemoteFunction
      local isMe, sum, both = remote:InvokeServer(1, 2)
      print(isMe, sum, both[2])
      print(pcall(remote.InvokeServer, remote, "fail", "luck"))
      remote.OnClientInvoke = function(word) return word .. "!" end
      game.ReplicatedStorage.RemoteEvent:FireServer()
      `,
      `Instance.new("RemoteFunction", game.ReplicatedStorage)
       Instance.new("RemoteEvent", game.ReplicatedStorage)
       add("Script", [[
         local player = game.ReplicatedStorage.RemoteEvent.OnServerEvent:Wait()
         print(game.ReplicatedStorage.RemoteFunction:InvokeClient(player, "hey"))
         ${END}
       ]], workspace)
       Tests:ExecutePlayModeAsync()`,
    ),
  );
  expect(lines).toEqual([
    "[client] true 3 2",
    "[client] false ServerScriptService.Script:6: no luck",
    "[server] hey!",
  ]);
});

test("remotes can only be called from the right side", async () => {
  const lines = await runPlayAsync(`
    local event, call = Instance.new("RemoteEvent"), Instance.new("RemoteFunction")
    print(select(2, pcall(event.FireServer, event)))
    print(select(2, pcall(call.InvokeServer, call)))
    print(select(2, pcall(event.FireClient, event)))
  `);
  expect(lines.map((line) => line.replace(/^Plugins\.Plugin:\d+: /, ""))).toEqual([
    "FireServer can only be called from the client",
    "InvokeServer can only be called from the client",
    "Argument 1 missing or nil",
  ]);
});

test("what the server changes replicates, in order with its events; what the client changes does not", async () => {
  const lines = await runPlayAsync(
    both(
      `
      local remote = game.ReplicatedStorage.RemoteEvent
      local player = game.Players.PlayerAdded:Wait()
      remote.OnServerEvent:Wait()
      local part = Instance.new("Part")
      part.Name = "Made"
      part.Parent = workspace
      local value = Instance.new("ObjectValue", part)
      value.Value = part
      part:SetAttribute("Mood", "good")
      part:AddTag("Tagged")
      part.Position = Vector3.new(1, 2, 3)
      Instance.new("Folder", game.ServerStorage)
      remote:FireClient(player, part)
      remote.OnServerEvent:Wait()
      part.Name = "Renamed"
      part.Transparency = 0.5
      part:SetAttribute("Mood", nil)
      part:RemoveTag("Tagged")
      value.Parent = workspace
      remote:FireClient(player)
      remote.OnServerEvent:Wait()
      print(part.Reflectance, workspace:FindFirstChild("ClientOnly"))
      part.Parent = game.ServerStorage
      value:Destroy()
      remote:FireClient(player)
      remote.OnServerEvent:Wait()
      ${END}
      `,
      `
      local remote = game.ReplicatedStorage.RemoteEvent
      remote:FireServer()
      local part = remote.OnClientEvent:Wait()
      print(part:GetFullName(), part.Value.Value == part, part:GetAttribute("Mood"), part:HasTag("Tagged"), part.Position)
      remote:FireServer()
      remote.OnClientEvent:Wait()
      print(part:GetFullName(), part.Transparency, part:GetAttribute("Mood"), part:HasTag("Tagged"), workspace.Value.Value == part)
      part.Reflectance = 1
      Instance.new("Folder", workspace).Name = "ClientOnly"
      remote:FireServer()
      remote.OnClientEvent:Wait()
      print(part.Parent, workspace:FindFirstChild("Value"), #game.ServerStorage:GetChildren())
      remote:FireServer()
      `,
      `Instance.new("RemoteEvent", game.ReplicatedStorage) Tests:ExecutePlayModeAsync()`,
    ),
  );
  expect(lines).toEqual([
    "[client] Workspace.Made true good true 1, 2, 3",
    "[client] Workspace.Renamed 0.5 nil false true",
    "[server] 0 nil",
    "[client] nil nil 0",
  ]);
});

test("a multiplayer test has several clients that see each other, and one may leave", async () => {
  const lines = await runPlayAsync(
    both(
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
      `Instance.new("RemoteEvent", game.ReplicatedStorage) print(Tests:ExecuteMultiplayerTestAsync(3))`,
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

test("the copies of the plugin are connected in a star, with texts and buffers", async () => {
  const lines = await runPlayAsync(
    `
    Service.Connected:Connect(function(connection)
      connection:BindToMessage(function(message)
        print(connection.Type.Name, if type(message) == "buffer" then buffer.tostring(message) else message)
        if type(message) == "buffer" then table.insert(Greeted, connection) end
        if type(message) == "buffer" and #Greeted == 2 then
          for _, each in Greeted do each:SendMessage("bye") end
        end
        if message == "bye" then Server:SendMessage("end") end
      end)
      Server = Server or connection
      connection:GetPropertyChangedSignal("Connected"):Connect(function() print("gone", connection.Connected) end)
    end)
    Tests:ExecutePlayModeAsync()
    task.wait()
    print(#Service:GetPluginConnectionsOfType(Enum.PluginConnectionTargetType.Test))
  `,
    `
    local Service = game:GetService("PluginConnectionService")
    local Run = game:GetService("RunService")
    local Server
    local Greeted = {}
    if not Run:IsEdit() then
      task.spawn(function()
        local edit = Service:GetPluginConnectionsOfType(Enum.PluginConnectionTargetType.Edit)[1] or Service.Connected:Wait()
        edit:SendMessage(if Run:IsServer() then "server" else "client")
        edit:SendMessage(buffer.fromstring("bytes"))
        task.wait(0.05)
        edit:BindToMessage(function(message)
          print(message)
          if message == "end" then ${END} elseif Run:IsClient() then edit:SendMessage("bye") end
        end)
      end)
    end
  `.replaceAll("\n", " "),
  );
  expect(lines).toEqual([
    "Test server",
    "Test bytes",
    "Test client",
    "Test bytes",
    "[server] bye",
    "[client] bye",
    "Test bye",
    "[server] end",
    "gone false",
    "gone false",
    "0",
  ]);
});

test("remote arguments are copied by the rules: keys, gaps, functions, metatables, numbers, depth", async () => {
  const lines = await runPlayAsync(
    both(
      `
      local function show(value)
        if type(value) ~= "table" then return tostring(value) end
        local fields = {}
        for key, field in next, value do table.insert(fields, typeof(key) .. " " .. tostring(key) .. "=" .. show(field)) end
        table.sort(fields)
        return "{" .. table.concat(fields, ", ") .. "}"
      end
      game.ReplicatedStorage.RemoteEvent.OnServerEvent:Connect(function(_, ...)
        local values = table.pack(...)
        for index = 1, values.n do values[index] = show(values[index]) end
        print(table.concat(values, " | "))
        if ... == "end" then ${END} end
      end)
      `,
      `
      local remote = game.ReplicatedStorage:WaitForChild("RemoteEvent")
      remote:FireServer(0/0, 1/0, "a\\0b", nil, Enum.KeyCode.A, buffer.tostring(buffer.fromstring("x")))
      remote:FireServer({ [workspace] = 1, [true] = 2, named = 3 })
      remote:FireServer({ 1, 2, lost = true }, { 1, print, 3 }, { kept = 1, lost = print })
      remote:FireServer(setmetatable({ own = 1 }, { __index = { other = 2 } }), newproxy(true), workspace.Changed, coroutine.running())
      local shared = { 1 }
      remote:FireServer({ shared, shared }, game:GetService("CoreGui"))
      local function nested(depth) local t = {} for _ = 2, depth do t = { t } end return t end
      print(pcall(remote.FireServer, remote, nested(1001)))
      print(pcall(remote.FireServer, remote, nested(30000)))
      local cycle = {} cycle.cycle = cycle
      print(pcall(remote.FireServer, remote, { cycle }))
      remote:FireServer("end")
      `,
      `Instance.new("RemoteEvent", game.ReplicatedStorage) Tests:ExecutePlayModeAsync()`,
    ),
  );
  expect(lines.filter((line) => line.startsWith("[client]"))).toEqual([
    "[client] false tables cannot be nested more than 1000 deep",
    "[client] false tables cannot be nested more than 1000 deep",
    "[client] false tables cannot be cyclic",
  ]);
  expect(lines.filter((line) => line.startsWith("[server]"))).toEqual([
    "[server] nan | inf | a\0b | nil | Enum.KeyCode.A | x",
    "[server] {string Workspace=1, string named=3, string true=2}",
    "[server] {number 1=1, number 2=2} | {number 1=1, number 3=3} | {string kept=1}",
    "[server] {string own=1} | nil | nil | nil",
    "[server] {number 1={number 1=1}, number 2={number 1=1}} | nil",
    "[server] end",
  ]);
});

test("a player who is kicked leaves, and calls to him end; a client kicks nobody but its own player", async () => {
  const lines = await runPlayAsync(
    both(
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
      `Instance.new("RemoteFunction", game.ReplicatedStorage) Tests:ExecuteMultiplayerTestAsync(2)`,
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
    Tests:ExecuteMultiplayerTestAsync(2)
    print(pcall(Tests.ExecuteMultiplayerTestAsync, Tests, 9))
  `);
  expect(lines).toEqual([
    "[server] false A test has at most 8 players",
    "[server] false The number of players must be a whole number from 1 on",
    "[server] 8",
    "false The number of players must be between 1 and 8",
  ]);
});

test("a client hears of those who join and leave after it", async () => {
  const lines = await runPlayAsync(
    both(
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
          game:GetService("StudioTestService"):EndTest()
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
      `Instance.new("RemoteEvent", game.ReplicatedStorage) Tests:ExecuteMultiplayerTestAsync(2)`,
    ),
  );
  expect(lines).toEqual([
    "[client] there Player1",
    "[client] added Player2",
    "[client] removing Player2 Players leaderstats",
  ]);
});
