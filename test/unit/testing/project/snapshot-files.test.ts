/** The files to which stored snapshots are written. */
import { afterAll, expect, test } from "bun:test";
import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { SnapshotFiles } from "../../../../src/testing/project/snapshot-files.ts";
import { EDIT } from "../../../../src/testing/test-context.ts";
import type { TestFile } from "../../../../src/testing/test-file.ts";

const root = await mkdtemp(join(tmpdir(), "sb-snapshots-"));
afterAll(() => rm(root, { recursive: true, force: true }));
const folder = join(root, "project");

async function testFileAsync(path: string, name: string): Promise<TestFile> {
  const absolutePath = join(folder, path);
  await mkdir(dirname(absolutePath), { recursive: true });
  return { path, absolutePath, framework: "jest", why: "", context: EDIT, instance: ["Workspace", name] };
}

function filesWith(files: readonly TestFile[], ...contents: readonly (string | null)[]): SnapshotFiles {
  const kept = new SnapshotFiles(folder, files);
  for (const { path } of files)
    for (const [index, content] of contents.entries())
      kept.add({
        type: "snapshots",
        file: path,
        try: index + 1,
        written: 1,
        updated: 0,
        removed: 0,
        obsolete: 0,
        failed: 0,
        content,
      });
  return kept;
}

test("a new file has the ending of its test, an existing file keeps its name, and the first try counts", async () => {
  const luau = await testFileAsync("a/x.spec.luau", "x.spec");
  await filesWith([luau], "first", "second").writeAsync();
  const kept = join(folder, "a/__snapshots__");
  expect(await readFile(join(kept, "x.spec.snap.luau"), "utf8")).toBe("first");
  await rm(join(kept, "x.spec.snap.luau"));
  await writeFile(join(kept, "x.spec.snap.lua"), "old");
  await filesWith([luau], "new").writeAsync();
  expect(await readdir(kept)).toEqual(["x.spec.snap.lua"]);
  await filesWith([luau], null).writeAsync();
  expect(await readdir(kept)).toEqual([]);
});

test("no file is written outside of the project, even if a link leads there", async () => {
  const test = await testFileAsync("b/x.spec.luau", "x.spec");
  const outside = join(root, "outside");
  await mkdir(outside);
  await symlink(outside, join(folder, "b/__snapshots__"));
  expect(filesWith([test], "text").writeAsync()).rejects.toThrow("outside of the project");
  expect(await readdir(outside)).toEqual([]);
  const climbing = await testFileAsync("c/x.spec.luau", "../../../x");
  expect(filesWith([climbing], "text").writeAsync()).rejects.toThrow("outside of the project");
});
