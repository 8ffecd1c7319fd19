/**
 * Asks git for facts about one repository, and only for those in which no filter, hook or program of the repository
 * takes part.
 */
import { realpath } from "node:fs/promises";
import { basename, dirname, join, relative, sep } from "node:path";
import { type OnVersion, PLAIN_MODES, readVersionsAsync } from "./git-versions.ts";

const SUBMODULE_MODE = "160000";

/** Ids of blobs by path from the top of the work tree. */
export type Blobs = ReadonlyMap<string, string>;

/** What the answers of a repository depend on. */
export interface Repository {
  /** The commit that is checked out; undefined before the first one. */
  readonly head?: string;
  readonly idAlgorithm: "sha1" | "sha256";
  /** It lacks older commits. */
  readonly isShallow: boolean;
  /** It may lack any object, and would fetch it from another machine. */
  readonly isPartial: boolean;
}

/** With links on the way followed, as git names files. A file that is a link itself keeps its name. */
export async function pathFromTopAsync(top: string, path: string): Promise<string> {
  const folder = await realFolderAsync(dirname(path));
  return relative(top, join(folder, basename(path))).replaceAll(sep, "/");
}

/** With links followed as far as there are folders. */
async function realFolderAsync(folder: string): Promise<string> {
  const real = await realpath(folder).catch(() => undefined);
  if (real !== undefined || dirname(folder) === folder) return real ?? folder;
  return join(await realFolderAsync(dirname(folder)), basename(folder));
}

/** The bytes of a text as git stores it where it converts line ends. */
export function withUnixEnds(content: Uint8Array): Buffer {
  const bytes = Buffer.from(content.buffer, content.byteOffset, content.length);
  if (!bytes.includes("\r\n")) return bytes;
  return Buffer.from(bytes.toString("latin1").replaceAll("\r\n", "\n"), "latin1");
}

/** One repository, asked with settings that keep its programs out. `folder` is in it; paths are relative to that folder. */
export class Git {
  readonly #command: readonly string[];
  readonly #signal: AbortSignal;

  constructor(program: string, folder: string, signal: AbortSignal) {
    const settings = ["-c", "core.fsmonitor=false", "-c", "core.hooksPath=", "--no-optional-locks"];
    this.#command = [program, "-C", folder, ...settings];
    this.#signal = signal;
  }

  /** Throws unless the folder is the top of the work tree. */
  async repositoryAsync(): Promise<Repository> {
    // The prefix stands last, because a path can hold line breaks.
    const words = [
      "--show-object-format",
      "--is-shallow-repository",
      "--is-inside-work-tree",
      "--show-prefix",
    ];
    const output = await this.#outputAsync(["rev-parse", ...words]);
    const [format, isShallow, isInside, ...prefix] = output.toString().trimEnd().split("\n");
    if (isInside !== "true" || prefix.length > 0)
      throw new Error("git uses another folder as the top of the work tree");
    const head = await this.headAsync();
    return {
      ...(head === undefined ? {} : { head }),
      idAlgorithm: format === "sha256" ? format : "sha1",
      isShallow: isShallow === "true",
      isPartial: await this.#isPartialAsync(),
    };
  }

  async #isPartialAsync(): Promise<boolean> {
    const pattern = "^(extensions\\.partialclone|remote\\..*\\.(promisor|partialclonefilter))$";
    const { exitCode } = await this.#runAsync(["config", "--get-regexp", pattern]);
    return exitCode === 0;
  }

  /** Undefined before the first commit. */
  async headAsync(): Promise<string | undefined> {
    const commit = await this.commitAsync("HEAD");
    if (commit !== undefined) return commit;
    const { exitCode } = await this.#runAsync(["rev-parse", "--verify", "--quiet", "HEAD"]);
    if (exitCode === 0) throw new Error("the commit that is checked out is missing");
    return undefined;
  }

  /** The id of the commit that a name stands for; undefined where there is none. */
  async commitAsync(name: string): Promise<string | undefined> {
    const words = ["rev-parse", "--verify", "--quiet", "--end-of-options", `${name}^{commit}`];
    const { exitCode, output, error } = await this.#runAsync(words);
    // 1 is git's answer for what names no commit, as HEAD does before the first one.
    if (exitCode !== 0 && exitCode !== 1) throw new Error(error);
    return exitCode === 0 ? output.toString().trim() : undefined;
  }

  /** Short names of branches and tags, those of other machines too. */
  async refsAsync(): Promise<readonly string[]> {
    const kinds = ["refs/heads", "refs/tags", "refs/remotes"];
    const output = await this.#outputAsync(["for-each-ref", "--format=%(refname:short)", ...kinds]);
    return output.toString().split("\n").slice(0, -1);
  }

  /** Files that git does not ignore, tracked or not, also those that were removed; below the folder that it was opened for. */
  async filesAsync(): Promise<readonly string[]> {
    return this.#pathsAsync("--cached", "--others", "--exclude-standard");
  }

  /** Files that git neither tracks nor ignores. */
  async untrackedAsync(): Promise<readonly string[]> {
    return this.#pathsAsync("--others", "--exclude-standard");
  }

  async #pathsAsync(...words: readonly string[]): Promise<readonly string[]> {
    const output = await this.#outputAsync(["ls-files", "-z", ...words]);
    return [...new Set(output.toString().split("\0"))].filter((path) => path !== "");
  }

  /** The blob of each plain file that the index has exactly one version of. */
  async indexAsync(): Promise<Blobs> {
    const blobs = new Map<string, string>();
    const unsure = new Set<string>();
    for (const [facts, path] of entriesOf(await this.#outputAsync(["ls-files", "-s", "-z"]))) {
      const [mode = "", blob = "", stage] = facts.split(" ");
      if (stage === "0" && PLAIN_MODES.has(mode)) blobs.set(path, blob);
      else unsure.add(path);
    }
    for (const path of unsure) blobs.delete(path);
    return blobs;
  }

  /** Empty for a commit that the repository no longer has. */
  async treeAsync(commit: string): Promise<Blobs> {
    return this.#treeAsync(commit, (mode) => PLAIN_MODES.has(mode));
  }

  /** The commits of submodules by their paths, as a commit of this repository names them. */
  async submodulesAsync(commit: string): Promise<ReadonlyMap<string, string>> {
    return this.#treeAsync(commit, (mode) => mode === SUBMODULE_MODE);
  }

  /** The paths of the submodules in the index. */
  async submodulePathsAsync(): Promise<readonly string[]> {
    const entries = entriesOf(await this.#outputAsync(["ls-files", "-s", "-z"]));
    return entries.flatMap(([facts, path]) => (facts.startsWith(`${SUBMODULE_MODE} `) ? [path] : []));
  }

  async #treeAsync(commit: string, isWanted: (mode: string) => boolean): Promise<Map<string, string>> {
    if (!/^[0-9a-f]{40,64}$/.test(commit)) return new Map();
    const { exitCode, output } = await this.#runAsync(["ls-tree", "-r", "-z", "--full-tree", commit]);
    if (exitCode !== 0) return new Map();
    return new Map(
      entriesOf(output).flatMap(([facts, path]): [string, string][] => {
        const [mode = "", , id = ""] = facts.split(" ");
        return isWanted(mode) ? [[path, id]] : [];
      }),
    );
  }

  /** The sizes of those blobs that the repository has, in bytes. In a partial clone, only of those that need no fetch. */
  async sizesAsync(
    blobs: readonly string[],
    { isPartial }: Pick<Repository, "isPartial">,
  ): Promise<ReadonlyMap<string, number>> {
    const words = ["cat-file", "--batch-check=%(objectname) %(objecttype) %(objectsize)"];
    const local = isPartial ? new Set(await this.#localObjectsAsync()) : undefined;
    const asked = local === undefined ? blobs : blobs.filter((blob) => local.has(blob));
    if (asked.length === 0) return new Map();
    const output = await this.#outputAsync(words, `${asked.join("\n")}\n`);
    return new Map(
      output
        .toString()
        .split("\n")
        .flatMap((line): [string, number][] => {
          const [blob = "", type, size] = line.split(" ");
          return type === "blob" ? [[blob, Number(size)]] : [];
        }),
    );
  }

  /** Asking for an object that a partial clone lacks may make git try to fetch it, or fail. */
  async #localObjectsAsync(): Promise<readonly string[]> {
    const words = ["--batch-all-objects", "--unordered", "--batch-check=%(objectname)"];
    return (await this.#outputAsync(["cat-file", ...words])).toString().split("\n");
  }

  /**
   * Tells each blob that a plain file has had in a commit or below, newest commits first, some more than once, until
   * `onVersion` returns false. A merge tells only what is in none of its parents, which is enough, because its parents
   * tell the rest.
   */
  async versionsAsync(commit: string, onVersion: OnVersion): Promise<void> {
    const commits = await this.#outputAsync(["rev-list", commit]);
    const options = ["-z", "-r", "-c", "--root", "--no-commit-id", "--no-renames", "--no-ext-diff"];
    const child = this.#spawn(["diff-tree", "--stdin", ...options], commits);
    const error = errorTextAsync(child);
    const isWhole = await readVersionsAsync(child.stdout, onVersion);
    if (!isWhole) child.kill("SIGKILL");
    const exitCode = await child.exited;
    this.#signal.throwIfAborted();
    if (isWhole && exitCode !== 0) throw new Error(await error);
  }

  /** Texts with line ends of Unix by the ids of their blobs. */
  async textsAsync(blobs: readonly (string | undefined)[]): Promise<ReadonlyMap<string, Buffer>> {
    const texts = new Map<string, Buffer>();
    if (blobs.length === 0) return texts;
    const output = await this.#outputAsync(["cat-file", "--batch"], `${blobs.join("\n")}\n`);
    for (let at = 0; at < output.length;) {
      const end = output.indexOf("\n", at);
      const [blob = "", type, size] = output.toString("latin1", at, end).split(" ");
      at = end + 1;
      if (type !== "blob") continue;
      const content = output.subarray(at, at + Number(size));
      texts.set(blob, withUnixEnds(content));
      at += content.length + 1;
    }
    return texts;
  }

  /** Throws what git says where it does not succeed. */
  async #outputAsync(words: readonly string[], input: string | Buffer = ""): Promise<Buffer> {
    const { exitCode, output, error } = await this.#runAsync(words, input);
    if (exitCode !== 0) throw new Error(error);
    return output;
  }

  async #runAsync(words: readonly string[], input: string | Buffer = "") {
    this.#signal.throwIfAborted();
    const child = this.#spawn(words, Buffer.from(input));
    const [output, error, exitCode] = await Promise.all([
      child.stdout.bytes(),
      errorTextAsync(child),
      child.exited,
    ]);
    this.#signal.throwIfAborted();
    return { exitCode, error, output: Buffer.from(output.buffer, output.byteOffset, output.length) };
  }

  #spawn(words: readonly string[], input: Buffer) {
    return Bun.spawn([...this.#command, ...words], {
      env: gitEnvironment(),
      stdin: input,
      stdout: "pipe",
      stderr: "pipe",
      signal: this.#signal,
      killSignal: "SIGKILL",
      windowsHide: true,
    });
  }
}

/** `FACTS<tab>PATH`, each ended by a zero byte; paths are as they are, in UTF-8. */
function entriesOf(output: Buffer): [facts: string, path: string][] {
  const entries = output.toString().split("\0").slice(0, -1);
  return entries.map((entry) => {
    const tab = entry.indexOf("\t");
    return [entry.slice(0, tab), entry.slice(tab + 1)];
  });
}

/**
 * Without the variables that make git look at another repository or another index, as hooks set them. Git must not ask
 * for a password, and must not fetch what a partial clone lacks, because that runs the programs that the repository names
 * for it. Older versions of git know only the list of protocols, which is empty.
 */
function gitEnvironment(): Record<string, string | undefined> {
  const others = Object.entries(process.env).filter(
    ([name]) => !name.startsWith("GIT_") || name.startsWith("GIT_CONFIG"),
  );
  return {
    ...Object.fromEntries(others),
    GIT_TERMINAL_PROMPT: "0",
    GIT_NO_LAZY_FETCH: "1",
    GIT_ALLOW_PROTOCOL: "",
    LC_ALL: "C",
  };
}

/** The first line of what git says about a failure, without its own opening. */
async function errorTextAsync(child: { readonly stderr: ReadableStream<Uint8Array> }): Promise<string> {
  const [line = ""] = (await child.stderr.text()).split("\n");
  const text = line.replace(/^(?:fatal|error): /, "").replaceAll(/\p{Cc}/gu, " ");
  return text === "" ? "git failed" : `git says: ${text.slice(0, 200)}`;
}
