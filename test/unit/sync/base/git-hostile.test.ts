/** Repositories that name programs, none of which may run when sync asks git about scripts. */
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { chown, mkdir, rename, rm, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { askGitAsync, headAsync } from "../../../../src/sync/base/git-history.ts";
import { TestRepository } from "./test-repository.ts";

let repository: TestRepository;
let program = "";
let ran = "";
beforeEach(async () => {
  repository = await TestRepository.createAsync();
  ran = repository.path(".git/ran");
  program = repository.path(".git/program");
  await writeFile(program, `#!/bin/sh\ntouch ${ran}\nexit 1\n`, { mode: 0o755 });
  for (const text of ["one\n", "two\n", "three\n"]) await repository.commitAsync({ "a.luau": text });
});
afterEach(() => repository.removeAsync());

const askAsync = (studio: string) =>
  askGitAsync({
    folder: repository.folder,
    scripts: [{ paths: [repository.path("a.luau")], file: "three\n", studio }],
  });

const hasRunAsync = () => Bun.file(ran).exists();

/** All that sync may ask, with answers that need each of git's commands. */
async function askAllAsync(): Promise<void> {
  await headAsync(repository.folder);
  for (const studio of ["one\n", "two\n", "three\n", "four\n"]) await askAsync(studio);
}

interface Trap {
  readonly name: string;
  readonly settings?: Readonly<Record<string, string>>;
  readonly attributes?: string;
  readonly prepareAsync?: () => Promise<void>;
  /** What makes git spring the trap. */
  readonly trigger: readonly string[];
}

async function removeObjectAsync(name: string): Promise<void> {
  const id = repository.git("rev-parse", name).trim();
  await rm(repository.path(join(".git/objects", id.slice(0, 2), id.slice(2))));
}

/** The repository says that another one has what it lacks. */
const PROMISE = { "core.repositoryFormatVersion": "1", "extensions.partialClone": "evil" };
const missingAsync = async () => {
  for (const name of ["HEAD~2:a.luau", "HEAD~2^{tree}", "HEAD~1:a.luau"]) await removeObjectAsync(name);
};
const fetching = ["cat-file", "-p", "HEAD~1:a.luau"];

const TRAPS: readonly Trap[] = [
  { name: "core.fsmonitor", settings: { "core.fsmonitor": "PROGRAM" }, trigger: ["status"] },
  {
    name: "a filter",
    settings: { "filter.trap.clean": "PROGRAM", "filter.trap.smudge": "PROGRAM" },
    attributes: "*.luau filter=trap\n",
    trigger: ["add", "a.luau"],
  },
  {
    name: "textconv",
    settings: { "diff.trap.textconv": "PROGRAM" },
    attributes: "*.luau diff=trap\n",
    trigger: ["show", "HEAD"],
  },
  { name: "diff.external", settings: { "diff.external": "PROGRAM" }, trigger: ["diff", "HEAD~1"] },
  {
    name: "the diff driver of a path",
    settings: { "diff.trap.command": "PROGRAM" },
    attributes: "*.luau diff=trap\n",
    trigger: ["diff", "HEAD~1"],
  },
  {
    name: "core.hooksPath",
    settings: { "core.hooksPath": ".git/traps" },
    prepareAsync: async () => {
      await mkdir(repository.path(".git/traps"));
      for (const hook of ["post-index-change", "reference-transaction", "post-checkout"])
        await symlink(program, repository.path(`.git/traps/${hook}`));
    },
    trigger: ["update-ref", "refs/heads/x", "HEAD"],
  },
  {
    name: "core.sshCommand, for a file that is missing",
    settings: { ...PROMISE, "remote.evil.url": "ssh://example.invalid/x", "core.sshCommand": "PROGRAM" },
    prepareAsync: missingAsync,
    trigger: fetching,
  },
  {
    name: "a remote that is a command, for a file that is missing",
    settings: { ...PROMISE, "remote.evil.url": "ext::PROGRAM", "protocol.ext.allow": "always" },
    prepareAsync: missingAsync,
    trigger: fetching,
  },
  {
    name: "a remote that promises all, without the extension",
    settings: {
      "remote.evil.promisor": "true",
      "remote.evil.url": "ext::PROGRAM",
      "protocol.ext.allow": "always",
    },
    prepareAsync: missingAsync,
    trigger: fetching,
  },
  {
    name: "uploadpack.packObjectsHook of a repository beside it",
    settings: { ...PROMISE, "remote.evil.url": ".", "remote.evil.uploadpack": "PROGRAM" },
    prepareAsync: missingAsync,
    trigger: fetching,
  },
];

describe("asking git runs no program of the repository:", () => {
  test.each(TRAPS)("$name", async ({ settings = {}, attributes, prepareAsync, trigger }) => {
    if (attributes !== undefined) await writeFile(repository.path(".git/info/attributes"), attributes);
    await prepareAsync?.();
    for (const [key, value] of Object.entries(settings))
      repository.git("config", key, value.replace("PROGRAM", program));
    await repository.putAsync("a.luau", "four\n");
    await askAllAsync();
    expect(await hasRunAsync()).toBe(false);
    // The trap works.
    try {
      repository.git(...trigger);
    } catch {
      // The program fails, and git with it.
    }
    expect(await hasRunAsync()).toBe(true);
  });

  test("that of a variable of the shell, as hooks set it", async () => {
    const variables = { GIT_EXTERNAL_DIFF: program, GIT_DIR: "/nowhere", GIT_CEILING_DIRECTORIES: "/" };
    Object.assign(process.env, variables);
    try {
      await repository.putAsync("a.luau", "four\n");
      expect(await askAsync("one\n")).toMatchObject({
        kind: "facts",
        scripts: [{ studio: { kind: "here" } }],
      });
      expect(await hasRunAsync()).toBe(false);
    } finally {
      for (const name of Object.keys(variables)) delete process.env[name];
    }
  });
});

describe("a repository that is not what it seems", () => {
  test("whose .git is a link, tells as usual", async () => {
    await rename(repository.path(".git"), repository.path("store"));
    await symlink("store", repository.path(".git"));
    expect(await askAsync("one\n")).toMatchObject({ kind: "facts", scripts: [{ studio: { kind: "here" } }] });
  });

  test("that borrows objects of another one, has them elsewhere", async () => {
    const other = await TestRepository.createAsync();
    try {
      await other.commitAsync({ "a.luau": "borrowed\n" });
      await writeFile(repository.path(".git/objects/info/alternates"), `${other.path(".git/objects")}\n`);
      const scripts = [{ studio: { kind: "elsewhere" } }];
      expect(await askAsync("borrowed\n")).toMatchObject({ kind: "facts", scripts });
    } finally {
      await other.removeAsync();
    }
  });

  test("whose work tree is set to another folder, gives no answer", async () => {
    const reason = "git uses another folder as the top of the work tree";
    for (const folder of ["/", repository.path(".git")]) {
      repository.git("config", "core.worktree", folder);
      expect(await askAsync("one\n")).toEqual({ kind: "failed", reason });
      repository.git("config", "--unset", "core.worktree");
    }
  });

  test.skipIf(process.getuid?.() !== 0)("that belongs to another person, gives no answer", async () => {
    await chown(repository.folder, 12_345, 12_345);
    await chown(repository.path(".git"), 12_345, 12_345);
    expect(await askAsync("one\n")).toEqual({
      kind: "failed",
      reason: expect.stringMatching(/^git says: detected dubious ownership/),
    });
  });
});
