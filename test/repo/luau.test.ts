/** What must hold for the project's Luau: it is strict, and the analyzer, where there is one, finds nothing in it. */
import { expect, test } from "bun:test";
import { mkdtemp, rm } from "node:fs/promises";
import { join, relative } from "node:path";
import {
  analyzeAsync,
  analyzeLuauAsync,
  findAnalyzer,
  readFindings,
  SKIPPED,
  strictnessFaults,
  strictnessFaultsAsync,
} from "../../scripts/check-luau.ts";
import { luauType, parameterTypes, resultType } from "../../scripts/luau-types/luau-type.ts";

test("every Luau file is strict, or listed with the reason (scripts/luau-types/unchecked.ts)", async () => {
  expect(await strictnessFaultsAsync()).toEqual([]);
});

const root = join(import.meta.dir, "..", "..");
const analyzer = findAnalyzer();

test.skipIf(analyzer === undefined)(
  `the analyzer finds nothing in the plugin and in the engine (${analyzer === undefined ? SKIPPED : "npm run check:luau"})`,
  async () => {
    expect(analyzer === undefined ? [SKIPPED] : await analyzeLuauAsync(analyzer)).toEqual([]);
  },
);

test.skipIf(analyzer === undefined)(
  "the analyzer finds a planted fault, and names its file and line",
  async () => {
    const folder = await mkdtemp(join(root, "build", "planted-"));
    await Bun.write(
      join(folder, "Kernel__Wrong.luau"),
      '--!strict\nlocal count: number = "three"\nreturn count\n',
    );
    const part = {
      folder: "engine",
      analyzed: relative(root, folder).replaceAll("\\", "/"),
      options: ["--platform=standard"],
    };
    expect(await analyzeAsync(analyzer ?? "", part)).toEqual([
      "engine/Kernel/Wrong.luau:2:1 TypeError: Expected this to be 'number', but got 'string'",
    ]);
    await rm(folder, { recursive: true });
  },
);

test("a loose file, a strict file that is listed and a listed file that is gone are faults", () => {
  const files = new Map([
    ["a/Strict.luau", "--!strict\nreturn 1\n"],
    ["a/Loose.luau", "--!nonstrict\nreturn 1\n"],
    ["a/Late.luau", "-- What it owns.\n--!strict\n"],
    ["a/Listed.luau", "return 1\n"],
    ["a/Done.luau", "--!strict\n"],
    ["specs/Any.spec.luau", "return 1\n"],
  ]);
  const listed = {
    "a/Listed.luau": "why",
    "a/Done.luau": "why",
    "a/Gone.luau": "why",
    "specs/": "why",
    "none/": "why",
  };
  expect(strictnessFaults(files, listed)).toEqual([
    "a/Done.luau is strict but still listed as unchecked",
    "a/Gone.luau is listed as unchecked but does not exist",
    "a/Late.luau does not begin with --!strict",
    "a/Loose.luau does not begin with --!strict",
    "none/ is listed as unchecked but does not exist",
  ]);
});

test("the analyzer's report is read once for each finding, and tells the file in the repository", () => {
  const report = [
    "[INFO] Loading definitions file",
    "/repo/build/engine/Kernel__Host.luau(3,7): TypeError: Expected this to be",
    "\t'number'",
    "/repo/build/engine/Boot.luau(1,2): LocalUnused: Variable 'x' is never used",
    "/repo/build/engine/Boot.luau(1,2): LocalUnused: Variable 'x' is never used",
  ].join("\n");
  expect(readFindings(report, { folder: "src/engine", analyzed: "build/engine" })).toEqual([
    "src/engine/Boot.luau:1:2 LocalUnused: Variable 'x' is never used",
    "src/engine/Kernel/Host.luau:3:7 TypeError: Expected this to be\n    'number'",
  ]);
  const plugin = "/repo/plugin/src/Net/Link.luau [ProjectRoot/Net/Link](9,1): TypeError: no";
  expect(readFindings(plugin, { folder: "plugin/src", analyzed: "plugin/src" })).toEqual([
    "plugin/src/Net/Link.luau:9:1 TypeError: no",
  ]);
});

test("a TypeScript type of the class data is said in Luau, and what Luau cannot say is any", () => {
  const known = new Set(["Instance", "Vector3", "EnumMaterial"]);
  const said = (type: string) => luauType(type, known);
  expect([
    said("Instance | undefined"),
    said("Array<string | number>"),
    said("Map<string, Vector3>"),
    said("Enum.Material"),
    said('"Once" | "Always"'),
    said("(name: string) => void"),
    said("T extends string ? A : B"),
  ]).toEqual([
    "Instance?",
    "{ string | number }",
    "{ [string]: Vector3 }",
    "EnumMaterial",
    '"Once" | "Always"',
    "(name: string) -> ()",
    "any",
  ]);
  expect(resultType("LuaTuple<[found: boolean, at: Vector3]>", known)).toBe("(boolean, Vector3)");
  expect(
    parameterTypes("this: Instance, end: number, name?: string, ...rest: Array<Instance>", known),
  ).toEqual(["end_: number", "name: string?", "...Instance"]);
});
