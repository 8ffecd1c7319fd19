/**
 * What git has committed of a project's files. Git is only asked for facts that no filter, hook or program of the
 * repository takes part in; hashes are computed here. Whatever git does not say for sure counts as unknown.
 */
import { realpath } from "node:fs/promises";
import { dirname, join, relative } from "node:path";
import { realDisk } from "../../roblox/rojo/disk.ts";
import { workTreeOfAsync } from "../../roblox/rojo/roots.ts";
import { gitBlobHash } from "../../util/git-blob-hash.ts";
import type { CommittedFile } from "../types.ts";

export interface GitFacts {
  /** The commit that is checked out; undefined before the first one. */
  readonly head?: string;
  /** By absolute path. A file that is missing here is unknown to git: ignored, untracked, in a submodule, in a conflict. */
  readonly files: ReadonlyMap<string, CommittedFile>;
}

export interface GitQuestion {
  readonly folder: string;
  /** Absolute paths, each with its present content. */
  readonly files: ReadonlyMap<string, Uint8Array>;
  /** The commit that was checked out at the last sync. */
  readonly lastHead?: string;
  readonly timeoutMs?: number;
}

const TIMEOUT_MS = 10_000;
/** The modes of plain files; links and submodules have others. */
const PLAIN_MODES = new Set(["100644", "100755"]);

/** Undefined where there is no repository, no git, or no answer in time. */
export async function readGitAsync(question: GitQuestion): Promise<GitFacts | undefined> {
  const { folder, files, lastHead, timeoutMs = TIMEOUT_MS } = question;
  const program = Bun.which("git");
  const top = await workTreeOfAsync(await realpath(folder), realDisk);
  if (program === null || top === undefined) return undefined;
  const git = new Git(program, top, AbortSignal.timeout(timeoutMs));
  try {
    const head = await git.headAsync();
    const found = await fileFactsAsync(git, top, files, {
      head: head === undefined ? NOTHING : await git.treeAsync(head),
      index: await git.indexAsync(),
      earlier: lastHead === undefined ? NOTHING : await git.treeAsync(lastHead),
    });
    return head === undefined ? { files: found } : { head, files: found };
  } catch {
    // Without facts from git, differences stay for a person to decide.
    return undefined;
  }
}

/** Ids of blobs by path from the top of the work tree. */
type Blobs = ReadonlyMap<string, string>;
const NOTHING: Blobs = new Map();

interface Commits {
  readonly head: Blobs;
  readonly index: Blobs;
  readonly earlier: Blobs;
}

async function fileFactsAsync(
  git: Git,
  top: string,
  files: ReadonlyMap<string, Uint8Array>,
  { head, index, earlier }: Commits,
): Promise<ReadonlyMap<string, CommittedFile>> {
  const found = await Promise.all(
    [...files].map(async ([path, content]) => {
      const name = await pathFromTopAsync(top, path);
      const ids = { head: head.get(name), index: index.get(name), earlier: earlier.get(name) };
      return ids.index === undefined ? [] : [{ path, hash: gitBlobHash(withUnixEnds(content)), ids }];
    }),
  );
  const tracked = found.flat();
  // A blob whose id is the hash of a text with line ends of Unix is that text, so that most need not be read.
  const own = new Set(tracked.map(({ hash }) => hash));
  const isMissing = (id: string | undefined) => id !== undefined && !own.has(id);
  const unread = tracked.flatMap(({ ids }) => [ids.head, ids.index, ids.earlier].filter(isMissing));
  const texts = await git.textsAsync([...new Set(unread)]);
  const hashes = new Map([...texts].map(([id, text]) => [id, gitBlobHash(text)]));
  const hashOf = (id: string | undefined) => (id === undefined || own.has(id) ? id : hashes.get(id));
  return new Map(
    tracked.map(({ path, ids }) => {
      const current = new Set([hashOf(ids.head), hashOf(ids.index)].filter((hash) => hash !== undefined));
      const before = hashOf(ids.earlier);
      const text = texts.get(ids.head ?? "")?.toString();
      const facts: CommittedFile = {
        current: [...current],
        ...(before === undefined ? {} : { earlier: before }),
        ...(text === undefined ? {} : { text }),
      };
      return [path, facts];
    }),
  );
}

/** With links on the way followed, as git names files. A file that is a link itself keeps its name. */
async function pathFromTopAsync(top: string, path: string): Promise<string> {
  const folder = await realpath(dirname(path)).catch(() => dirname(path));
  return relative(top, join(folder, path.slice(dirname(path).length))).replaceAll("\\", "/");
}

/** The bytes of a text as git stores it where it converts line ends. */
function withUnixEnds(content: Uint8Array): Buffer {
  const bytes = Buffer.from(content.buffer, content.byteOffset, content.length);
  if (!bytes.includes("\r\n")) return bytes;
  return Buffer.from(bytes.toString("latin1").replaceAll("\r\n", "\n"), "latin1");
}

/** One repository, asked with settings that keep its programs out. */
class Git {
  readonly #command: readonly string[];
  readonly #signal: AbortSignal;

  constructor(program: string, top: string, signal: AbortSignal) {
    const settings = ["-c", "core.fsmonitor=false", "-c", "core.hooksPath=", "--no-optional-locks"];
    this.#command = [program, "-C", top, ...settings];
    this.#signal = signal;
  }

  async headAsync(): Promise<string | undefined> {
    const { exitCode, output } = await this.#runAsync(["rev-parse", "--verify", "--quiet", "HEAD^{commit}"]);
    // 1 is git's answer for a repository without commits.
    if (exitCode !== 0 && exitCode !== 1) throw new Error("git failed");
    return exitCode === 0 ? output.toString().trim() : undefined;
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
    if (!/^[0-9a-f]{40,64}$/.test(commit)) return NOTHING;
    const { exitCode, output } = await this.#runAsync(["ls-tree", "-r", "-z", "--full-tree", commit]);
    if (exitCode !== 0) return NOTHING;
    return new Map(
      entriesOf(output).flatMap(([facts, path]): [string, string][] => {
        const [mode = "", , blob = ""] = facts.split(" ");
        return PLAIN_MODES.has(mode) ? [[path, blob]] : [];
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
