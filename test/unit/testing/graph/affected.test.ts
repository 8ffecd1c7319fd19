/** The tests that a change affects: those that used a changed file, and those for which that is not known. */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { affectedBy } from "../../../../src/testing/graph/affected.ts";
import { ProjectContents } from "../../../../src/testing/graph/contents.ts";
import { joinNeeds, type Needs, needsOf } from "../../../../src/testing/graph/needs.ts";
import {
  type GraphEntry,
  readGraphAsync,
  type RequireGraph,
  writeGraphAsync,
} from "../../../../src/testing/graph/require-graph.ts";

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "sb-graph-"));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const TESTS = ["a.spec.luau", "b.spec.luau", "c.spec.luau", "new.spec.luau"];
const NEEDS: Readonly<Record<string, Needs>> = {
  "a.spec.luau": { files: ["src/a.luau", "src/shared.luau"] },
  "b.spec.luau": { files: ["src/shared.luau"] },
  "c.spec.luau": { everyScript: "it used Copy, which a script had made" },
};
const FILES: Readonly<Record<string, string>> = {
  ...Object.fromEntries(TESTS.map((path) => [path, "test"])),
  "src/a.luau": "a",
  "src/b.luau": "b",
  "src/shared.luau": "shared",
  "default.project.json": "{}",
};

function contentsOf(files: Readonly<Record<string, string>> = FILES, variant = "headless"): ProjectContents {
  const contents = new ProjectContents("/p", (path) => path.endsWith(".spec.luau"), variant);
  for (const [path, text] of Object.entries(files)) contents.add(`/p/${path}`, text);
  contents.setScripts(Object.keys(files).flatMap((path) => (path.endsWith(".luau") ? [`/p/${path}`] : [])));
  return contents;
}

/** The graph as it was recorded for the contents in FILES. */
const graph: RequireGraph = new Map(
  Object.entries(NEEDS).map(([file, needs]): [string, GraphEntry] => [
    file,
    { needs, state: contentsOf().stateOf(file, needs) },
  ]),
);

function affected(
  changed: readonly string[],
  { removed = [], contents = contentsOf() }: { removed?: readonly string[]; contents?: ProjectContents } = {},
) {
  const tests = TESTS.map((path) => ({ path }));
  const { files, why } = affectedBy({ changed: new Set(changed), removed }, tests, graph, contents);
  return [[...files].map((file) => file.replace(".spec.luau", "")).join(" "), why] as const;
}

test("tests that used a changed script run, and tests without an entry in the graph", () => {
  expect(affected([])).toEqual(["new", undefined]);
  expect(affected(["src/a.luau"])).toEqual(["a c new", undefined]);
  expect(affected(["src/b.luau"])).toEqual(["c new", undefined]);
  expect(affected(["src/shared.luau"])).toEqual(["a b c new", undefined]);
  expect(affected(["b.spec.luau"])).toEqual(["b c new", undefined]);
});

test("all tests run, with the reason, if a file changed that is no script or if a script was removed", () => {
  expect(affected(["default.project.json"])).toEqual([
    "a b c new",
    "every test depends on default.project.json",
  ]);
  const [all, why] = affected([], { removed: ["src/gone.luau"] });
  expect([all, why]).toEqual([
    "a b c new",
    "it is not known which tests used src/gone.luau, which was removed",
  ]);
});

test("an entry counts only for the contents for which it was recorded", () => {
  const changedSince = (path: string, text: string) => contentsOf({ ...FILES, [path]: text });
  // The script may require other modules now, although git shows no change since the commit.
  expect(affected([], { contents: changedSince("src/a.luau", "a2") })[0]).toBe("a new");
  expect(affected([], { contents: changedSince("b.spec.luau", "x") })[0]).toBe("b new");
  expect(affected([], { contents: changedSince("default.project.json", "{ }") })[0]).toBe("a b c new");
  expect(affected([], { contents: changedSince("src/new.luau", "") })[0]).toBe("a b c new");
  expect(affected([], { contents: changedSince("more.spec.luau", "") })[0]).toBe("new");
  expect(affected([], { contents: contentsOf(FILES, "studio") })[0]).toBe("a b c new");
  expect(affected([], { contents: changedSince("src/a.luau", "a") })[0]).toBe("new");
});

test("a module outside of the place concerns only the tests that require it, even if a path now leads to another module", () => {
  const contents = contentsOf();
  contents.addModule("tools/one.luau", "1");
  contents.addModule("tools/two.luau", "2");
  const test = { path: "lone.spec.luau", modules: { "tools/one.luau": { source: "1", links: {} } } };
  const needs = { files: ["lone.spec.luau", "tools/one.luau"] };
  const lone = new Map([[test.path, { needs, state: contents.stateOf(test.path, needs) }]]);
  const runs = (changed: readonly string[], modules = test.modules) =>
    affectedBy({ changed: new Set(changed), removed: [] }, [{ ...test, modules }], lone, contents).files.size;
  expect([runs([]), runs(["tools/two.luau"]), runs(["tools/one.luau"])]).toEqual([0, 0, 1]);
  const elsewhere = { ...test.modules, "tools/two.luau": { source: "2", links: {} } };
  expect(runs([], elsewhere)).toBe(1);
});

test("a file that is read again counts with its new content", () => {
  const contents = contentsOf();
  const before = contents.stateOf("a.spec.luau", { files: [] });
  contents.add("/p/default.project.json", "{ }");
  expect(contents.stateOf("a.spec.luau", { files: [] })).not.toBe(before);
});

test("a test needs the files of the scripts that it used, and of all scripts with the same full name", () => {
  const script = (file: string, ...namesakes: string[]) => ({ file, source: "", names: [], namesakes });
  const world = {
    folder: "/p",
    scripts: new Map([
      ["A.One", script("/p/one.luau")],
      ["A.Two", script("/p/two.luau", "/p/twin.luau")],
    ]),
  };
  const needs = needsOf({ names: ["A.Two", "Model.Script", "A.One"], made: [] }, ["lone.spec.luau"], world);
  expect(needs).toEqual({ files: ["lone.spec.luau", "one.luau", "twin.luau", "two.luau"] });
  const unsure = needsOf({ names: ["A.One"], made: ["Copy"] }, [], world);
  expect(unsure).toEqual({ everyScript: "it used Copy, which a script had made" });
  expect(needsOf(undefined, [], world)).toHaveProperty("everyScript");
  expect(joinNeeds(needs, { files: ["zero.luau"] })).toEqual({
    files: ["lone.spec.luau", "one.luau", "twin.luau", "two.luau", "zero.luau"],
  });
  expect(joinNeeds(needs, unsure)).toBe(unsure);
});

test("a graph is read as it was written, and a damaged one is empty", async () => {
  const path = join(folder, "deep/g.json");
  await writeGraphAsync(path, graph);
  expect(await readGraphAsync(path)).toEqual(graph);
  await writeFile(path, '{"version":1,"paths":[],"tests":[{"file":3}]}');
  expect((await readGraphAsync(path)).size).toBe(0);
  await writeFile(path, "no JSON");
  expect((await readGraphAsync(path)).size).toBe(0);
  expect((await readGraphAsync(join(folder, "none.json"))).size).toBe(0);
});
