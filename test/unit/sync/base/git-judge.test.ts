/**
 * git's answers about scripts against a second, slow way: list the files of every commit and compare every text. Both are
 * asked about random repositories with branches, merges of several parents, renames, and blobs with any line ends.
 */
import { expect, test } from "bun:test";
import { askGitAsync, type ScriptInGit, type StudioInGit } from "../../../../src/sync/base/git-history.ts";
import { TestRepository } from "./test-repository.ts";

const REPOSITORIES = Number(process.env["SB_GIT_JUDGE_ROUNDS"] ?? 4);
const COMMITS = 14;
const PATHS = ["a.lua", "a.luau", "a/init.luau", "b.luau", "c/b.luau", "größe.luau", "d\ne.luau"];
const LINK = "120000";

/** Numbers below `end`, the same ones for the same seed. */
type Random = (end: number) => number;

function randomFrom(seed: number): Random {
  let state = seed;
  return (end) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    return Math.floor((state / 2 ** 32) * end);
  };
}

const pick = <T>(random: Random, values: readonly T[]): T => {
  const value = values[random(values.length)];
  if (value === undefined) throw new Error("There is nothing to pick.");
  return value;
};

const textAt = (number: number): string => `local value = ${number}\nreturn value\n`;
const randomText = (random: Random): string => textAt(random(30));
const withAnyEnds = (random: Random, text: string): string =>
  pick(random, [text, text, text, text.replaceAll("\n", "\r\n"), text.replace("\n", "\r\n")]);

/** Commits for `git fast-import`, each on a branch of its own, the first parent first. */
function randomCommits(random: Random): string {
  const commits = Array.from({ length: COMMITS }, (_, index) => {
    const number = index + 1;
    const parents = new Set(
      Array.from({ length: pick(random, [1, 1, 1, 2, 3]) }, () => random(number) || index),
    );
    const [first, ...others] = [...parents].filter((parent) => parent > 0);
    const changes = Array.from({ length: 1 + random(3) }, () => randomChange(random));
    return [
      `commit refs/heads/b${number}`,
      `mark :${number}`,
      `committer T <t@example.com> ${1_600_000_000 + random(COMMITS) * 60} +0000`,
      "data 1",
      "x",
      ...(first === undefined || random(8) === 0 ? [] : [`from :${first}`]),
      ...(first === undefined ? [] : others.map((parent) => `merge :${parent}`)),
      ...changes,
    ].join("\n");
  });
  return `${commits.join("\n\n")}\n\ndone\n`;
}

function randomChange(random: Random): string {
  const path = JSON.stringify(pick(random, PATHS));
  if (random(5) === 0) return `D ${path}`;
  const text = withAnyEnds(random, randomText(random));
  const mode = pick(random, ["100644", "100644", "100644", "100755", LINK]);
  return `M ${mode} inline ${path}\ndata ${Buffer.byteLength(text)}\n${text}`;
}

interface Version {
  readonly path: string;
  readonly blob: string;
}

class Judge {
  readonly #repository: TestRepository;
  readonly #texts = new Map<string, string>();
  readonly #below: readonly Version[];
  readonly #head: readonly Version[];
  readonly #index: readonly Version[];

  constructor(repository: TestRepository) {
    this.#repository = repository;
    for (const line of repository.git("cat-file", "--batch-all-objects", "--batch-check").split("\n")) {
      const [id = "", type] = line.split(" ");
      if (type === "blob") this.#texts.set(id, repository.git("cat-file", "blob", id));
    }
    const commits = repository.git("rev-list", "HEAD").trim().split("\n");
    this.#below = commits.flatMap((commit) => this.#filesOf("ls-tree", "-r", "-z", commit));
    this.#head = this.#filesOf("ls-tree", "-r", "-z", "HEAD");
    this.#index = this.#filesOf("ls-files", "-s", "-z");
  }

  #filesOf(...words: readonly string[]): readonly Version[] {
    return this.#repository
      .git(...words)
      .split("\0")
      .filter((entry) => entry !== "" && !entry.startsWith(LINK))
      .map((entry) => ({
        path: entry.slice(entry.indexOf("\t") + 1),
        blob: /[0-9a-f]{40}/.exec(entry)?.[0] ?? "",
      }));
  }

  #isText(blob: string, text: string): boolean {
    return this.#texts.get(blob)?.replaceAll("\r\n", "\n") === text;
  }

  /** Away from the script's own paths, a blob with both kinds of line ends is not found. */
  #isPlainText(blob: string, text: string): boolean {
    const found = this.#texts.get(blob);
    return found === text || found === text.replaceAll("\n", "\r\n");
  }

  kind(studio: string, paths: readonly string[]): StudioInGit["kind"] {
    const own = [...this.#below, ...this.#index].filter(({ path }) => paths.includes(path));
    if (own.some(({ blob }) => this.#isText(blob, studio))) return "here";
    if (this.#below.some(({ blob }) => this.#isPlainText(blob, studio))) return "atOtherPath";
    return [...this.#texts.keys()].some((blob) => this.#isPlainText(blob, studio)) ? "elsewhere" : "unknown";
  }

  /** True for the path that is told of a text at another path. */
  hasAt(path: string, studio: string): boolean {
    return this.#below.some((version) => version.path === path && this.#isPlainText(version.blob, studio));
  }

  isAt(where: "head" | "index", path: string, file: string): boolean {
    const tracked = this.#index.filter((version) => version.path === path);
    const found = where === "index" ? tracked : this.#head.filter((version) => version.path === path);
    return tracked.length === 1 && found.some(({ blob }) => this.#isText(blob, file));
  }
}

const FORMS = [["a.luau", "a.lua", "a/init.luau"], ["b.luau"], ["c/b.luau"], ["größe.luau"], ["d\ne.luau"]];

const scriptsFor = (random: Random): readonly { names: readonly string[]; file: string; studio: string }[] =>
  FORMS.flatMap((names) =>
    Array.from({ length: 12 }, () => ({ names, file: randomText(random), studio: randomText(random) })),
  );

async function compareAsync(repository: TestRepository, random: Random): Promise<Set<string>> {
  const judge = new Judge(repository);
  const kinds = new Set<string>();
  // The second question is partly answered from what the first one has found.
  for (const scripts of [scriptsFor(random), scriptsFor(random)]) {
    const asked = scripts.map(({ names, file, studio }): ScriptInGit => {
      return { paths: names.map((name) => repository.path(name)), file, studio };
    });
    const answer = await askGitAsync({ folder: repository.folder, scripts: asked });
    if (answer.kind !== "facts") throw new Error(JSON.stringify(answer));
    for (const [index, { names, file, studio }] of scripts.entries()) {
      const facts = answer.scripts[index];
      const [present = ""] = names;
      expect({
        names,
        studio,
        kind: facts?.studio.kind,
        isHead: facts?.isHead,
        isIndex: facts?.isIndex,
      }).toEqual({
        names,
        studio,
        kind: judge.kind(studio, names),
        isHead: judge.isAt("head", present, file),
        isIndex: judge.isAt("index", present, file),
      });
      if (facts?.studio.kind === "atOtherPath") expect(judge.hasAt(facts.studio.path, studio)).toBe(true);
      kinds.add(`${facts?.studio.kind} ${facts?.isHead} ${facts?.isIndex}`);
    }
  }
  return kinds;
}

test("git's answers are those of a slow look at every commit", async () => {
  const kinds = new Set<string>();
  for (let seed = 1; seed <= REPOSITORIES; seed++) {
    const random = randomFrom(seed);
    const repository = await TestRepository.createAsync();
    try {
      repository.gitWithInput(randomCommits(random), "fast-import", "--quiet");
      // Only the index changes, so that nothing depends on how git writes files.
      for (const branch of [random(COMMITS), random(COMMITS)]) {
        repository.git("symbolic-ref", "HEAD", `refs/heads/b${branch + 1}`);
        repository.git("read-tree", `b${random(COMMITS) + 1}`);
        for (const kind of await compareAsync(repository, random)) kinds.add(kind);
      }
    } finally {
      await repository.removeAsync();
    }
  }
  // The random repositories hold each kind of answer.
  for (const kind of ["here", "atOtherPath", "elsewhere", "unknown"])
    expect([...kinds].some((each) => each.startsWith(kind))).toBe(true);
  expect([...kinds].some((each) => each.endsWith("true false"))).toBe(true);
  expect([...kinds].some((each) => each.endsWith("false true"))).toBe(true);
});
