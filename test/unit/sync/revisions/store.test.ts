/** The revisions that sync keeps in the state folder: what was written comes back, and what was cut off is left out. */
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { appendFile, mkdtemp, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { FileValue } from "../../../../src/roblox/model.ts";
import { newNode, type RojoNode } from "../../../../src/roblox/rojo/node.ts";
import { itemsOf } from "../../../../src/sync/revisions/held-items.ts";
import { NOTHING_DONE } from "../../../../src/sync/revisions/revision.ts";
import {
  addRevisionAsync,
  addSourcesAsync,
  confirmRevisionAsync,
  correctRevisionAsync,
  type KeptLine,
  loadLineAsync,
} from "../../../../src/sync/revisions/store.ts";
import { newestFile, stepsFile, type SyncState, syncStateAsync } from "../../../../src/sync/state-paths.ts";

let folder = "";
let state: SyncState;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "sb-revisions-"));
  state = await syncStateAsync(join(folder, "default.project.json"), { XDG_STATE_HOME: folder });
});
afterEach(() => rm(folder, { recursive: true }));

/** A value of each form that values have. */
const VALUES: Readonly<Record<string, FileValue>> = {
  Text: { type: "String", value: "\0\x01\xff line\n" },
  Flag: { type: "Bool", value: false },
  Number: { type: "Float64", value: 0.1 },
  NotFinite: { type: "Float64", value: Number.NEGATIVE_INFINITY },
  NotANumber: { type: "Float64", value: Number.NaN },
  Whole: { type: "Int64", value: 9_007_199_254_740_993n },
  Frame: { type: "CFrame", value: [1, Number.POSITIVE_INFINITY, 3, 1, 0, 0, 0, Number.NaN, 0, 0, 0, 1] },
  NoTuple: { type: "PhysicalProperties", value: null },
  Nothing: { type: "NumberSequence", value: [] },
  Face: { type: "Font", value: { family: "f", weight: 400, style: 0, cachedFaceId: "" } },
  Asset: { type: "Content", value: { kind: "uri", uri: "rbxassetid://1" } },
  Item: { type: "EnumItem", value: { enumName: "Material", number: 256 } },
  Marks: { type: "Tags", value: ["a", "b"] },
  Table: { type: "Attributes", value: new Map([["a", { type: "Int64", value: 1n }]]) },
  Other: { type: "Opaque", value: { type: "Vector3", value: [1, 2, 3] } },
};

function tree(): RojoNode {
  const root = newNode("Game", "DataModel");
  const [first, second] = [newNode("Ü", "Part"), newNode("Ü", "Part")];
  for (const [name, value] of Object.entries(VALUES)) first.properties.set(name, value);
  first.attributes.set("speed", { type: "Float64", value: 3 });
  first.references.set("Next", second);
  first.id = "one";
  second.unsettled = new Set(["source", "property Size"]);
  first.studioOnly = new Map();
  second.studioOnly = new Map([["property Size", { type: "Vector3", value: [1, 2, 3] }]]);
  second.leftOpen = new Map([["source", "push_undone"]]);
  root.children.push(first, second);
  return root;
}

function place(sources: Readonly<Record<string, string>>): RojoNode {
  const root = newNode("Game", "DataModel");
  for (const [name, source] of Object.entries(sources)) {
    const script = newNode(name, "ModuleScript");
    script.properties.set("Source", { type: "String", value: source });
    root.children.push(script);
  }
  return root;
}

const sourcesIn = (root: RojoNode | undefined) =>
  Object.fromEntries(
    (root?.children ?? []).map(({ name, properties }) => [name, properties.get("Source")?.value]),
  );

const addAsync = (before: KeptLine | undefined, root: RojoNode, pushed: readonly number[] = []) =>
  addRevisionAsync(state, before, {
    root,
    doneOf: () => ({ pushed: new Map(pushed.map((item) => [item, ["source"]])), pulled: new Map() }),
    base: before?.line.name,
    isConfirmed: pushed.length === 0,
  });

async function loadAsync(): Promise<KeptLine> {
  const { kept, notice } = await loadLineAsync(state, true);
  expect(notice).toBeUndefined();
  if (kept === undefined) throw new Error("there is no line");
  return kept;
}

describe("the newest revision", () => {
  test("comes back as it was written, with every type of value and a number for each Instance", async () => {
    const written = await addAsync(undefined, tree());
    const { line, nextItem } = await loadAsync();
    expect(line.name).toBe(written.line.name);
    expect(line.root).toEqual(written.line.root);
    expect([...line.items.keys()]).toEqual([1, 2, 3]);
    expect(nextItem).toBe(4);
  });

  test("of a tree that says the same is the one before", async () => {
    const first = await addAsync(undefined, tree());
    const again = await addAsync(first, first.line.treeAt(1));
    expect(again.line.name).toBe(first.line.name);
  });

  test("of another place is a new one though it says the same, so that the way back from it is that place's own", async () => {
    const first = await addAsync(undefined, place({ A: "1" }));
    const second = await addAsync(first, place({ A: "2" }));
    const revision = { root: second.line.treeAt(2), doneOf: () => NOTHING_DONE, isConfirmed: true };
    const third = await addRevisionAsync(state, second, { ...revision, base: first.line.name });
    expect(third.line.name).not.toBe(second.line.name);
    const { line } = await loadAsync();
    expect([3, 2, 1].map((position) => line.baseOf(position))).toEqual([1, 1, undefined]);
  });

  test("is a new one where pushes follow, though it says the same", async () => {
    const first = await addAsync(undefined, place({ A: "1" }));
    const revision = { root: first.line.treeAt(1), doneOf: () => NOTHING_DONE, isConfirmed: false };
    const begun = await addRevisionAsync(state, first, { ...revision, base: first.line.name });
    expect(begun.line.name).not.toBe(first.line.name);
  });

  test("that is broken, or of another version, counts as none and is reported", async () => {
    await addAsync(undefined, tree());
    const path = newestFile(state);
    const bytes = await readFile(path);
    for (const broken of [bytes.subarray(0, -4), Buffer.concat([Buffer.from("{"), bytes]), Buffer.from("")]) {
      await writeFile(path, broken);
      const { kept, notice } = await loadLineAsync(state, true);
      expect([kept, notice]).toEqual([undefined, expect.stringContaining("removes nothing")]);
    }
  });

  test("is not sure while its pushes have not been read back", async () => {
    const begun = await addAsync(await addAsync(undefined, place({ A: "1" })), place({ A: "2" }), [2]);
    expect((await loadAsync()).isConfirmed).toBe(false);
    await confirmRevisionAsync(state, begun);
    expect((await loadAsync()).isConfirmed).toBe(true);
  });

  test("that was never sure stays so once others follow", async () => {
    const first = await addAsync(await addAsync(undefined, place({ A: "1" })), place({ A: "2" }), [2]);
    const next = await addSourcesAsync(state, first, { sources: [[2, "3"]], pushed: [] });
    await addAsync(next, place({ A: "4" }));
    const { line } = await loadAsync();
    expect([1, 2, 3, 4].map((position) => line.isSure(position))).toEqual([true, false, true, true]);
  });

  test("is written again under its name where it turned out otherwise", async () => {
    const before = await addAsync(undefined, place({ A: "1", B: "1" }));
    const begun = await addAsync(before, place({ A: "2", B: "2" }), [2, 3]);
    await correctRevisionAsync(state, before, begun, {
      root: place({ A: "2", B: "1" }),
      doneOf: () => ({ pushed: new Map([[2, ["source"]]]), pulled: new Map() }),
      base: before.line.name,
    });
    const { line, isConfirmed } = await loadAsync();
    expect([line.name, isConfirmed, sourcesIn(line.root)]).toEqual([
      begun.line.name,
      true,
      { A: "2", B: "1" },
    ]);
    expect(sourcesIn(line.treeAt(1))).toEqual({ A: "1", B: "1" });
    expect([...(line.steps.at(-1)?.pushed ?? [])]).toEqual([[2, ["source"]]]);
  });
});

describe("the revisions before it", () => {
  test("say what was pulled, also where the files got back what the base has", async () => {
    const first = await addAsync(undefined, place({ A: "1" }));
    const pulled = new Map([[2, ["source"]]]);
    const again = {
      root: place({ A: "1" }),
      doneOf: () => ({ ...NOTHING_DONE, pulled }),
      base: first.line.name,
      isConfirmed: true,
    };
    const second = await addRevisionAsync(state, first, again);
    expect(second.line.name).not.toBe(first.line.name);
    const { line } = await loadAsync();
    expect(line.steps.map((step) => step.pulled)).toEqual([new Map(), pulled]);
    expect(
      await addRevisionAsync(state, second, { ...again, base: line.name, doneOf: () => NOTHING_DONE }),
    ).toBe(second);
  });

  test("are found by their names, with what was added and removed since", async () => {
    const first = await addAsync(undefined, place({ A: "1", B: "1" }));
    const second = await addAsync(first, place({ A: "2", C: "1" }), [2]);
    const third = await addAsync(second, place({ A: "3", C: "1" }));
    const { line } = await loadAsync();
    const sourcesAt = ({ line: { name } }: KeptLine) => sourcesIn(line.treeAt(line.position(name) ?? -1));
    expect([first, second, third].map(sourcesAt)).toEqual([
      { A: "1", B: "1" },
      { A: "2", C: "1" },
      { A: "3", C: "1" },
    ]);
    expect(line.position("0000000000000000")).toBeUndefined();
    const texts = line.heldAfter(2, 1).map((held) => held?.node.properties.get("Source")?.value);
    expect(texts).toEqual(["2", "3"]);
    expect(line.heldAfter(3, 1)).toEqual([undefined]);
    expect(line.steps[1]?.pushed.get(2)).toEqual(["source"]);
  });

  test("need not be read where the newest is enough", async () => {
    await addAsync(await addAsync(undefined, place({ A: "1" })), place({ A: "2" }));
    const { kept } = await loadLineAsync(state, false);
    expect([kept?.line.last, kept?.hasSteps]).toEqual([0, false]);
    expect((await loadAsync()).line.last).toBe(2);
  });

  test("of single sources are lines behind the tree, and one that was cut off is left out", async () => {
    const first = await addAsync(undefined, place({ A: "1", B: "1" }));
    const second = await addSourcesAsync(state, first, { sources: [[2, "2"]], pushed: [2] });
    expect((await loadAsync()).isConfirmed).toBe(false);
    const third = await addSourcesAsync(state, await confirmRevisionAsync(state, second), {
      sources: [[3, "ü\n"]],
      pushed: [],
    });
    await appendFile(newestFile(state), '\n{"revision":"0123');
    const { line, tail, isConfirmed } = await loadAsync();
    expect([line.name, tail.length, isConfirmed]).toEqual([third.line.name, 2, true]);
    expect(sourcesIn(line.treeAt(1))).toEqual({ A: "1", B: "1" });
    expect(sourcesIn(line.treeAt(2))).toEqual({ A: "2", B: "1" });
    // A whole revision takes them into the file of steps.
    await addAsync(await loadAsync(), place({ A: "9", B: "1" }));
    const { line: later } = await loadAsync();
    expect(later.last).toBe(4);
    expect(sourcesIn(later.treeAt(1))).toEqual({ A: "1", B: "1" });
  });

  test("that were cut off, or damaged, end the way back there", async () => {
    const first = await addAsync(undefined, place({ A: "1" }));
    await addAsync(await addAsync(first, place({ A: "2" })), place({ A: "3" }));
    const path = stepsFile(state);
    const lines = (await readFile(path, "utf8")).split("\n");
    await writeFile(path, [lines[0], lines[1]?.replace('"A"', '"B"'), ...lines.slice(2)].join("\n"));
    const { line } = await loadAsync();
    expect([line.last, line.position(first.line.name)]).toEqual([1, undefined]);
    await appendFile(path, "0123 {");
    expect((await loadAsync()).line.last).toBe(1);
  });
});

test("an Instance keeps its number, and one that a later revision knows at the same path is not numbered again", async () => {
  const first = await addAsync(undefined, place({ A: "1" }));
  const second = await addAsync(first, place({ A: "1", New: "1" }));
  // A place with an older base adds the same script.
  const { line } = await addAsync(second, place({ A: "2", New: "1", Other: "1" }));
  expect([...itemsOf(line.root)].map(([item, { node }]) => [item, node.name])).toEqual([
    [1, "Game"],
    [2, "A"],
    [3, "New"],
    [4, "Other"],
  ]);
});

test("nothing is readable by others", async () => {
  await addAsync(undefined, place({ A: "1" }));
  if (process.platform !== "win32") expect((await stat(state.folder)).mode & 0o077).toBe(0);
});
