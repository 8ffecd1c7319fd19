/** What sync learns from git, in repositories that a test makes. */
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { chmod, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { readGitAsync } from "../../../../src/sync/base/git.ts";
import { gitBlobHash } from "../../../../src/util/git-blob-hash.ts";

let folder = "";
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "sb-git-"));
  git("init", "-q");
});
afterEach(() => rm(folder, { recursive: true }));

function gitIn(where: string, ...words: readonly string[]): void {
  const settings = [
    "-c",
    "user.name=Test",
    "-c",
    "user.email=test@example.com",
    "-c",
    "protocol.file.allow=always",
  ];
  const { exitCode, stderr } = Bun.spawnSync(["git", "-C", where, ...settings, ...words]);
  if (exitCode !== 0) throw new Error(stderr.toString());
}
const git = (...words: readonly string[]) => gitIn(folder, ...words);

async function putAsync(name: string, content: string): Promise<void> {
  await mkdir(dirname(join(folder, name)), { recursive: true });
  await writeFile(join(folder, name), content);
}

function commit(): void {
  git("add", "-A");
  git("commit", "-q", "-m", "A state");
}

/** Facts by name, of files with the content that they have now. */
async function factsAsync(names: readonly string[], more: { lastHead?: string; timeoutMs?: number } = {}) {
  const files = new Map<string, Buffer>();
  for (const name of names) files.set(join(folder, name), await readFile(join(folder, name)));
  const facts = await readGitAsync({ folder, files, ...more });
  return {
    head: facts?.head,
    of: (name: string) => facts?.files.get(join(folder, name)),
    isAsCommitted: (name: string) => {
      const content = files.get(join(folder, name)) ?? "";
      const text = content.toString().replaceAll("\r\n", "\n");
      return facts?.files.get(join(folder, name))?.current.includes(gitBlobHash(text));
    },
    isKnown: facts !== undefined,
  };
}

describe("git's facts about a file", () => {
  test("say that an unchanged file is as committed", async () => {
    await putAsync("a.luau", "return 1\n");
    commit();
    const facts = await factsAsync(["a.luau"]);
    expect(facts.of("a.luau")).toEqual({ current: [gitBlobHash("return 1\n")] });
    expect(facts.head).toMatch(/^[0-9a-f]{40}$/);
  });

  test("hold the texts of HEAD, of the index and of the commit of the last sync", async () => {
    await putAsync("a.luau", "first\n");
    commit();
    const lastHead = (await factsAsync([])).head ?? "";
    await putAsync("a.luau", "second\n");
    commit();
    await putAsync("a.luau", "third\n");
    git("add", "-A");
    await putAsync("a.luau", "fourth\n");
    const facts = await factsAsync(["a.luau"], { lastHead });
    expect(facts.of("a.luau")).toEqual({
      current: [gitBlobHash("second\n"), gitBlobHash("third\n")],
      earlier: gitBlobHash("first\n"),
      text: "second\n",
    });
  });

  test("find a file whose name is not ASCII, or has a line break and quotes", async () => {
    const names = ["größe/日本.luau", 'a\n"b".luau'];
    for (const name of names) await putAsync(name, "return 1\n");
    commit();
    const facts = await factsAsync(names);
    for (const name of names) expect(facts.isAsCommitted(name)).toBe(true);
  });

  test("compare a blob with CRLF by its lines", async () => {
    await putAsync("a.luau", "one\r\ntwo\r\n");
    git("config", "core.autocrlf", "false");
    commit();
    expect((await factsAsync(["a.luau"])).of("a.luau")).toEqual({
      current: [gitBlobHash("one\ntwo\n")],
      text: "one\ntwo\n",
    });
    await putAsync("a.luau", "one\ntwo\n");
    expect((await factsAsync(["a.luau"])).isAsCommitted("a.luau")).toBe(true);
  });

  test("are missing for ignored and untracked files, links, and files in conflict", async () => {
    await putAsync(".gitignore", "ignored.luau\n");
    await putAsync("conflict.luau", "base\n");
    await symlink("conflict.luau", join(folder, "link.luau"));
    commit();
    git("checkout", "-q", "-b", "other");
    await putAsync("conflict.luau", "theirs\n");
    commit();
    git("checkout", "-q", "-");
    await putAsync("conflict.luau", "ours\n");
    commit();
    expect(() => git("merge", "-q", "other")).toThrow();
    await putAsync("ignored.luau", "x\n");
    await putAsync("untracked.luau", "x\n");
    const names = ["ignored.luau", "untracked.luau", "link.luau", "conflict.luau"];
    const facts = await factsAsync(names);
    expect(facts.isKnown).toBe(true);
    for (const name of names) expect(facts.of(name)).toBeUndefined();
  });

  test("are missing for files of a submodule", async () => {
    const inner = await mkdtemp(join(tmpdir(), "sb-git-inner-"));
    try {
      gitIn(inner, "init", "-q");
      await writeFile(join(inner, "a.luau"), "return 1\n");
      gitIn(inner, "add", "-A");
      gitIn(inner, "commit", "-q", "-m", "Inner");
      git("submodule", "--quiet", "add", inner, "lib");
      await putAsync("b.luau", "return 2\n");
      commit();
      const facts = await factsAsync(["lib/a.luau", "b.luau"]);
      expect(facts.of("lib/a.luau")).toBeUndefined();
      expect(facts.isAsCommitted("b.luau")).toBe(true);
    } finally {
      await rm(inner, { recursive: true });
    }
  });

  test("come from the index before the first commit", async () => {
    await putAsync("a.luau", "return 1\n");
    git("add", "-A");
    const facts = await factsAsync(["a.luau"]);
    expect(facts.head).toBeUndefined();
    expect(facts.isAsCommitted("a.luau")).toBe(true);
  });

  test("compare texts in a repository whose ids are no SHA-1", async () => {
    await rm(join(folder, ".git"), { recursive: true });
    git("init", "-q", "--object-format=sha256");
    await putAsync("a.luau", "return 1\n");
    commit();
    expect((await factsAsync(["a.luau"])).of("a.luau")).toEqual({
      current: [gitBlobHash("return 1\n")],
      text: "return 1\n",
    });
  });
});

describe("asking git", () => {
  test("runs no program that the repository names", async () => {
    const ran = join(folder, "ran");
    const program = join(folder, "program.sh");
    await putAsync("a.luau", "return 1\n");
    await putAsync(".gitattributes", "*.luau filter=trap diff=trap\n");
    commit();
    await writeFile(program, `#!/bin/sh\ntouch ${ran}\ncat\n`);
    await chmod(program, 0o755);
    for (const key of ["filter.trap.clean", "filter.trap.smudge", "diff.trap.textconv", "core.fsmonitor"])
      git("config", key, program);
    await mkdir(join(folder, "hooks"));
    git("config", "core.hooksPath", join(folder, "hooks"));
    await writeFile(join(folder, "hooks", "post-index-change"), `#!/bin/sh\ntouch ${ran}\n`, { mode: 0o755 });
    await putAsync("a.luau", "return 2\n");
    expect((await factsAsync(["a.luau"])).isAsCommitted("a.luau")).toBe(false);
    expect(await Bun.file(ran).exists()).toBe(false);
    // The trap works: git's own status runs it.
    git("status");
    expect(await Bun.file(ran).exists()).toBe(true);
  });

  test("ignores the index and the repository of a hook that sb runs in", async () => {
    await putAsync("a.luau", "return 1\n");
    commit();
    process.env["GIT_INDEX_FILE"] = join(folder, "nothing");
    process.env["GIT_DIR"] = join(folder, "nowhere");
    try {
      expect((await factsAsync(["a.luau"])).isAsCommitted("a.luau")).toBe(true);
    } finally {
      delete process.env["GIT_INDEX_FILE"];
      delete process.env["GIT_DIR"];
    }
  });

  test("gives up in time, and outside of a repository, and for a broken one", async () => {
    await putAsync("a.luau", "return 1\n");
    commit();
    expect((await factsAsync(["a.luau"], { timeoutMs: 0 })).isKnown).toBe(false);
    await writeFile(join(folder, ".git", "index"), "broken");
    expect((await factsAsync(["a.luau"])).isKnown).toBe(false);
    await rm(join(folder, ".git"), { recursive: true });
    expect((await factsAsync(["a.luau"])).isKnown).toBe(false);
  });
});
