/** Actors: each has modules, `_G` and `shared` of its own, and its scripts hear its messages. */
import { expect, test } from "bun:test";
import { END, playAsync } from "./play-window.ts";

/** Sets up module "Counter" and two Actors, whose scripts have these sources. */
const actors = (first: string, second: string, module = MODULE): string => `
  local module = Instance.new("ModuleScript")
  module.Name, module.Source, module.Parent = "Counter", [==[${module}]==], game.ReplicatedStorage
  for index, source in { [==[${first}]==], [==[${second}]==] } do
    local actor = Instance.new("Actor")
    actor.Name = "Actor" .. index
    add("Script", source, actor)
    actor.Parent = workspace
  end`;

const MODULE = `local count = 0
return { next = function() count += 1 return count end, script = script, globals = _G, actor = script:GetActor() }`;

test("each Actor has its own copy of a module, its own _G and its own shared; scripts of one Actor share them", async () => {
  const look = (name: string): string => `
    local counter = require(game.ReplicatedStorage.Counter)
    assert(_G == counter.globals and counter.actor == nil and counter.script == game.ReplicatedStorage.Counter)
    print("${name}", counter.next(), counter.next(), _G.mark, shared.mark, getfenv(0).mark)
    _G.mark, shared.mark, getfenv(0).mark = "${name}", "${name}", "${name}"`;
  const lines = await playAsync(
    `${actors(look("one"), look("two"))}
    add("Script", [==[task.wait() ${look("again")}]==], workspace.Actor1)`,
    `${look("main")} task.wait(0.1) print(counter.next(), _G.mark) ${END}`,
  );
  expect(lines.toSorted()).toEqual(
    [
      "[server] one 1 2 nil nil nil",
      "[server] two 1 2 nil nil nil",
      "[server] main 1 2 nil nil nil",
      "[server] again 3 4 one one nil",
      "[server] 3 main",
    ].toSorted(),
  );
});

test("messages reach the scripts below an Actor, also through a module, as copies, and other scripts cannot bind", async () => {
  const bind = `
    local actor = script:GetActor()
    local got = {}
    require(game.ReplicatedStorage.Counter).bind(actor, function(...) table.insert(got, { ... }) end)
    actor:BindToMessage("Show", function(list, shared)
      shared.heard = #got
      print(#got, got[1] and got[1][2][1], list.inner[1])
    end)
    local other = workspace["Actor" .. (if actor.Name == "Actor1" then 2 else 1)]
    print(pcall(other.BindToMessage, other, "Show", print))`;
  const lines = await playAsync(
    actors(
      bind,
      bind,
      `return { bind = function(actor, callback) return actor:BindToMessageParallel("Add", callback) end }`,
    ),
    `task.wait(0.05)
    local list = { 1, 2 }
    local state = SharedTable.new()
    workspace.Actor1:SendMessage("Add", "hello", list)
    list[1] = 9
    workspace.Actor1:SendMessage("Show", { inner = list }, state)
    task.wait(0.05)
    print(state.heard, pcall(workspace.Actor1.BindToMessage, workspace.Actor1, "Show", print))
    ${END}`,
  );
  const refused = "false BindToMessage can be called only by a script that is a descendant of the Actor";
  expect(lines).toEqual([
    `[server] ${refused}`,
    `[server] ${refused}`,
    "[server] 1 1 9",
    `[server] 1 ${refused}`,
  ]);
});

test("a failure in a shared module shows its line, and a module that an Actor has changed since is new there", async () => {
  const lines = await playAsync(
    actors(
      `print(pcall(require, game.ReplicatedStorage.Counter))`,
      `task.wait(0.05) print(pcall(require, game.ReplicatedStorage.Counter))`,
      `--!strict\n-- A comment.\nlocal value = 1\nerror("broken")`,
    ),
    `task.wait(0.1) ${END}`,
  );
  const stack = [
    "[server] ReplicatedStorage.Counter:4: broken",
    "[server] Stack Begin",
    "[server] Script 'ReplicatedStorage.Counter', Line 4",
    "[server] Stack End",
    "[server] false Requested module experienced an error while loading",
  ];
  expect(lines).toEqual([...stack, ...stack]);
});

test("an Actor's scripts keep their realm when they move, and 200 Actors load 20 modules", async () => {
  const lines = await playAsync(
    `for index = 1, 20 do
      local module = Instance.new("ModuleScript")
      module.Name, module.Parent = "M" .. index, game.ReplicatedStorage
      module.Source = string.rep("local function f(a, b) return { a = a, b = b, sum = a + b } end\\n", 1) ..
        string.rep("do local t = { 1, 2, 3 } end\\n", 100) .. "return { f = function() return game, _G end }"
    end
    for index = 1, 200 do
      local actor = Instance.new("Actor")
      add("Script", [==[
        for _, module in game.ReplicatedStorage:GetChildren() do
          local game, globals = require(module).f()
          _G.loaded = (globals.loaded or 0) + 1
        end
        script.Parent = workspace
        workspace:SetAttribute("Loaded", (workspace:GetAttribute("Loaded") or 0) + _G.loaded)
      ]==], actor)
      actor.Parent = workspace
    end`,
    `task.wait(0.5) print(workspace:GetAttribute("Loaded"), _G.loaded) ${END}`,
  );
  expect(lines).toEqual(["[server] 4000 nil"]);
});

test("what an Actor has loaded goes with the Actor", async () => {
  const lines = await playAsync(
    `local module = Instance.new("ModuleScript")
    module.Source, module.Parent = "return { data = string.rep(tostring({}), 50000), owner = _G }", game.ReplicatedStorage`,
    `local most = 0
    for round = 1, 200 do
      local actor = Instance.new("Actor")
      local worker = Instance.new("Script")
      worker.Source = "_G.own = require(game.ReplicatedStorage.ModuleScript) _G.actor = script.Parent"
      worker.Parent, actor.Parent = actor, workspace
      task.wait()
      actor:Destroy()
      most = math.max(most, gcinfo())
    end
    print(if most < 150000 then "small" else most)
    ${END}`,
  );
  expect(lines).toEqual(["[server] small"]);
}, 60_000);
