/** Remotes between a server and its clients: what arrives, in which order, as which copy, and what is refused. */
import { expect, test } from "bun:test";
import { END, runPlayAsync, sides } from "./play-window.ts";

test("remote events carry copies both ways; functions and strangers' Instances become nil", async () => {
  const lines = await runPlayAsync(
    sides(
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
      `Instance.new("Part", workspace) Tests:ExecutePlayModeAsync({})`,
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
    sides(
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
       Tests:ExecutePlayModeAsync({})`,
    ),
  );
  expect(lines).toEqual(["[server] first", "[server] second", "[server] last"]);
});

test("remote functions return values, errors and wait for a callback", async () => {
  const lines = await runPlayAsync(
    sides(
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
       Tests:ExecutePlayModeAsync({})`,
    ),
  );
  expect(lines).toEqual([
    "[client] true 3 2",
    "[client] false ServerScriptService.Script:6: no luck",
    "[server] hey!",
  ]);
});

test("remotes can only be called from the right side, and for a player", async () => {
  const lines = await runPlayAsync(`
    local event, call = Instance.new("RemoteEvent"), Instance.new("RemoteFunction")
    print(select(2, pcall(event.FireServer, event)))
    print(select(2, pcall(call.InvokeServer, call)))
    print(select(2, pcall(event.FireClient, event)))
    print(select(2, pcall(event.FireClient, event, workspace)))
  `);
  expect(lines.map((line) => line.replace(/^Plugins\.Plugin:\d+: /, ""))).toEqual([
    "FireServer can only be called from the client",
    "InvokeServer can only be called from the client",
    "Argument 1 missing or nil",
    "FireClient: player argument must be a Player object",
  ]);
});

test("remote arguments are copied by the rules: keys, gaps, functions, metatables, numbers, depth", async () => {
  const lines = await runPlayAsync(
    sides(
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
      `Instance.new("RemoteEvent", game.ReplicatedStorage) Tests:ExecutePlayModeAsync({})`,
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
