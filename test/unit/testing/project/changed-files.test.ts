/** The changed files that `sb test --changed` learns from git, and the errors if git gives no answer. */
import { afterEach, beforeEach, expect, test } from "bun:test";
import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { changedFilesAsync } from "../../../../src/testing/project/changed-files.ts";
import { ProjectContents } from "../../../../src/testing/graph/contents.ts";

let folder = "";
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "sb-changed-"));
});
afterEach(() => rm(folder, { recursive: true }));

function git(...words: readonly string[]): void {
  const settings = ["-c", "user.name=Test", "-c", "user.email=test@example.com"];
  const { exitCode, stderr } = Bun.spawnSync(["git", "-C", folder, ...settings, ...words]);
  if (exitCode !== 0) throw new Error(stderr.toString());
}

async function putAsync(name: string, content: string): Promise<void> {
  await mkdir(dirname(join(folder, name)), { recursive: true });
  await writeFile(join(folder, name), content);
}

const isTest = (path: string) => path.endsWith(".spec.luau");

/** `names` are the files of the run. */
async function changesAsync(names: readonly string[], since = "HEAD") {
  const contents = new ProjectContents(folder, isTest, "");
  for (const name of names) contents.add(join(folder, name), await readFile(join(folder, name)));
  const placeFolders = [folder, join(folder, "src"), join(folder, "src/deep"), join(folder, "src/module")];
  const { changed, removed } = await changedFilesAsync({ folder, since, contents, placeFolders, isTest });
  return { changed: [...changed].sort(), removed };
}

test("edited, staged and untracked files have changed; ignored ones, and those with other line ends, have not", async () => {
  git("init", "-q");
  for (const name of ["src/same", "src/edited", "src/staged"]) await putAsync(`${name}.luau`, "a\nb\n");
  await putAsync("src/windows.luau", "a\r\nb\r\n");
  await putAsync(".gitignore", "Packages\n");
  git("add", "-A");
  git("commit", "-q", "-m", "one");
  await putAsync("src/same.luau", "a\r\nb\r\n");
  await putAsync("src/windows.luau", "a\nb\n");
  await putAsync("src/edited.luau", "c");
  await putAsync("src/staged.luau", "d");
  git("add", "src/staged.luau");
  await putAsync("src/new ä.luau", "e");
  await putAsync("Packages/lib.luau", "f");
  const names = ["same", "windows", "edited", "staged", "new ä"].map((name) => `src/${name}.luau`);
  const all = [...names, "Packages/lib.luau"];
  expect(await changesAsync(all)).toEqual({
    changed: ["src/edited.luau", "src/new ä.luau", "src/staged.luau"],
    removed: [],
  });
  git("commit", "-q", "-a", "-m", "two");
  expect((await changesAsync(all)).changed).toEqual(["src/new ä.luau"]);
  expect((await changesAsync(all, "HEAD~1")).changed).toContain("src/edited.luau");
});

test("files of a submodule are compared with the commit of it that the repository names", async () => {
  git("init", "-q", "library");
  await putAsync("library/same.luau", "a");
  await putAsync("library/edited.luau", "a");
  await putAsync("library/gone.luau", "a");
  const [inLibrary, inModule] = [join(folder, "library"), join(folder, "project/src/module")];
  git("-C", inLibrary, "add", "-A");
  git("-C", inLibrary, "commit", "-q", "-m", "one");
  folder = join(folder, "project");
  try {
    await mkdir(folder);
    git("init", "-q");
    git("-c", "protocol.file.allow=always", "submodule", "--quiet", "add", inLibrary, "src/module");
    git("commit", "-q", "-m", "one");
    const names = ["src/module/same.luau", "src/module/edited.luau"];
    expect((await changesAsync([...names, "src/module/gone.luau"])).changed).toEqual([]);
    await putAsync("src/module/edited.luau", "b");
    git("-C", inModule, "rm", "-q", "gone.luau");
    git("-C", inModule, "commit", "-q", "-a", "-m", "two");
    const changes = { changed: ["src/module/edited.luau"], removed: ["src/module/gone.luau"] };
    expect(await changesAsync(names)).toEqual(changes);
    git("commit", "-q", "-a", "-m", "two");
    expect(await changesAsync(names)).toEqual({ changed: [], removed: [] });
    expect(await changesAsync(names, "HEAD~1")).toEqual(changes);
  } finally {
    folder = dirname(folder);
  }
});

test("a removed file in a folder of the place counts, unless it was a test", async () => {
  git("init", "-q");
  for (const name of ["src/deep/gone.luau", "src/gone.spec.luau", "README.md", "docs/a.md"])
    await putAsync(name, "x");
  git("add", "-A");
  git("commit", "-q", "-m", "one");
  for (const name of ["src", "README.md", "docs"]) await rm(join(folder, name), { recursive: true });
  expect(await changesAsync([])).toEqual({ changed: [], removed: ["src/deep/gone.luau"] });
});

test("before the first commit every file has changed", async () => {
  git("init", "-q");
  await putAsync("src/a.luau", "");
  expect((await changesAsync(["src/a.luau"])).changed).toEqual(["src/a.luau"]);
});

test("an unknown commit and no repository are errors that say so", async () => {
  await expect(changesAsync([])).rejects.toThrow("is not in a git repository");
  git("init", "-q");
  await expect(changesAsync([], "nope")).rejects.toThrow("git knows no commit nope");
  await expect(changesAsync([], "--output=x")).rejects.toThrow("git knows no commit --output=x");
});

test("no filter or program of the repository runs", async () => {
  git("init", "-q");
  await putAsync("src/a.luau", "a");
  git("add", "-A");
  git("commit", "-q", "-m", "one");
  await putAsync("spy", `#!/bin/sh\ntouch ${join(folder, "ran")}\ncat\n`);
  await chmod(join(folder, "spy"), 0o755);
  const spy = join(folder, "spy");
  for (const name of [
    "diff.external",
    "filter.f.clean",
    "filter.f.smudge",
    "diff.f.textconv",
    "core.fsmonitor",
  ])
    git("config", name, spy);
  await putAsync(".gitattributes", "*.luau filter=f diff=f\n");
  await putAsync("src/a.luau", "b");
  expect((await changesAsync(["src/a.luau"])).changed).toEqual(["src/a.luau"]);
  expect(await Bun.file(join(folder, "ran")).exists()).toBe(false);
});
