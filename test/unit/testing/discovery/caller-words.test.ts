/** The words of a caller: files, lines, folders, and parts of paths. */
import { expect, test } from "bun:test";
import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { CompiledSources } from "../../../../src/source-maps/compiled-sources.ts";
import { namedInFullAsync, selectorOfAsync } from "../../../../src/testing/discovery/caller-words.ts";

const FILES = [
  "src/a.spec.luau",
  "src/b.test.lua",
  "src/plain.luau",
  "out/e.spec.luau",
  "default.project.json",
];

async function folderAsync(): Promise<AsyncDisposable & { readonly path: string }> {
  const path = await mkdtemp(join(tmpdir(), "sb-words-"));
  for (const file of FILES) await Bun.write(join(path, file), "return nil\n");
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true }) };
}

test("a line belongs to one file, which has that line", async () => {
  await using folder = await folderAsync();
  await Bun.write(join(folder.path, "src/a.spec.luau"), "return 1\n");
  await Bun.write(join(folder.path, "src/extra.spec.luau"), "return 1\n");
  await Bun.write(join(folder.path, "lib/b.test.lua"), "return 1\n");
  const tests = [...FILES, "src/extra.spec.luau", "lib/b.test.lua"];
  const sources = new CompiledSources(folder.path);
  const wish = (text: string) =>
    selectorOfAsync(text, { folder: folder.path, start: folder.path, tests, sources });
  await expect(wish("src/a.spec.luau:3")).rejects.toThrow("src/a.spec.luau:3: the file has 2 lines.");
  await expect(wish("a.spec.luau:3")).rejects.toThrow("a.spec.luau:3: the file has 2 lines.");
  await expect(wish("B.TEST.lua:1")).rejects.toThrow(
    "B.TEST.lua:1: several test files fit: src/b.test.lua, lib/b.test.lua.",
  );
  await expect(wish("src:1")).rejects.toThrow("src:1: a folder has no lines.");
  const found = async (text: string) => tests.filter((await wish(text)).matches);
  expect(await found("a.spec.luau:1")).toEqual(["src/a.spec.luau"]);
  expect(await found("extra:2")).toEqual(["src/extra.spec.luau"]);
  expect(await found("absent:2")).toEqual([]);
  expect((await wish("src/a.spec.luau:1")).line).toBe(1);
});

test("a word is a file, a line of a file, a folder, or a part of paths", async () => {
  await using folder = await folderAsync();
  const asked = async (text: string) => {
    const wish = await selectorOfAsync(text, {
      folder: folder.path,
      start: join(folder.path, "src"),
      tests: FILES,
      sources: new CompiledSources(folder.path),
    });
    return { line: wish.line, found: FILES.filter((path) => wish.matches(path)) };
  };
  await mkdir(join(folder.path, "src/empty"));
  expect(await asked("a.spec.luau")).toEqual({ line: undefined, found: ["src/a.spec.luau"] });
  expect(await asked("a.spec.luau:1")).toEqual({ line: 1, found: ["src/a.spec.luau"] });
  expect((await asked("../out")).found).toEqual(["out/e.spec.luau"]);
  expect((await asked("b.te")).found).toEqual(["src/b.test.lua"]);
  expect((await asked("SRC\\B.te")).found).toEqual(["src/b.test.lua"]);
  expect((await asked("empty")).found).toEqual([]);
});

test("scripts and folders of the project are named in full, and nothing else is", async () => {
  await using folder = await folderAsync();
  const project = join(folder.path, "src");
  const named = (...words: string[]) => namedInFullAsync(words, project, project);
  expect(await named("plain.luau", "a.spec.luau:1", "b.te", "missing.luau")).toEqual([
    "plain.luau",
    "a.spec.luau",
  ]);
  expect(await named("..", ".", "../out", "../out/e.spec.luau")).toEqual([]);
  expect(await namedInFullAsync(["src", "../default.project.json"], folder.path, folder.path)).toEqual([
    "src/",
  ]);
  expect(await namedInFullAsync(["default.project.json"], folder.path, folder.path)).toEqual([]);
});
