/** Which source maps can be used, and the reasons against the others. */
import { afterAll, expect, test } from "bun:test";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { lineMapOf } from "../../../src/source-maps/line-map.ts";
import { mapOf } from "./sample-map.ts";

const folder = realpathSync(mkdtempSync(join(tmpdir(), "sb-line-map-")));
afterAll(() => rmSync(folder, { recursive: true }));

const OUTSIDE = "it names a source outside of the project";

test("the first source of a compiled line counts; lines of the compiler have none", () => {
  const map = lineMapOf(mapOf(["../src/a.ts"], [[[0, 3]], [], [[0, 5]]]), "/project/out", "/project");
  expect(typeof map === "string" ? map : [...map]).toEqual([
    [1, { path: "src/a.ts", line: 3 }],
    [3, { path: "src/a.ts", line: 5 }],
  ]);
});

test("a map that is broken, has no lines or leads out of the project is not used", () => {
  const read = (text: string) => lineMapOf(text, "/project/out", "/project");
  expect(read("{")).toBe("it is no source map of version 3");
  expect(read('{"version":2,"sources":[],"mappings":""}')).toBe("it is no source map of version 3");
  expect(read('{"version":3,"sources":["a.ts"],"mappings":"!"}')).toBe("it names no line");
  expect(read(mapOf(["a.ts"], []))).toBe("it names no line");
  expect(read(mapOf(["a.ts"], [[[0, 1]]]).replace('"a.ts"', "null"))).toBe(OUTSIDE);
  expect(read(mapOf(["../../other/a.ts"], [[[0, 1]]]))).toBe(OUTSIDE);
});

test.skipIf(process.platform === "win32")("a link to a source outside of the project is outside too", () => {
  mkdirSync(join(folder, "project", "src"), { recursive: true });
  writeFileSync(join(folder, "secret.ts"), "");
  symlinkSync(join(folder, "secret.ts"), join(folder, "project", "src", "a.ts"));
  const project = join(folder, "project");
  expect(lineMapOf(mapOf(["../src/a.ts"], [[[0, 1]]]), join(project, "out"), project)).toBe(OUTSIDE);
});
