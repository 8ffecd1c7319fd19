/** Test files that a link to a folder makes known by two paths. */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { withoutSameFilesAsync } from "../../../../src/testing/discovery/same-files.ts";

const folder = mkdtempSync(join(tmpdir(), "sb-same-files-"));
afterAll(() => rmSync(folder, { recursive: true }));
const PATHS = ["game/a.spec.luau", "linked/a.spec.luau", "shared/a.spec.luau"];

beforeAll(async () => {
  for (const name of ["game", "shared"]) {
    await mkdir(join(folder, name));
    await writeFile(join(folder, name, "a.spec.luau"), "return function() end");
  }
  symlinkSync(join(folder, "shared"), join(folder, "linked"));
});

test("a file behind a link to a folder keeps its own path, and files of the same name stay", async () => {
  expect(await withoutSameFilesAsync(folder, PATHS, () => 0)).toEqual([
    "game/a.spec.luau",
    "shared/a.spec.luau",
  ]);
});

test("a path of a lower rank is kept, also if it leads through the link", async () => {
  const kept = await withoutSameFilesAsync(folder, PATHS, (path) => (path.startsWith("linked/") ? 0 : 1));
  expect(kept).toEqual(["game/a.spec.luau", "linked/a.spec.luau"]);
});

test("a path that no file has any more stays, because the run then says so", async () => {
  expect(await withoutSameFilesAsync(folder, ["gone/a.luau", "game/a.luau"], () => 0)).toHaveLength(2);
});
