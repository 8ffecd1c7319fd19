/** What is read of git's own files. */
import { afterAll, expect, test } from "bun:test";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gitFolderAsync, gitStateAsync } from "../../../../src/sync/watch/git-state.ts";

const folder = await mkdtemp(join(tmpdir(), "sb-git-"));
afterAll(() => rm(folder, { recursive: true, force: true }));

const git = (...words: string[]) => {
  const identity = ["-c", "user.name=t", "-c", "user.email=t@t", "-c", "init.defaultBranch=main"];
  const { exitCode, stderr } = Bun.spawnSync(["git", ...identity, ...words], { cwd: folder });
  if (exitCode !== 0) throw new Error(stderr.toString());
};

test("each commit and checkout has another mark, and git's lock says that it is at work", async () => {
  await mkdir(join(folder, "src"));
  expect(await gitFolderAsync(join(folder, "src"))).not.toBe(join(folder, ".git"));
  git("init");
  const found = await gitFolderAsync(join(folder, "src"));
  if (found === undefined) throw new Error("no git folder");
  expect(found).toBe(join(folder, ".git"));
  const marks = [(await gitStateAsync(found)).mark];
  for (const words of [
    ["commit", "--allow-empty", "-m", "one"],
    ["checkout", "-b", "other"],
    ["checkout", "main"],
  ]) {
    git(...words);
    marks.push((await gitStateAsync(found)).mark);
  }
  expect(new Set(marks).size).toBe(4);
  expect(await gitStateAsync(found)).toMatchObject({ isBusy: false, head: "main" });
  await writeFile(join(found, "index.lock"), "");
  expect(await gitStateAsync(found)).toMatchObject({ isBusy: true });
  await rm(join(found, "index.lock"));
});

test("a further work tree has git's files elsewhere", async () => {
  git("worktree", "add", "-b", "third", join(folder, "tree"));
  const found = await gitFolderAsync(join(folder, "tree"));
  expect(found).toBe(join(folder, ".git", "worktrees", "tree"));
  expect(await gitStateAsync(found ?? "")).toMatchObject({ head: "third" });
});
