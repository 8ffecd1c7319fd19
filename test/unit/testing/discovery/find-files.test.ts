/** The test files that discovery finds. */
import { expect, test } from "bun:test";
import { mkdtemp, rm, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DEFAULT_INCLUDE, findTestFilesAsync } from "../../../../src/testing/discovery/find-files.ts";

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

test("files are tests by their names; packages, snapshots and settings are no tests", async () => {
  await using folder = await folderAsync();
  expect(await findTestFilesAsync(folder.path, patterns)).toEqual([
    "out/e.spec.luau",
    "src/__tests__/c.luau",
    "src/a.spec.luau",
    "src/b.test.lua",
  ]);
});

test("files that git ignores, removed files and excluded files are left out", async () => {
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

test("a file that is named in full is a test, and a folder of packages that is named is searched", async () => {
  await using folder = await folderAsync();
  const find = (...named: string[]) => findTestFilesAsync(folder.path, { ...patterns, named });
  const usual = await find();
  expect(await find("src/plain.luau", "src/__tests__/init.luau", "src/a.spec.luau")).toEqual(
    [...usual, "src/plain.luau", "src/__tests__/init.luau"].sort(),
  );
  expect(await find("Packages/x/")).toEqual(["Packages/x/d.spec.luau", ...usual]);
  expect(await find("src/")).toEqual(usual);
  const include = ["Packages/x/*.luau"];
  expect(await findTestFilesAsync(folder.path, { include, exclude: [] })).toEqual(["Packages/x/d.spec.luau"]);
});

test("a file that is named in full is found even if git ignores it", async () => {
  await using folder = await folderAsync();
  await Bun.write(join(folder.path, ".gitignore"), "out/\nPackages/\nsrc/plain.luau\nsrc/a.spec.luau\n");
  Bun.spawnSync(["git", "init"], { cwd: folder.path });
  const find = (...named: string[]) =>
    findTestFilesAsync(folder.path, { include: ["**/*.spec.luau"], exclude: [], named });
  expect(await find()).toEqual([]);
  expect(await find("out/", "Packages/x/")).toEqual(["Packages/x/d.spec.luau", "out/e.spec.luau"]);
  expect(await find("src/plain.luau")).toEqual(["src/plain.luau"]);
});

test("links are followed, with git and without, except into packages and to folders around the link", async () => {
  await using folder = await folderAsync();
  await using other = await folderAsync();
  const link = (target: string, path: string) => symlink(target, join(folder.path, path));
  await link(join(other.path, "src"), "src/shared");
  await link(join(other.path, "out/e.spec.luau"), "src/one.spec.luau");
  await link("missing", "src/gone.spec.luau");
  await link("..", "src/around");
  await link("/", "src/root");
  await symlink(folder.path, join(other.path, "src/back"));
  await link(join(other.path, "src"), "Packages/linked");
  const linked = ["a.spec.luau", "b.test.lua", "__tests__/c.luau"].map((path) => `src/shared/${path}`);
  const expected = [
    "out/e.spec.luau",
    "src/__tests__/c.luau",
    "src/a.spec.luau",
    "src/b.test.lua",
    ...linked,
    "src/one.spec.luau",
  ].sort();
  expect(await findTestFilesAsync(folder.path, patterns)).toEqual(expected);
  Bun.spawnSync(["git", "init"], { cwd: folder.path });
  expect(await findTestFilesAsync(folder.path, patterns)).toEqual(expected);
});
