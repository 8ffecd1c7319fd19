/** Which files are tests. */
import { expect, test } from "bun:test";
import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  DEFAULT_INCLUDE,
  findTestFilesAsync,
  wishOfAsync,
} from "../../../../src/testing/discovery/find-files.ts";

const FILES = [
  "src/a.spec.luau",
  "src/b.test.lua",
  "src/__tests__/c.luau",
  "src/__tests__/init.luau",
  "src/__snapshots__/a.spec.snap.luau",
  "src/jest.config.luau",
  "src/plain.luau",
  "Packages/x/d.spec.luau",
  "out/e.spec.luau",
];

async function folderAsync(): Promise<AsyncDisposable & { readonly path: string }> {
  const path = await mkdtemp(join(tmpdir(), "sb-find-"));
  for (const file of FILES) await Bun.write(join(path, file), "return nil\n");
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true }) };
}

const patterns = { include: DEFAULT_INCLUDE, exclude: [] };

test("names say which files are tests; packages, snapshots and settings are none", async () => {
  await using folder = await folderAsync();
  expect(await findTestFilesAsync(folder.path, patterns)).toEqual([
    "out/e.spec.luau",
    "src/__tests__/c.luau",
    "src/a.spec.luau",
    "src/b.test.lua",
  ]);
});

test("what git ignores or no longer has is left out, and so is what the project excludes", async () => {
  await using folder = await folderAsync();
  await Bun.write(join(folder.path, ".gitignore"), "out/\n");
  const git = (...words: string[]) => Bun.spawnSync(["git", ...words], { cwd: folder.path });
  if (git("init", "-q").exitCode !== 0) return;
  git("add", "-A");
  await rm(join(folder.path, "src/b.test.lua"));
  const found = await findTestFilesAsync(folder.path, { ...patterns, exclude: ["**/c.luau"] });
  expect(found).toEqual(["src/a.spec.luau"]);
});

test("a pattern that names a folder which git ignores finds its files", async () => {
  await using folder = await folderAsync();
  await Bun.write(join(folder.path, ".gitignore"), "out/\nsrc/b.test.lua\n");
  Bun.spawnSync(["git", "init"], { cwd: folder.path });
  const found = await findTestFilesAsync(folder.path, {
    include: ["out/**/*.luau", "src/*.test.lua"],
    exclude: [],
  });
  expect(found).toEqual(["out/e.spec.luau"]);
});

test("a line that the file does not have is refused, and a line goes with a part of paths too", async () => {
  await using folder = await folderAsync();
  await Bun.write(join(folder.path, "src/a.spec.luau"), "return 1\n");
  const wish = (text: string) => wishOfAsync(text, folder.path, folder.path);
  await expect(wish("src/a.spec.luau:3")).rejects.toThrow("src/a.spec.luau:3: the file has 2 lines.");
  expect((await wish("a.spec.luau:3")).matches("src/a.spec.luau")).toBe(true);
  expect((await wish("src/a.spec.luau:1")).line).toBe(1);
});

test("a wish is a file, a line of a file, a folder, or a part of paths", async () => {
  await using folder = await folderAsync();
  const asked = async (text: string) => {
    const wish = await wishOfAsync(text, folder.path, join(folder.path, "src"));
    return { line: wish.line, found: FILES.filter((path) => wish.matches(path)) };
  };
  await mkdir(join(folder.path, "src/empty"));
  expect(await asked("a.spec.luau")).toEqual({ line: undefined, found: ["src/a.spec.luau"] });
  expect(await asked("a.spec.luau:1")).toEqual({ line: 1, found: ["src/a.spec.luau"] });
  expect((await asked("../out")).found).toEqual(["out/e.spec.luau"]);
  expect((await asked("b.te")).found).toEqual(["src/b.test.lua"]);
  expect((await asked("empty")).found).toEqual([]);
});
