/**
 * What git has committed of a project's files. Git is only asked for facts that no filter, hook or program of the
 * repository takes part in; hashes are computed here. Whatever git does not say for sure counts as unknown.
 */
import { realpath } from "node:fs/promises";
import { realDisk } from "../../roblox/rojo/disk.ts";
import { workTreeOfAsync } from "../../roblox/rojo/roots.ts";
import { type Blobs, Git, pathFromTopAsync, withUnixEnds } from "../../util/git.ts";
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
