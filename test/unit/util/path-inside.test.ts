/** Whether a path lies in a folder: by its name, and where links lead. */
import { expect, test } from "bun:test";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { isBelow, isWithin, staysInside } from "../../../src/util/path-inside.ts";
import { isReallyWithin } from "../../../src/util/real-path-inside.ts";

const cases: readonly (readonly [path: string, within: boolean, below: boolean])[] = [
  ["/a/b", true, false],
  ["/a/b/", true, false],
  ["/a/b/c", true, true],
  ["/a/b/..c", true, true],
  ["/a/b/../c", false, false],
  ["/a/bc", false, false],
  ["/a", false, false],
  ["/", false, false],
  ["/x", false, false],
];

test.each(cases)("%s below /a/b", (path, within, below) => {
  expect(isWithin("/a/b", path)).toBe(within);
  expect(isBelow("/a/b", path)).toBe(below);
});

test("everything lies below the root of a disk", () => {
  expect(isBelow("/", "/a/b")).toBe(true);
  expect(isBelow("/", "/")).toBe(false);
});

test("a relative path stays inside unless it leads up, or names a root", () => {
  expect(["", "a", "a/b", "..a"].filter((path) => !staysInside(path))).toEqual([]);
  expect(["..", "../a", "..\\a", "/a", "C:/a"].filter(staysInside)).toEqual([]);
});

test("a link that leads out of the folder does not lie in it", () => {
  const root = mkdtempSync(join(tmpdir(), "sb-inside-"));
  using stack = new DisposableStack();
  stack.defer(() => rmSync(root, { recursive: true }));
  const [project, outside] = [join(root, "project"), join(root, "outside")];
  for (const folder of [project, outside]) mkdirSync(folder);
  writeFileSync(join(outside, "file"), "");
  symlinkSync(outside, join(project, "link"));
  expect(isWithin(project, join(project, "link", "file"))).toBe(true);
  expect(isReallyWithin(project, join(project, "link", "file"))).toBe(false);
  expect(isReallyWithin(project, join(project, "not-there"))).toBe(true);
});
