/** Modules of scripts that ask for them as they are now. */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { BridgePeer } from "../bridge-peer.ts";

let peer: BridgePeer;
beforeAll(async () => {
  peer = await BridgePeer.connectAsync();
});
afterAll(() => {
  expect(peer.faults).toEqual([]);
  peer[Symbol.dispose]();
});

/** What a script returns, or its error. */
async function giveAsync(script: string, options: object = {}): Promise<unknown> {
  const { reply } = await peer.executeAsync(script, { fresh: true, ...options });
  const { success, returnValues, error } = Object(reply.payload);
  return success ? returnValues : error;
}

/** Makes or edits modules of a folder, by name. */
const writeAsync = (folder: string, sources: { readonly [name: string]: string }) =>
  giveAsync(
    `local folder = workspace:FindFirstChild("${folder}") or Instance.new("Folder")
    folder.Name, folder.Parent = "${folder}", workspace
    ${Object.entries(sources)
      .map(
        ([name, source]) => `do
        local module = folder:FindFirstChild("${name}") or Instance.new("ModuleScript")
        module.Name, module.Source, module.Parent = "${name}", [==[${source}]==], folder
      end`,
      )
      .join("\n")}`,
  );

test("a module that was edited is loaded anew with all that require it, and others keep their value", async () => {
  const counting = (what: string) => `_G.loads = (_G.loads or "") .. "${what} "`;
  await writeAsync("Chain", {
    Leaf: `${counting("Leaf")} return "old"`,
    Middle: `${counting("Middle")} local leaf = require("./Leaf") return { leaf = leaf }`,
    Top: `${counting("Top")} return { middle = require(script.Parent.Middle), other = require(script.Parent.Other) }`,
    Other: `${counting("Other")} return { count = 0 }`,
  });
  const look = `
    local top = require(workspace.Chain.Top)
    top.other.count += 1
    local loads = _G.loads _G.loads = ""
    return top.middle.leaf, top.other.count, loads`;
  expect(await giveAsync(look)).toEqual(["old", 1, "Top Middle Leaf Other "]);
  expect(await giveAsync(look)).toEqual(["old", 2, ""]);
  await writeAsync("Chain", { Leaf: `${counting("Leaf")} return "new"` });
  expect(await giveAsync(look)).toEqual(["new", 3, "Top Middle Leaf "]);
});

test("without asking for it, a script gets what the engine has kept", async () => {
  await writeAsync("Plain", { One: "return 1" });
  const look = "return require(workspace.Plain.One)";
  expect(await giveAsync(look, { fresh: false })).toEqual([1]);
  await writeAsync("Plain", { One: "return 2" });
  expect(await giveAsync(look, { fresh: false })).toEqual([1]);
  expect(await giveAsync(look)).toEqual([2]);
});

test("a module that fails names its own line, and loads once it is fixed", async () => {
  await writeAsync("Broken", { Bad: "local x = 1\nerror('no luck')" });
  const look = "return require(workspace.Broken.Bad)";
  expect(await giveAsync(look)).toContain("Workspace.Broken.Bad:2: no luck");
  await writeAsync("Broken", { Bad: "return" });
  expect(await giveAsync(look)).toContain("Module code did not return exactly one value");
  await writeAsync("Broken", { Bad: "local = 1" });
  expect(await giveAsync(look)).toContain("Workspace.Broken.Bad:1:");
  await writeAsync("Broken", { Bad: "return 'fixed'" });
  expect(await giveAsync(look)).toEqual(["fixed"]);
});

test("a script can compile the modules of its set itself, until another set is entered", async () => {
  await writeAsync("Own", { Kept: "return 'kept'", Other: "return require(script.Parent.Kept)" });
  const compileAsync = (set: string) =>
    giveAsync(
      `sb.compileModules(function(module, source)
        return if module.Name == "Kept" then function() return source .. " of " .. module.Name end else nil
      end)`,
      { moduleSet: set },
    );
  const look = "return require(workspace.Own.Other)";
  await compileAsync("first");
  expect(await giveAsync(look, { moduleSet: "first" })).toEqual(["return 'kept' of Kept"]);
  expect(await giveAsync(look, { moduleSet: "second" })).toEqual(["kept"]);
  // A script without a set takes what is loaded, and compiles the rest as always.
  await compileAsync("third");
  expect(await giveAsync(look)).toEqual(["kept"]);
});

test("modules that require each other in a circle are refused, and two threads load a slow one once", async () => {
  await writeAsync("Circle", {
    A: "return require(script.Parent.B)",
    B: "return require(script.Parent.A)",
    Slow: "_G.slow = (_G.slow or 0) + 1 task.wait(0.05) return {}",
  });
  expect(await giveAsync("return require(workspace.Circle.A)")).toContain(
    "Requested module was required recursively",
  );
  const both = `
    local first
    task.spawn(function() first = require(workspace.Circle.Slow) end)
    local second = require(workspace.Circle.Slow)
    return first == second, _G.slow`;
  expect(await giveAsync(both)).toEqual([true, 1]);
});

test("a module whose script was stopped while it loaded is loaded anew", async () => {
  await writeAsync("Stopped", { Waits: "task.wait(1000) return 1" });
  const look = "return require(workspace.Stopped.Waits)";
  expect(await giveAsync(look, { timeoutMs: 50 })).toContain("timed out");
  await writeAsync("Stopped", { Waits: "return 2" });
  expect(await giveAsync(look, { timeoutMs: 5_000 })).toEqual([2]);
});

test("another set of modules is loaded anew, also where no source has changed", async () => {
  await writeAsync("Sets", { Counter: "return { count = 0 }" });
  const script = "local counter = require(workspace.Sets.Counter) counter.count += 1 return counter.count";
  const counts: unknown[] = [];
  for (const moduleSet of ["one", "one", "two", undefined])
    counts.push(await giveAsync(script, moduleSet === undefined ? {} : { moduleSet }));
  // A script without a set takes the modules that are there.
  expect(counts).toEqual([[1], [2], [1], [2]]);
});
