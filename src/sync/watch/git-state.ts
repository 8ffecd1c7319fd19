/** What git does with a work tree at this moment, read from its files: whether it writes, and which commit is checked out. */
import { readFile, stat } from "node:fs/promises";
import { dirname, isAbsolute, join } from "node:path";

export interface GitState {
  /** git is at work: it holds the lock of its index. */
  readonly isBusy: boolean;
  /** The branch, or the commit where no branch is checked out; for people. */
  readonly head: string;
  /** Another text after each commit, checkout, reset or rebase. */
  readonly mark: string;
}

/** The folder of git's own files for the work tree that `folder` is in; undefined where there is none. */
export async function gitFolderAsync(folder: string): Promise<string | undefined> {
  for (let at = folder; ; at = dirname(at)) {
    const path = join(at, ".git");
    const facts = await stat(path).catch(() => undefined);
    if (facts?.isDirectory() === true) return path;
    if (facts?.isFile() === true) return linkedFolderAsync(at, path);
    if (dirname(at) === at) return undefined;
  }
}

/** Of a submodule or a further work tree. */
async function linkedFolderAsync(at: string, path: string): Promise<string | undefined> {
  const target = /^gitdir: (.+)/.exec(await readTextAsync(path))?.[1]?.trim();
  if (target === undefined) return undefined;
  return isAbsolute(target) ? target : join(at, target);
}

export async function gitStateAsync(gitFolder: string): Promise<GitState> {
  const [head, log, lock] = await Promise.all([
    readTextAsync(join(gitFolder, "HEAD")),
    // git adds a line for each move of HEAD.
    stat(join(gitFolder, "logs", "HEAD")).catch(() => undefined),
    stat(join(gitFolder, "index.lock")).catch(() => undefined),
  ]);
  const text = head.trim();
  const branch = /^ref: refs\/heads\/(.+)$/.exec(text)?.[1];
  return {
    isBusy: lock !== undefined,
    head: branch ?? text.slice(0, 12),
    mark: `${text} ${log?.size ?? 0}`,
  };
}

const readTextAsync = (path: string): Promise<string> => readFile(path, "utf8").catch(() => "");
