/** After any changes of the server, its client has the same replicated tree. */
import { expect, test } from "bun:test";
import { END, linesOf, playAsync, runPlayAsync, sides } from "./play-window.ts";

/** One line per Instance below `root`, in an order that does not depend on the order of children. */
const DESCRIBE = `
  local function describe(root)
    local lines = {}
    for _, instance in root:GetDescendants() do
      local attributes = {}
      for name, value in instance:GetAttributes() do table.insert(attributes, name .. "=" .. tostring(value)) end
      table.sort(attributes)
      local tags = instance:GetTags()
      table.sort(tags)
      local value = ""
      if instance:IsA("ObjectValue") then value = if instance.Value then instance.Value:GetFullName() else "nil" end
      if instance:IsA("Part") then value = tostring(instance.Position) end
      table.insert(lines, table.concat({ instance:GetFullName(), instance.ClassName, table.concat(attributes, ","), table.concat(tags, ","), value }, "|"))
    end
    table.sort(lines)
    return table.concat(lines, "\\n")
  end
`;

/** A server that makes \`steps\` random changes, some in one go and some over frames. */
const server = (seed: number, steps: number) => `
  ${DESCRIBE}
  local remote = Instance.new("RemoteEvent")
  remote.Name = "Ready"
  remote.Parent = game.ReplicatedStorage
  local root = Instance.new("Folder")
  root.Name = "Root"
  root.Parent = game.ReplicatedStorage
  local player = remote.OnServerEvent:Wait()
  local random = Random.new(${seed})
  local CLASSES = { "Folder", "Part", "ObjectValue", "Model" }
  local count = 0
  local function any(withRoot)
    local all = root:GetDescendants()
    if withRoot or #all == 0 then table.insert(all, root) end
    return all[random:NextInteger(1, #all)]
  end
  local steps = {
    function()
      count += 1
      local instance = Instance.new(CLASSES[random:NextInteger(1, #CLASSES)])
      instance.Name = "N" .. count
      if random:NextInteger(1, 2) == 1 then instance:SetAttribute("Made", count) end
      instance.Parent = any(true)
    end,
    function()
      count += 1
      any(false).Name = "R" .. count
    end,
    function() any(false):SetAttribute("A" .. random:NextInteger(1, 3), random:NextInteger(1, 9)) end,
    function() any(false):SetAttribute("A" .. random:NextInteger(1, 3), nil) end,
    function() any(false):AddTag("T" .. random:NextInteger(1, 3)) end,
    function() any(false):RemoveTag("T" .. random:NextInteger(1, 3)) end,
    function() pcall(function() any(false).Parent = any(true) end) end,
    function() local one = any(false) if one ~= root and random:NextInteger(1, 3) == 1 then one:Destroy() end end,
    function() local one = any(false) if one ~= root then one.Parent = game.ServerStorage one.Parent = root end end,
    function() local one = any(false) if one:IsA("Part") then one.Position = Vector3.one * random:NextInteger(1, 99) end end,
    function() local one = any(false) if one:IsA("ObjectValue") then one.Value = any(true) end end,
    function() task.wait() end,
  }
  table.insert(steps, steps[1])
  for _ = 1, ${steps} do steps[random:NextInteger(1, #steps)]() end
  root.Name = "Root"
  remote:FireClient(player, describe(root))
  remote.OnServerEvent:Wait()
  ${END}
`;

const client = `
  ${DESCRIBE}
  local remote = game.ReplicatedStorage:WaitForChild("Ready")
  remote:FireServer()
  local wanted = remote.OnClientEvent:Wait()
  local got = describe(game.ReplicatedStorage.Root)
  print(got == wanted, #string.split(wanted, "\\n") > 5)
  if got ~= wanted then print("wanted\\n" .. wanted) print("got\\n" .. got) end
  remote:FireServer()
`;

for (const seed of [1, 2, 3, 4, 5, 6]) {
  test(`random changes, seed ${seed}`, async () => {
    const lines = await runPlayAsync(`
      add("Script", [==[${server(seed, 250)}]==], game:GetService("ServerScriptService"))
      add("LocalScript", [==[${client}]==], game:GetService("StarterPlayer").StarterPlayerScripts)
      Tests:ExecutePlayModeAsync({})
    `);
    expect(lines).toEqual(["[client] true true"]);
  });
}

test("a client that has turned the tree round keeps it, and lives", async () => {
  const lines = await runPlayAsync(`
    add("Script", [==[
      local outer, inner = Instance.new("Folder"), Instance.new("Folder")
      outer.Name, inner.Name = "Outer", "Inner"
      outer.Parent, inner.Parent = game.ReplicatedStorage, game.ReplicatedStorage
      local remote = Instance.new("RemoteEvent", game.ReplicatedStorage)
      local player = remote.OnServerEvent:Wait()
      inner.Parent = outer
      remote:FireClient(player)
      remote.OnServerEvent:Wait()
      ${END}
    ]==], game:GetService("ServerScriptService"))
    add("LocalScript", [==[
      local Storage = game.ReplicatedStorage
      local remote = Storage:WaitForChild("RemoteEvent")
      Storage.Outer.Parent = Storage.Inner
      remote:FireServer()
      remote.OnClientEvent:Wait()
      print(Storage.Inner.Outer:GetFullName())
      remote:FireServer()
    ]==], game:GetService("StarterPlayer").StarterPlayerScripts)
    Tests:ExecutePlayModeAsync({})
  `);
  expect(lines).toEqual(["[client] ReplicatedStorage.Inner.Outer"]);
});

test("a reference finds its Instance when that comes, and when it comes back", async () => {
  const lines = await runPlayAsync(`
    add("Script", [==[
      local part = Instance.new("Part")
      local value, model, box = Instance.new("ObjectValue"), Instance.new("Model"), Instance.new("SelectionBox")
      value.Value, model.PrimaryPart, box.Adornee = part, part, part
      for _, holder in { value, model, box } do holder.Parent = game.ReplicatedStorage end
      local remote = Instance.new("RemoteEvent", game.ReplicatedStorage)
      local player = remote.OnServerEvent:Wait()
      part.Parent = workspace
      remote.OnServerEvent:Wait()
      part.Parent = game:GetService("ServerStorage")
      task.wait()
      part.Name = "Back"
      part.Parent = workspace
      remote.OnServerEvent:Wait()
      value.Value = nil
      part.Parent = game:GetService("ServerStorage")
      task.wait()
      part.Parent = workspace
      remote:FireClient(player)
      remote.OnServerEvent:Wait()
      ${END}
    ]==], game:GetService("ServerScriptService"))
    add("LocalScript", [==[
      local Storage = game.ReplicatedStorage
      local remote = Storage:WaitForChild("RemoteEvent")
      local value, model, box = Storage.Value, Storage.Model, Storage.SelectionBox
      print(value.Value, model.PrimaryPart, box.Adornee)
      value.Changed:Connect(function(new) print("changed to", new) end)
      remote:FireServer()
      local part = workspace:WaitForChild("Part")
      task.wait()
      print(value.Value == part, model.PrimaryPart == part, box.Adornee == part)
      remote:FireServer()
      part = workspace:WaitForChild("Back")
      task.wait()
      print(value.Value == part, box.Adornee == part)
      remote:FireServer()
      remote.OnClientEvent:Wait()
      print(value.Value, box.Adornee == workspace.Back)
      remote:FireServer()
    ]==], game:GetService("StarterPlayer").StarterPlayerScripts)
    Tests:ExecutePlayModeAsync({})
  `);
  expect(lines).toEqual([
    "[client] nil nil nil",
    "[client] changed to Part",
    "[client] true true true",
    "[client] changed to Back",
    "[client] true true",
    "[client] changed to nil",
    "[client] nil true",
  ]);
});

test("what the server changes replicates, in order with its events; what the client changes does not", async () => {
  const lines = await runPlayAsync(
    sides(
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
      `Instance.new("RemoteEvent", game.ReplicatedStorage) Tests:ExecutePlayModeAsync({})`,
    ),
  );
  expect(lines).toEqual([
    "[client] Workspace.Made true good true 1, 2, 3",
    "[client] Workspace.Renamed 0.5 nil false true",
    "[server] 0 nil",
    "[client] nil nil 0",
  ]);
});

/** The names of the groups, and whether Doors and Players collide. */
const GROUPS = `
  local Physics = game:GetService("PhysicsService")
  local function groups()
    local names = {}
    for _, group in Physics:GetRegisteredCollisionGroups() do table.insert(names, group.name) end
    return table.concat(names, " "), Physics:CollisionGroupsAreCollidable("Doors", "Players")
  end
`;

test("collision groups of the edited place reach the server, and those of the server its clients, as they change", async () => {
  const lines = await playAsync(
    `game:GetService("PhysicsService"):RegisterCollisionGroup("Doors") Instance.new("RemoteEvent", game.ReplicatedStorage)`,
    `${GROUPS}
    print(groups())
    Physics:RegisterCollisionGroup("Players")
    local remote = game.ReplicatedStorage.RemoteEvent
    local player = remote.OnServerEvent:Wait()
    Physics:CollisionGroupSetCollidable("Doors", "Players", false)
    Physics:RegisterCollisionGroup("Old")
    Physics:RenameCollisionGroup("Old", "New")
    remote:FireClient(player)
    remote.OnServerEvent:Wait()
    Physics:UnregisterCollisionGroup("Doors")
    remote:FireClient(player)
    remote.OnServerEvent:Wait()
    ${END}`,
    `${GROUPS}
    local remote = game.ReplicatedStorage.RemoteEvent
    for round = 1, 3 do
      print(groups())
      remote:FireServer()
      if round < 3 then remote.OnClientEvent:Wait() end
    end`,
  );
  expect(linesOf("[server]", lines)).toEqual(["[server] Default Doors true"]);
  expect(linesOf("[client]", lines)).toEqual([
    "[client] Default Doors Players true",
    "[client] Default Doors Players New false",
    "[client] Default Players New true",
  ]);
});

test("a client cannot change collision groups, but may put its parts into them", async () => {
  const lines = await playAsync(
    `game:GetService("PhysicsService"):RegisterCollisionGroup("Doors") Instance.new("RemoteEvent", game.ReplicatedStorage)`,
    `game.ReplicatedStorage.RemoteEvent.OnServerEvent:Wait() ${END}`,
    `${GROUPS}
    for method, arguments in {
      RegisterCollisionGroup = { "Mine" }, UnregisterCollisionGroup = { "Doors" }, RenameCollisionGroup = { "Doors", "Gates" },
      CollisionGroupSetCollidable = { "Doors", "Doors", false }, CreateCollisionGroup = { "Mine" }, RemoveCollisionGroup = { "Doors" },
    } do
      local ok, message = pcall(Physics[method], Physics, table.unpack(arguments))
      if ok or not string.find(message, "by the server") then print(method, ok, message) end
    end
    local part = Instance.new("Part")
    Physics:SetPartCollisionGroup(part, "Doors")
    print(part.CollisionGroup, groups())
    game.ReplicatedStorage.RemoteEvent:FireServer()`,
  );
  expect(lines).toEqual(["[client] Doors Default Doors true"]);
});
