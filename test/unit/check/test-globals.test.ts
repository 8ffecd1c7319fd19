import { describe, expect, test } from "bun:test";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Finding } from "../../../src/check/finding.ts";
import {
  isTestOfPlace,
  TEST_GLOBALS,
  testFilesOfAsync,
  withoutTestGlobals,
} from "../../../src/check/test-globals.ts";
import builtIn from "../../../src/testing/harness/BuiltIn.luau" with { type: "text" };
import { ownFolder } from "../own-folder.ts";

const own = ownFolder("sb-test-globals-");
const at = { line: 1, column: 1, endLine: 1, endColumn: 2, severity: "error", code: "TypeError" } as const;
const unknown = (file: string, name: string): Finding => ({
  ...at,
  file,
  message: `Unknown global '${name}'; consider assigning to it first`,
});

test("the globals are those that the built-in tests give to a file", () => {
  const [, body = ""] = /function globalsOf\([^\n]*\n\treturn \{\n([\s\S]*?)\n\t\}/.exec(builtIn) ?? [];
  const given = [...body.matchAll(/^\t\t(\w+) =/gm)].map(([, name = ""]) => name);
  expect([...TEST_GLOBALS].sort()).toEqual(given.sort());
});

test("only in tests, and only these globals are left out", () => {
  const isTest = (file: string) => file.endsWith(".spec.luau");
  const kept = [
    unknown("Cart.luau", "expect"),
    unknown("Cart.spec.luau", "prnt"),
    { ...unknown("Cart.spec.luau", ""), message: "Type 'expect' could not be converted" },
  ];
  expect(
    withoutTestGlobals([...kept, unknown("Cart.spec.luau", "it"), unknown("A.spec.luau", "sb")], isTest),
  ).toEqual(kept);
});

describe("a test file", () => {
  test("is one by its name, or by the settings of the folder that it is in", async () => {
    await mkdir(join(own.path, "game"));
    const before = await testFilesOfAsync(join(own.path, "game"));
    const names = ["src/Cart.spec.luau", "__tests__/Cart.luau", "suite/Cart.luau", "src/Cart.luau"];
    expect(names.filter(before)).toEqual(["src/Cart.spec.luau", "__tests__/Cart.luau"]);
    const settings = { test: { include: ["game/suite/**/*.luau"] } };
    await writeFile(join(own.path, "sb.config.json"), JSON.stringify(settings));
    const after = await testFilesOfAsync(join(own.path, "game"));
    expect(names.filter(after)).toEqual(names.slice(0, 3));
  });

  test("is a script of a place with the name of a test", () => {
    const tests = ["ReplicatedStorage.Cart\\.spec", "A.Cart\\.test[2]", "A.__tests__.Cart"];
    const others = ["ReplicatedStorage.Cart", "ReplicatedStorage.spec", "A.spec\\.Cart", "A.inspect"];
    expect([...tests, ...others].filter(isTestOfPlace)).toEqual(tests);
  });
});
