/**
 * git as a program that tells facts about one repository. It is only asked for what no filter, hook or program of the
 * repository takes part in.
 */
import { realpath } from "node:fs/promises";
import { dirname, join, relative } from "node:path";

/** The modes of plain files; links and submodules have others. */
const PLAIN_MODES = new Set(["100644", "100755"]);
const SUBMODULE_MODE = "160000";

/** Ids of blobs by path from the top of the work tree. */
export type Blobs = ReadonlyMap<string, string>;

/** With links on the way followed, as git names files. A file that is a link itself keeps its name. */
export async function pathFromTopAsync(top: string, path: string): Promise<string> {
  const folder = await realpath(dirname(path)).catch(() => dirname(path));
  return relative(top, join(folder, path.slice(dirname(path).length))).replaceAll("\\", "/");
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

  headAsync(): Promise<string | undefined> {
    return this.commitAsync("HEAD");
  }

  /** The id of the commit that a name stands for; undefined where there is none. */
  async commitAsync(name: string): Promise<string | undefined> {
    const words = ["rev-parse", "--verify", "--quiet", "--end-of-options", `${name}^{commit}`];
    const { exitCode, output } = await this.#runAsync(words);
    // 1 is git's answer for what names no commit, as HEAD does before the first one.
    if (exitCode !== 0 && exitCode !== 1) throw new Error("git failed");
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

  /** Throws where git does not succeed. */
  async #outputAsync(words: readonly string[], input = ""): Promise<Buffer> {
    const { exitCode, output } = await this.#runAsync(words, input);
    if (exitCode !== 0) throw new Error("git failed");
    return output;
  }

  async #runAsync(words: readonly string[], input = ""): Promise<{ exitCode: number; output: Buffer }> {
    this.#signal.throwIfAborted();
    const child = Bun.spawn([...this.#command, ...words], {
      env: gitEnvironment(),
      stdin: Buffer.from(input),
      stdout: "pipe",
      stderr: "ignore",
      signal: this.#signal,
      killSignal: "SIGKILL",
      windowsHide: true,
    });
    const [output, exitCode] = await Promise.all([child.stdout.bytes(), child.exited]);
    this.#signal.throwIfAborted();
    return { exitCode, output: Buffer.from(output.buffer, output.byteOffset, output.length) };
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
 * for a password, and must not fetch what a partial clone lacks.
 */
function gitEnvironment(): Record<string, string | undefined> {
  const others = Object.entries(process.env).filter(
    ([name]) => !name.startsWith("GIT_") || name.startsWith("GIT_CONFIG"),
  );
  return { ...Object.fromEntries(others), GIT_TERMINAL_PROMPT: "0", GIT_NO_LAZY_FETCH: "1", LC_ALL: "C" };
}
