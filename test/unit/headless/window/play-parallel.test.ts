/** Parallel phases: what scripts of an Actor may use while they are desynchronized, and who may be. docs: scripting/multithreading. */
import { expect, test } from "bun:test";
import { END, linesOf, playAsync } from "./play-window.ts";

/** A script below an Actor in Workspace, beside a Part and a module. */
const actor = (source: string, name = "Worker"): string => `
  if not workspace:FindFirstChild("Block") then
    local part = Instance.new("Part") part.Name = "Block" part.Anchored = true part.Parent = workspace
    add("ModuleScript", "return 7", game.ReplicatedStorage, "Seven")
    add("ModuleScript", "return 8", game.ReplicatedStorage, "Eight")
  end
  local actor = Instance.new("Actor") actor.Name = "${name}"
  add("Script", [==[
    local block = workspace.Block
    local function try(what, act)
      local ok, result = pcall(act)
      print(what, ok, result)
    end
    ${source}]==], actor)
  actor.Parent = workspace`;

const runAsync = async (source: string, server = ""): Promise<readonly string[]> =>
  linesOf("[server]", await playAsync(actor(source), `${server} task.wait(0.2) ${END}`)).map((line) =>
    line.slice("[server] ".length),
  );

test("in a parallel phase scripts read properties and call safe methods, and nothing else of Instances", async () => {
  const lines = await runAsync(`
    local cached = require(game.ReplicatedStorage.Seven)
    local gui = Instance.new("Frame")
    task.desynchronize()
    try("read", function() return block.Name, block.Position end)
    try("child", function() return workspace.Block.Parent end)
    try("find", function() return workspace:FindFirstChild("Block"):IsA("BasePart") end)
    try("attribute", function() return block:GetAttribute("None") end)
    try("ray", function() return workspace:Raycast(Vector3.new(0, 10, 0), Vector3.new(0, -20, 0)).Instance end)
    try("pivot", function() return block:GetPivot().Position end)
    try("set", function() block.Name = "Other" end)
    try("parent", function() block.Parent = nil end)
    try("destroy", function() block:Destroy() end)
    try("setAttribute", function() block:SetAttribute("A", 1) end)
    try("size", function() return gui.AbsoluteSize end)
    try("member", function() return block.Nonsense end)
    try("setMember", function() block.Nonsense = 1 end)
    try("callback", function() Instance.new("BindableFunction").OnInvoke = print end)
    try("require", function() return require(game.ReplicatedStorage.Seven) end)
    try("requireNew", function() return require(game.ReplicatedStorage.Eight) end)
    try("new", function() return Instance.new("Part").ClassName end)
    try("libraries", function() return math.floor(1.5) + #table.pack(1, 2) + Vector3.new(1, 2, 3).X + cached end)
    try("connect", function() return typeof(block.Changed:Connect(function() end)) end)
    try("message", function() return script:GetActor():SendMessage("Topic", 1) end)
    task.synchronize()
    try("set", function() block.Name = "Other" return block.Name end)
    try("require", function() return require(game.ReplicatedStorage.Eight) end)
    try("destroy", function() block:Destroy() end)`);
  expect(lines).toEqual([
    "read true Block",
    "child true Workspace",
    "find true true",
    "attribute true nil",
    "ray true Block",
    "pivot true 0, 0, 0",
    "set false Property Instance.Name is not safe to assign in parallel",
    "parent false Property Instance.Parent is not safe to assign in parallel",
    "destroy false Function Instance.Destroy is not safe to call in parallel",
    "setAttribute false Function Instance.SetAttribute is not safe to call in parallel",
    "size false Property GuiBase2d.AbsoluteSize is not safe to read in parallel",
    'member false Nonsense is not a valid member of Part "Workspace.Block"',
    'setMember false Nonsense is not a valid member of Part "Workspace.Block"',
    "callback false Property BindableFunction.OnInvoke is not safe to assign in parallel",
    "require false Function require is not safe to call in parallel",
    "requireNew false Function require is not safe to call in parallel",
    "new true Part",
    "libraries true 11",
    "connect true RBXScriptConnection",
    "message true nil",
    "set true Other",
    "require true 8",
    "destroy true nil",
  ]);
});

test("other scripts run in serial phases meanwhile, and what a parallel one schedules runs in parallel", async () => {
  const lines = await runAsync(
    `
    local function isParallel() return not pcall(function() block.Transparency = block.Transparency end) end
    task.desynchronize()
    print("here", isParallel())
    task.spawn(function() print("spawn", isParallel()) end)
    task.spawn(coroutine.create(function() print("thread", isParallel()) end))
    task.defer(function() print("defer", isParallel()) end)
    task.delay(0, function() print("delay", isParallel()) task.synchronize() print("back", isParallel()) end)
    coroutine.wrap(function() print("wrap", isParallel()) end)()
    task.desynchronize()
    print("again", isParallel())
    task.wait()
    print("waited", isParallel())
    task.synchronize()
    task.synchronize()
    print("serial", isParallel())
    task.spawn(function() print("spawned", isParallel()) end)`,
    `for _ = 1, 8 do task.wait() workspace.Block.Transparency = 0.5 assert(workspace.Block.Transparency == 0.5) end`,
  );
  expect(lines.toSorted()).toEqual(
    [
      "here true",
      "spawn true",
      "thread true",
      "defer true",
      "delay true",
      "back false",
      "wrap true",
      "again true",
      "waited true",
      "serial false",
      "spawned false",
    ].toSorted(),
  );
});

test("callbacks that are connected or bound in parallel run in parallel", async () => {
  const lines = await runAsync(`
    local function tell(what) return function() print(what, (pcall(function() block.Transparency = 0 end))) end end
    local event = Instance.new("BindableEvent")
    event.Event:Connect(tell("serial"))
    event.Event:ConnectParallel(tell("parallel"))
    local here = script:GetActor()
    here:BindToMessage("Go", tell("message"))
    here:BindToMessageParallel("Go", tell("parallel message"))
    event:Fire()
    here:SendMessage("Go")
    game:GetService("RunService").Heartbeat:ConnectParallel(function()
      if not _G.isDone then
        _G.isDone = true
        tell("heartbeat")()
        task.synchronize()
        tell("after")()
      end
    end)`);
  expect(lines.toSorted()).toEqual(
    [
      "serial true",
      "parallel false",
      "message true",
      "parallel message false",
      "heartbeat false",
      "after true",
    ].toSorted(),
  );
});

test("a script outside of Actors can neither desynchronize nor synchronize; a module may for a script below one", async () => {
  const outside = `for _, name in { "desynchronize", "synchronize" } do print(pcall(task[name])) end`;
  const lines = await playAsync(
    actor(`
      local go = require(game.ReplicatedStorage.Go)
      go()
      print("module", (pcall(function() block.Name = "X" end)))`).replace(
      "local actor =",
      `add("ModuleScript", "return function() task.desynchronize() end", game.ReplicatedStorage, "Go")
       ${outside}
       local actor =`,
    ),
    `${outside} print(pcall(require(game.ReplicatedStorage.Go))) task.wait(0.1) ${END}`,
  );
  const refusal = (name: string): string =>
    `task.${name}() should only be called from a script that is a descendant of an Actor`;
  const both = [`false ${refusal("desynchronize")}`, `false ${refusal("synchronize")}`];
  expect(lines.filter((line) => !line.startsWith("[server]"))).toEqual(both);
  expect(
    linesOf("[server]", lines)
      .map((line) => line.replace(/\S+:\d+: /, ""))
      .toSorted(),
  ).toEqual([...both, both[0] ?? "", "module false"].map((line) => `[server] ${line}`).toSorted());
});

test("an error in a parallel phase, and a script that switches without an end, harm no other script", async () => {
  const lines = await runAsync(
    `
    task.spawn(function()
      task.desynchronize()
      error("oh")
    end)
    while true do
      task.desynchronize()
      task.synchronize()
    end`,
    `task.wait() task.wait() workspace.Block.Name = "Fine" print(workspace.Fine.Name)`,
  );
  expect(lines.filter((line) => !/Stack|Line/.test(line))).toEqual(["Workspace.Worker.Script:9: oh", "Fine"]);
});

test("a method that was read before, and a parent given to Instance.new, are refused in a parallel phase", async () => {
  const lines = await runAsync(`
    local destroy, find = block.Destroy, workspace.FindFirstChild
    task.desynchronize()
    try("destroy", function() destroy(block) end)
    try("find", function() return find(workspace, "Block") end)
    try("parent", function() return Instance.new("Part", workspace) end)
    try("none", function() return Instance.new("Part", nil).Parent end)
    task.synchronize()
    try("parts", function() return #workspace:GetChildren() == #workspace:GetChildren() and workspace:FindFirstChild("Part") end)
    try("destroy", function() destroy(block) end)`);
  expect(lines).toEqual([
    "destroy false Function Instance.Destroy is not safe to call in parallel",
    "find true Block",
    "parent false Property Instance.Parent is not safe to assign in parallel",
    "none true nil",
    "parts true nil",
    "destroy true nil",
  ]);
});
