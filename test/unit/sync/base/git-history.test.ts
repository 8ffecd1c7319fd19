/** What git knows of scripts, in repositories that a test makes. */
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { mkdir, rm, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { askGitAsync, headAsync, type ScriptFacts } from "../../../../src/sync/base/git-history.ts";
import { TestRepository } from "./test-repository.ts";

let repository: TestRepository;
beforeEach(async () => {
  repository = await TestRepository.createAsync();
});
afterEach(() => repository.removeAsync());

interface Asked {
  readonly studio: string;
  readonly file?: string;
  /** Names from the top of the work tree. */
  readonly paths?: readonly string[];
}

async function factsAsync(asked: Asked, folder = repository.folder): Promise<ScriptFacts> {
  const paths = (asked.paths ?? ["a.luau"]).map((name) => join(folder, name));
  const script = { studio: asked.studio, paths, ...(asked.file === undefined ? {} : { file: asked.file }) };
  const answer = await askGitAsync({ folder, scripts: [script] });
  const facts = answer.kind === "facts" ? answer.scripts[0] : undefined;
  if (facts === undefined) throw new Error(JSON.stringify(answer));
  return facts;
}

const removeObjectAsync = (id: string) =>
  rm(repository.path(join(".git/objects", id.slice(0, 2), id.slice(2))));

const studioAsync = async (studio: string, ...paths: readonly string[]) =>
  (await factsAsync({ studio, ...(paths.length === 0 ? {} : { paths }) })).studio;

const HERE = { kind: "here" } as const;
const ELSEWHERE = { kind: "elsewhere" } as const;
const UNKNOWN = { kind: "unknown" } as const;

describe("Studio's text is here", () => {
  test("if HEAD or any commit below has it at the path", async () => {
    for (const text of ["one\n", "two\n", "three\n"]) await repository.commitAsync({ "a.luau": text });
    // The search for a newer text ends before it comes to the older ones.
    for (const text of ["three\n", "two\n", "one\n"]) expect(await studioAsync(text)).toEqual(HERE);
    expect(await studioAsync("four\n")).toEqual(UNKNOWN);
  });

  test("if an earlier question about the same commit has found it", async () => {
    for (const text of ["one\n", "two\n"]) await repository.commitAsync({ "a.luau": text });
    expect(await studioAsync("four\n")).toEqual(UNKNOWN);
    await removeObjectAsync(repository.git("rev-parse", "HEAD~1^{tree}").trim());
    expect(await studioAsync("one\n")).toEqual(HERE);
  });

  test("if the file was removed since", async () => {
    await repository.commitAsync({ "a.luau": "one\n" });
    await rm(repository.path("a.luau"));
    repository.commit();
    expect(await studioAsync("one\n")).toEqual(HERE);
  });

  test("if only the index has it", async () => {
    await repository.putAsync("a.luau", "one\n");
    repository.git("add", "-A");
    await repository.putAsync("a.luau", "two\n");
    expect(await studioAsync("one\n")).toEqual(HERE);
    expect(await studioAsync("two\n")).toEqual(UNKNOWN);
  });

  test("if another form of the same script had it", async () => {
    await repository.commitAsync({ "a.lua": "one\n" });
    repository.git("mv", "a.lua", "a.luau");
    await repository.commitAsync({ "a.luau": "two\n" });
    await mkdir(repository.path("a"));
    repository.git("mv", "a.luau", "a/init.luau");
    repository.commit();
    const forms = ["a/init.luau", "a.luau", "a.lua"];
    for (const text of ["one\n", "two\n"]) expect(await studioAsync(text, ...forms)).toEqual(HERE);
  });

  test.each(["one\r\ntwo\r\n", "one\r\ntwo\n", "one\ntwo\r\n"])(
    "if git keeps it with the line ends %j",
    async (kept) => {
      repository.git("config", "core.autocrlf", "false");
      await repository.commitAsync({ "a.luau": kept });
      expect(await factsAsync({ studio: "?", file: "one\ntwo\n" })).toEqual({
        studio: UNKNOWN,
        isHead: true,
        isIndex: true,
        headText: "one\ntwo\n",
      });
      expect(await studioAsync("one\ntwo\n")).toEqual(HERE);
      await repository.commitAsync({ "a.luau": "three\n" });
      expect(await studioAsync("one\ntwo\n")).toEqual(HERE);
    },
  );

  test("if only a merged branch has had it, also of several", async () => {
    await repository.commitAsync({ "a.luau": "one\n", "z.luau": "" });
    for (const branch of ["left", "right"]) {
      repository.git("checkout", "-q", "-b", branch, "main");
      await repository.commitAsync({ "a.luau": `${branch}\n` });
      await repository.commitAsync({ "a.luau": "one\n", [`${branch}.luau`]: "" });
    }
    repository.git("checkout", "-q", "main");
    await repository.commitAsync({ "z.luau": "z\n" });
    repository.git("merge", "-q", "left", "right");
    for (const branch of ["left", "right"]) expect(await studioAsync(`${branch}\n`)).toEqual(HERE);
  });

  test("if only the merge itself has had it", async () => {
    await repository.commitAsync({ "a.luau": "one\n" });
    repository.git("checkout", "-q", "-b", "other");
    await repository.commitAsync({ "a.luau": "theirs\n" });
    repository.git("checkout", "-q", "main");
    await repository.commitAsync({ "a.luau": "ours\n" });
    expect(() => repository.git("merge", "-q", "other")).toThrow();
    await repository.commitAsync({ "a.luau": "both\n" });
    await repository.commitAsync({ "a.luau": "later\n" });
    expect(await studioAsync("both\n")).toEqual(HERE);
  });

  test("in a detached HEAD and in a further work tree, each by its own history", async () => {
    const first = await repository.commitAsync({ "a.luau": "one\n" });
    await repository.commitAsync({ "a.luau": "two\n" });
    repository.git("worktree", "add", "-q", "--detach", "tree", first);
    const tree = new TestRepository(repository.path("tree"));
    expect((await factsAsync({ studio: "one\n" }, tree.folder)).studio).toEqual(HERE);
    expect((await factsAsync({ studio: "two\n" }, tree.folder)).studio).toEqual(ELSEWHERE);
    expect(await studioAsync("two\n")).toEqual(HERE);
    repository.git("checkout", "-q", first);
    expect(await studioAsync("two\n")).toEqual(ELSEWHERE);
  });

  test.each(["größe/日本.luau", 'a\n"b".luau', "[a-z]*?.luau", ":(glob)a.luau", " a\tb.luau", "a\\b.luau"])(
    "at the path %j",
    async (name) => {
      await repository.commitAsync({ [name]: "one\n" });
      await repository.commitAsync({ [name]: "two\n" });
      expect(await studioAsync("one\n", name)).toEqual(HERE);
    },
  );

  test("at a path below a link, and below a folder that is no more", async () => {
    await repository.commitAsync({ "real/a.luau": "one\n", "real/gone/b.luau": "b\n" });
    await rm(repository.path("real/gone"), { recursive: true });
    await repository.commitAsync({ "real/a.luau": "two\n" });
    await symlink("real", repository.path("link"));
    expect(await studioAsync("one\n", "link/a.luau")).toEqual(HERE);
    expect(await studioAsync("b\n", "link/gone/b.luau")).toEqual(HERE);
  });

  test("in a repository whose ids are no SHA-1", async () => {
    await rm(repository.path(".git"), { recursive: true });
    repository.git("init", "-q", "--object-format=sha256");
    await repository.commitAsync({ "a.luau": "one\n" });
    await repository.commitAsync({ "a.luau": "two\n" });
    expect(await factsAsync({ studio: "one\n", file: "two\n" })).toEqual({
      studio: HERE,
      isHead: true,
      isIndex: true,
      headText: "two\n",
    });
  });
});

describe("Studio's text stands at another path", () => {
  test("if the file was renamed", async () => {
    await repository.commitAsync({ "old/b.luau": "one\n" });
    await mkdir(repository.path("new"));
    repository.git("mv", "old/b.luau", "new/c.luau");
    await repository.commitAsync({ "new/c.luau": "two\n" });
    expect(await studioAsync("one\n", "new/c.luau")).toEqual({ kind: "atOtherPath", path: "old/b.luau" });
  });

  test("of several paths, the one with the same file name is told, and else that of a script", async () => {
    await repository.commitAsync({ "a/x.md": "one\n", "b/y.luau": "one\n", "c/z.luau": "one\n" });
    expect(await studioAsync("one\n", "d/z.luau")).toEqual({ kind: "atOtherPath", path: "c/z.luau" });
    expect(await studioAsync("one\n", "d/q.luau")).toEqual({ kind: "atOtherPath", path: "b/y.luau" });
  });
});

describe("git has Studio's text elsewhere", () => {
  test("if only another branch has it", async () => {
    await repository.commitAsync({ "a.luau": "one\n" });
    repository.git("checkout", "-q", "-b", "other");
    await repository.commitAsync({ "a.luau": "two\n" });
    repository.git("checkout", "-q", "main");
    expect(await studioAsync("two\n")).toEqual(ELSEWHERE);
  });

  test("if its commit was replaced by another one", async () => {
    await repository.commitAsync({ "a.luau": "one\n" });
    await repository.commitAsync({ "a.luau": "two\n" });
    await repository.putAsync("a.luau", "three\n");
    repository.git("commit", "-q", "-a", "--amend", "-m", "Another");
    expect(await studioAsync("two\n")).toEqual(ELSEWHERE);
    expect(await studioAsync("one\n")).toEqual(HERE);
  });

  test("if the commit with it is cut off by a graft", async () => {
    await repository.commitAsync({ "a.luau": "one\n" });
    const second = await repository.commitAsync({ "a.luau": "two\n" });
    repository.git("replace", "--graft", second);
    expect(await studioAsync("one\n")).toEqual(ELSEWHERE);
    expect(await studioAsync("two\n")).toEqual(HERE);
  });
});

describe("git does not know", () => {
  test("ignored and untracked files, nor links", async () => {
    await repository.commitAsync({ ".gitignore": "ignored.luau\n", "target.luau": "x\n" });
    for (const name of ["ignored.luau", "untracked.luau"]) {
      await repository.putAsync(name, "own\n");
      expect(await factsAsync({ studio: "own\n", file: "own\n", paths: [name] })).toEqual({
        studio: UNKNOWN,
        isHead: false,
        isIndex: false,
      });
    }
    await symlink("target.luau", repository.path("link.luau"));
    repository.commit();
    expect(await factsAsync({ studio: "target.luau", file: "x\n", paths: ["link.luau"] })).toMatchObject({
      studio: ELSEWHERE,
      isHead: false,
    });
  });

  test("files of a submodule", async () => {
    const inner = await TestRepository.createAsync();
    try {
      await inner.commitAsync({ "a.luau": "one\n" });
      repository.git("submodule", "--quiet", "add", inner.folder, "lib");
      repository.commit();
      expect(await factsAsync({ studio: "one\n", file: "one\n", paths: ["lib/a.luau"] })).toEqual({
        studio: UNKNOWN,
        isHead: false,
        isIndex: false,
      });
      expect((await factsAsync({ studio: "one\n" }, repository.path("lib"))).studio).toEqual(HERE);
    } finally {
      await inner.removeAsync();
    }
  });

  test("files outside of the work tree", async () => {
    await repository.commitAsync({ "a.luau": "one\n" });
    const { studio } = await factsAsync({ studio: "two\n", file: "two\n", paths: ["../outside.luau"] });
    expect(studio).toEqual(UNKNOWN);
  });
});

describe("the files' text", () => {
  test("is compared with HEAD and with the index", async () => {
    await repository.commitAsync({ "a.luau": "one\n" });
    await repository.putAsync("a.luau", "two\n");
    repository.git("add", "-A");
    const headText = "one\n";
    const of = (file: string) => factsAsync({ studio: "one\n", file });
    expect(await of("one\n")).toEqual({ studio: HERE, isHead: true, isIndex: false, headText });
    expect(await of("two\n")).toEqual({ studio: HERE, isHead: false, isIndex: true, headText });
    expect(await of("three\n")).toEqual({ studio: HERE, isHead: false, isIndex: false, headText });
    expect(await factsAsync({ studio: "one\n" })).toEqual({ studio: HERE, isHead: false, isIndex: false });
  });

  test("is compared at the present path alone", async () => {
    await repository.commitAsync({ "a.lua": "one\n" });
    expect(await factsAsync({ studio: "one\n", file: "one\n", paths: ["a.luau", "a.lua"] })).toEqual({
      studio: HERE,
      isHead: false,
      isIndex: false,
    });
  });

  test("is that of HEAD also where git skips the work tree", async () => {
    await repository.commitAsync({ "a.luau": "one\n" });
    repository.git("update-index", "--skip-worktree", "a.luau");
    await repository.putAsync("a.luau", "two\n");
    expect(await factsAsync({ studio: "?", file: "one\n" })).toMatchObject({ isHead: true, isIndex: true });
    expect(await factsAsync({ studio: "?", file: "two\n" })).toMatchObject({ isHead: false, isIndex: false });
  });

  test("of a file in a conflict is never as committed, and what is merged in is elsewhere", async () => {
    await repository.commitAsync({ "a.luau": "base\n" });
    repository.git("checkout", "-q", "-b", "other");
    await repository.commitAsync({ "a.luau": "theirs\n" });
    repository.git("checkout", "-q", "main");
    await repository.commitAsync({ "a.luau": "ours\n" });
    expect(() => repository.git("merge", "-q", "other")).toThrow();
    expect(await factsAsync({ studio: "theirs\n", file: "ours\n" })).toEqual({
      studio: ELSEWHERE,
      isHead: false,
      isIndex: false,
    });
    expect(await studioAsync("base\n")).toEqual(HERE);
  });
});

describe("an incomplete clone", () => {
  const clone = async (...options: readonly string[]): Promise<TestRepository> => {
    repository.git("config", "uploadpack.allowFilter", "true");
    repository.git("clone", "-q", ...options, `file://${repository.folder}`, "clone");
    return new TestRepository(repository.path("clone"));
  };

  test("without older commits does not tell about texts that it does not show, until it gets them", async () => {
    for (const text of ["one\n", "two\n", "three\n"]) await repository.commitAsync({ "a.luau": text });
    const shallow = await clone("--depth=2");
    const ofAsync = async (studio: string) => (await factsAsync({ studio }, shallow.folder)).studio;
    const reason = "the clone is shallow and lacks older commits";
    expect(await ofAsync("two\n")).toEqual(HERE);
    expect(await ofAsync("one\n")).toEqual({ kind: "unknowable", reason });
    shallow.git("fetch", "-q", "--unshallow");
    expect(await ofAsync("one\n")).toEqual(HERE);
  });

  test("without older files knows them by their ids, and does not tell about the rest", async () => {
    for (const text of ["one\n", "two\n", "three\n"]) await repository.commitAsync({ "a.luau": text });
    const { folder } = await clone("--filter=blob:none");
    const reason = "the clone is partial and lacks older files";
    expect((await factsAsync({ studio: "one\n" }, folder)).studio).toEqual(HERE);
    expect(await factsAsync({ studio: "four\n", file: "three\n" }, folder)).toEqual({
      studio: { kind: "unknowable", reason },
      isHead: true,
      isIndex: true,
      headText: "three\n",
    });
  });
});

describe("a broken history", () => {
  test("tells what it still shows, and in git's words why it does not tell the rest", async () => {
    for (const text of ["one\n", "two\n", "three\n"]) await repository.commitAsync({ "a.luau": text });
    await removeObjectAsync(repository.git("rev-parse", "HEAD~2^{tree}").trim());
    expect(await studioAsync("two\n")).toEqual(HERE);
    for (const text of ["one\n", "four\n"])
      expect(await studioAsync(text)).toEqual({
        kind: "unknowable",
        reason: expect.stringMatching(/^git says: .*tree/),
      });
  });

  test("without the commit that is checked out gives no answer", async () => {
    await removeObjectAsync(await repository.commitAsync({ "a.luau": "one\n" }));
    const answer = await askGitAsync({ folder: repository.folder, scripts: [] });
    expect(answer).toEqual({ kind: "failed", reason: "the commit that is checked out is missing" });
  });
});

describe("asking git", () => {
  const script = () => ({ paths: [repository.path("a.luau")], file: "one\n", studio: "two\n" });
  const ask = (more = {}) => askGitAsync({ folder: repository.folder, scripts: [script()], ...more });

  test("tells the commit that is checked out", async () => {
    expect(await headAsync(repository.folder)).toBeUndefined();
    expect(await ask()).not.toHaveProperty("head");
    const head = await repository.commitAsync({ "a.luau": "one\n" });
    expect(await headAsync(repository.folder)).toBe(head);
    expect(await ask()).toMatchObject({ kind: "facts", head });
  });

  test("tells that there is no repository, also in a bare one", async () => {
    await rm(repository.path(".git"), { recursive: true });
    expect(await ask()).toEqual({ kind: "none" });
    repository.git("init", "-q", "--bare", ".");
    expect(await ask()).toEqual({ kind: "none" });
    expect(await headAsync(repository.folder)).toBeUndefined();
  });

  test("fails in time, and says so", async () => {
    await repository.commitAsync({ "a.luau": "one\n" });
    expect(await ask({ timeoutMs: 0 })).toEqual({ kind: "failed", reason: "git took more than 0 s" });
  });

  test("rejects if the caller gives up", async () => {
    await repository.commitAsync({ "a.luau": "one\n" });
    expect(ask({ signal: AbortSignal.abort(new Error("enough")) })).rejects.toThrow("enough");
  });

  test("fails with git's own words for a broken repository", async () => {
    await repository.commitAsync({ "a.luau": "one\n" });
    await writeFile(repository.path(".git/index"), "broken");
    expect(await ask()).toEqual({
      kind: "failed",
      reason: expect.stringMatching(/^git says: .*index file/),
    });
  });

  test("fails where git takes another folder for the top, as for an empty .git inside of a repository", async () => {
    await repository.commitAsync({ "in/a.luau": "one\n" });
    await mkdir(repository.path("in/.git"));
    const answer = await askGitAsync({ folder: repository.path("in"), scripts: [script()] });
    expect(answer).toEqual({
      kind: "failed",
      reason: "git uses another folder as the top of the work tree",
    });
  });
});
