/** Files of stored snapshots whose test no longer exists. */
import { afterAll, expect, test } from "bun:test";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import {
  isForWholeSuite,
  obsoleteSnapshotsAsync,
} from "../../../../src/testing/project/obsolete-snapshots.ts";
import { readPlaceAsync } from "../../../../src/headless/index.ts";
import { EDIT } from "../../../../src/testing/test-context.ts";
import type { TestFile } from "../../../../src/testing/test-file.ts";

const root = await mkdtemp(join(tmpdir(), "sb-obsolete-"));
afterAll(() => rm(root, { recursive: true, force: true }));
const folder = join(root, "project");

async function writeAsync(path: string, text = "return nil"): Promise<string> {
  const file = join(folder, path);
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, text);
  return file;
}

test("only a file below a jest.config whose test is neither in the place nor on disk is obsolete", async () => {
  const tree = {
    $className: "DataModel",
    ReplicatedStorage: {
      Src: { $path: "src" },
      Other: { $path: "other" },
      Packages: { $path: "Packages" },
      Outside: { $path: "../outside" },
      Named: {
        $className: "Folder",
        cart: { $path: "tests/a.luau" },
        __snapshots__: { $path: "tests/__snapshots__" },
        "jest.config": { $path: "src/jest.config.luau" },
      },
    },
  };
  const project = await writeAsync(
    "default.project.json",
    JSON.stringify({ name: "P", globIgnorePaths: ["**/left-out.spec.luau"], tree }),
  );
  for (const start of ["src", "Packages/p", "../outside"]) {
    await writeAsync(`${start}/jest.config.luau`);
    await writeAsync(`${start}/__snapshots__/gone.spec.snap.luau`);
  }
  for (const path of [
    "src/kept.spec.luau",
    "src/__snapshots__/kept.spec.snap.luau",
    "src/folder.spec/init.luau",
    "src/__snapshots__/folder.spec.snap.lua",
    "src/left-out.spec.luau",
    "src/__snapshots__/left-out.spec.snap.luau",
    "src/gone.snap.luau",
    "other/__snapshots__/gone.spec.snap.luau",
    "tests/a.luau",
    "tests/__snapshots__/cart.snap.luau",
    "tests/__snapshots__/a.snap.lua",
    "tests/__snapshots__/b.snap.lua",
  ])
    await writeAsync(path);
  const place = await readPlaceAsync(project, () => undefined);
  expect(await obsoleteSnapshotsAsync(folder, place)).toEqual([
    "src/__snapshots__/gone.spec.snap.luau",
    "tests/__snapshots__/b.snap.lua",
  ]);
  expect(await obsoleteSnapshotsAsync(folder, undefined)).toEqual([]);
});

test("a run of all files looks for obsolete files, and of several shards the first one", () => {
  const file: TestFile = { path: "a", absolutePath: "/a", framework: "jest", why: "", context: EDIT };
  const all = { files: [file, file], scope: "all", filesInAllShards: 2 } as const;
  const half = { ...all, files: [file] };
  expect(isForWholeSuite(all, undefined, 2)).toBe(true);
  expect(isForWholeSuite({ ...all, scope: "some" }, undefined, 2)).toBe(false);
  expect(isForWholeSuite({ ...all, scope: "failed" }, undefined, 2)).toBe(false);
  expect(isForWholeSuite(half, undefined, 2)).toBe(false);
  expect(isForWholeSuite(half, { number: 1, count: 2 }, 2)).toBe(true);
  expect(isForWholeSuite(half, { number: 2, count: 2 }, 2)).toBe(false);
  expect(isForWholeSuite(half, { number: 1, count: 2 }, 3)).toBe(false);
});
