/** A test framework is no part of what a project tests, in whatever folder it is. */
import { expect, test } from "bun:test";
import { join } from "node:path";
import { frameworkScripts } from "../../../../src/testing/discovery/framework-scripts.ts";
import type { OpenedPlace } from "../../../../src/headless/index.ts";

const FOLDER = "/project";

/** A place with a script for each full name, in a file of that name. */
function ofFramework(...fullNames: readonly string[]): string[] {
  const scripts = new Map(
    fullNames.map((fullName) => {
      const names = fullName.split(".");
      return [fullName, { file: join(FOLDER, "src", `${fullName}.luau`), names, source: "" }] as const;
    }),
  );
  const place: Pick<OpenedPlace, "modulesNamed" | "sources"> = {
    sources: { files: [], folders: [], scripts },
    modulesNamed: (name) =>
      [...scripts.values()].flatMap(({ names }) => (names.at(-1) === name ? [names] : [])),
  };
  return fullNames.filter(frameworkScripts(FOLDER, place));
}

test("the scripts in a framework's folder belong to it, and scripts beside the folder do not", () => {
  const testEz = ["A.lib.TestEZ", "A.lib.TestEZ.TestPlanner", "A.lib.TestEZ.Expectation"];
  const jest = ["A.JestLua.JestGlobals", "A.JestLua.Jest", "A.JestLua.Expect.matchers"];
  const frktest = ["A.frktest.test", "A.frktest.assert_impl"];
  const tiniest = ["A.tiniest.tiniest_for_roblox", "A.tiniest.tiniest"];
  const all = [...testEz, ...jest, ...frktest, ...tiniest];
  expect(ofFramework(...all, "A.Shop", "A.lib.Promise", "A.lib.TestEZHelpers")).toEqual(all);
});

test("a folder of several packages is not taken for a framework", () => {
  expect(ofFramework("A.Packages.JestGlobals", "A.Packages.Promise", "A.Shop")).toEqual([]);
});

test("in the project of a framework itself, no script is left out", () => {
  expect(ofFramework("A.TestEZ", "A.TestEZ.TestPlanner", "A.Tests.planner.spec")).toEqual([]);
  expect(frameworkScripts(FOLDER, undefined)("A.TestEZ")).toBe(false);
});
