/** The test files that discovery finds. */
import { expect, test } from "bun:test";
import { mkdir, mkdtemp, rm, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { FilesBelow } from "../../../../src/testing/discovery/files-below.ts";
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

test("a module with a folder of its own is a test by the name of the folder, and is left out by it", async () => {
  await using folder = await folderAsync();
  for (const file of ["init.luau", "part.luau"]) await Bun.write(join(folder.path, "src/New.spec", file), "");
  const found = async (exclude: readonly string[]) =>
    (await findTestFilesAsync(folder.path, { ...patterns, exclude })).filter((path) => path.includes("New"));
  expect(await found([])).toEqual(["src/New.spec/init.luau"]);
  expect(await found(["**/New.spec.luau"])).toEqual([]);
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

test("a pattern for every file takes Luau files only, and links to nothing that may have led to tests are told", async () => {
  await using folder = await folderAsync();
  await Bun.write(join(folder.path, "src/notes.txt"), "no Luau");
  for (const link of ["src/gone.spec.luau", "src/gone", "gone.luau", ".cache", "node_modules"])
    await symlink("nothing", join(folder.path, link));
  const told: string[] = [];
  const found = () =>
    findTestFilesAsync(
      folder.path,
      { include: ["src/**"], exclude: ["**/__tests__/**", "**/a.*"] },
      { onDangling: (path) => told.push(path) },
    );
  const files = ["src/b.test.lua", "src/plain.luau"];
  expect(await found()).toEqual(files);
  expect(told.splice(0).sort()).toEqual(["src/gone", "src/gone.spec.luau"]);
  Bun.spawnSync(["git", "init"], { cwd: folder.path });
  expect(await found()).toEqual(files);
  expect(told.sort()).toEqual(["src/gone", "src/gone.spec.luau"]);
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

test("folders that link to each other are read once each", async () => {
  await using folder = await folderAsync();
  const names = Array.from({ length: 8 }, (_, index) => `circle/${index}`);
  for (const name of names) await Bun.write(join(folder.path, name, "one.spec.luau"), "return nil\n");
  for (const [index, from] of names.entries())
    for (const [other, to] of names.entries())
      if (index !== other) await symlink(join(folder.path, to), join(folder.path, from, `to-${other}`));
  const found = await findTestFilesAsync(folder.path, { include: ["circle/**/*.spec.luau"], exclude: [] });
  expect(found).toEqual(names.map((name) => `${name}/one.spec.luau`));
});

test("a link that a caller or the place names is followed too, beside the real folder", async () => {
  await using folder = await folderAsync();
  await symlink("src", join(folder.path, "mounted"));
  const include = ["**/a.spec.luau"];
  const isMounted = (path: string) => path === "mounted";
  expect(await findTestFilesAsync(folder.path, { include, exclude: [] })).toEqual(["src/a.spec.luau"]);
  const both = ["mounted/a.spec.luau", "src/a.spec.luau"];
  expect(await findTestFilesAsync(folder.path, { include, exclude: [] }, { isMounted })).toEqual(both);
  expect(await findTestFilesAsync(folder.path, { include, exclude: [], named: ["mounted/"] })).toEqual(both);
});

test("a search has bounds, and ends when it is cancelled", async () => {
  await using folder = await folderAsync();
  const rules = { isLeftOut: () => false, isWanted: () => false };
  const search = (more: object) => new FilesBelow(folder.path, { ...rules, ...more }).inAsync([""]);
  await expect(search({ maxEntries: 5 })).rejects.toThrow("has more than 5 files and folders, so it is not");
  await expect(search({ maxMs: 0 })).rejects.toThrow("could not be searched within 0 seconds");
  await expect(search({ signal: AbortSignal.abort(new Error("given up")) })).rejects.toThrow("given up");
  expect(await search({})).toHaveLength(FILES.length);
});

test.skipIf(process.platform === "win32")("what is no file is no test, whatever it is called", async () => {
  await using folder = await folderAsync();
  await mkdir(join(folder.path, "src/folder.spec.luau"));
  Bun.spawnSync(["mkfifo", join(folder.path, "src/pipe.spec.luau")]);
  await symlink("pipe.spec.luau", join(folder.path, "src/linked.spec.luau"));
  const include = ["src/*.spec.luau"];
  expect(await findTestFilesAsync(folder.path, { include, exclude: [] })).toEqual(["src/a.spec.luau"]);
});
