/**
 * Finds the files of a test run that differ from a commit of git. It asks git for the ids of blobs and compares them with the
 * contents that were read before, so that no filter or program of the repository runs.
 */
import { access, realpath } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { invalidInput } from "../../protocol/messages.ts";
import { realDisk } from "../../roblox/rojo/disk.ts";
import { isWithin, workTreeOfAsync } from "../../roblox/rojo/roots.ts";
import type { FileChanges } from "../../testing/graph/affected.ts";
import type { ProjectContents } from "../../testing/graph/contents.ts";
import { gitBlobHash } from "../../util/git-blob-hash.ts";
import { type Blobs, Git, pathFromTopAsync } from "../../util/git.ts";
import { pathInside } from "../../util/path-inside.ts";

const TIMEOUT_MS = 10_000;

export interface ChangeQuestion {
  /** The project's folder. */
  readonly folder: string;
  /** The commit: its hash, a branch, a tag, or a name such as HEAD~1. */
  readonly since: string;
  readonly contents: ProjectContents;
  /** Folders in which any file may belong to the place. */
  readonly placeFolders: readonly string[];
  /** True for a path of a test file, relative to the project's folder. */
  readonly isTest: (path: string) => boolean;
}

/**
 * A file that git ignores counts as unchanged here; the graph notices if its content differs from the last run. Throws
 * INVALID_INPUT if git gives no answer.
 */
export async function changedFilesAsync(question: ChangeQuestion): Promise<FileChanges> {
  const { folder, since, contents } = question;
  const program = Bun.which("git");
  if (program === null) throw cannotTell("there is no git on PATH");
  const top = await workTreeOfAsync(await realpath(folder), realDisk);
  if (top === undefined) throw cannotTell(`${folder} is in no repository of git`);
  const git = new Git(program, top, AbortSignal.timeout(TIMEOUT_MS));
  const commit = await git.commitAsync(since).catch(() => {
    throw cannotTell("git does not answer; try `git status`");
  });
  if (commit === undefined && since !== "HEAD")
    throw invalidInput(
      `--changed: git knows no commit ${since}.`,
      "Files go before it: sb test src --changed. A commit can be a branch, a tag or HEAD~1.",
    );
  // Before the first commit every file is new.
  const before: Blobs = commit === undefined ? new Map() : await git.treeAsync(commit);
  const known = new Set([...(await git.filesAsync())]);
  const present = await Promise.all(
    [...contents.hashes].map(async ([path, hash]) => {
      const name = await pathFromTopAsync(top, resolve(folder, path));
      return { path, hash, name };
    }),
  );
  const differing = present.filter(({ name, hash }) => known.has(name) && before.get(name) !== hash);
  // The same text with Windows line ends has another id, so that the texts of differing files are compared once more.
  const texts = await git.textsAsync(differing.flatMap(({ name }) => before.get(name) ?? []));
  const isSame = (name: string, hash: string): boolean => {
    const text = texts.get(before.get(name) ?? "");
    return text !== undefined && gitBlobHash(text) === hash;
  };
  const changed = differing.filter(({ name, hash }) => !isSame(name, hash)).map(({ path }) => path);
  const names = new Set(present.map(({ name }) => name));
  const gone = [...before.keys()].filter((name) => !names.has(name));
  return { changed: new Set(changed), removed: await removedAsync(gone, top, question) };
}

/** The removed files that belonged to the place. `names` are paths from the top of the work tree. */
async function removedAsync(
  names: readonly string[],
  top: string,
  { folder, placeFolders, isTest }: ChangeQuestion,
): Promise<readonly string[]> {
  const roots = await Promise.all(placeFolders.map((path) => realpath(path).catch(() => path)));
  const real = await realpath(folder);
  const paths = names
    .map((name) => join(top, name))
    .filter((file) => roots.some((root) => root !== real && isWithin(root, dirname(file))))
    .map((file) => ({ file, path: pathInside(real, file) }))
    .filter(({ path }) => !isTest(path));
  const present = await Promise.all(paths.map(({ file }) => access(file).then(yes, no)));
  return paths.flatMap(({ path }, index) => (present[index] === true ? [] : [path]));
}

const yes = (): boolean => true;
const no = (): boolean => false;

const cannotTell = (reason: string) =>
  invalidInput(`--changed: ${reason}.`, "Leave out --changed, or name the files to run.");
