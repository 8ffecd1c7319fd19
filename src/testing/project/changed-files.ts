/**
 * Finds the files of a test run that differ from a commit of git. It asks git for the ids of blobs and compares them with the
 * contents that were read before, so that no filter or program of the repository runs.
 */
import { access, realpath } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { invalidInput } from "../../protocol/messages.ts";
import { realDisk } from "../../roblox/rojo/disk.ts";
import { workTreeOfAsync } from "../../roblox/rojo/roots.ts";
import type { FileChanges } from "../graph/affected.ts";
import type { ProjectContents } from "../graph/contents.ts";
import { gitBlobHash } from "../../util/git-blob-hash.ts";
import { type Blobs, Git, pathFromTopAsync } from "../../util/git.ts";
import { isWithin, pathInside } from "../../util/path-inside.ts";

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
  if (top === undefined) throw cannotTell(`${folder} is not in a git repository`);
  const git = new Git(program, top, AbortSignal.timeout(TIMEOUT_MS));
  const commit = await git.commitAsync(since).catch(() => {
    throw cannotTell("git does not answer; try `git status`");
  });
  if (commit === undefined && since !== "HEAD")
    throw invalidInput(
      `--changed: git knows no commit ${since}.`,
      "Files go before it: sb test src --changed. A commit can be a branch, a tag or HEAD~1.",
    );
  const repositories = await repositoriesAsync({ program, git, top, prefix: "", commit });
  const present = await Promise.all(
    [...contents.hashes].map(async ([path, hash]) => {
      const name = await pathFromTopAsync(top, resolve(folder, path));
      return { path, hash, name };
    }),
  );
  const changed = await Promise.all(repositories.map((repository) => differingAsync(repository, present)));
  const names = new Set(present.map(({ name }) => name));
  const gone = repositories.flatMap(({ prefix, before }) =>
    [...before.keys()].map((name) => `${prefix}${name}`).filter((name) => !names.has(name)),
  );
  return { changed: new Set(changed.flat()), removed: await removedAsync(gone, top, question) };
}

/** The repository of the project, or one of its submodules. */
interface Repository {
  readonly git: Git;
  /** The path of a submodule from the top of the outermost work tree, with a slash at its end; else empty. */
  readonly prefix: string;
  /** The files of the commit. */
  readonly before: Blobs;
  /** Paths of files that git does not ignore. */
  readonly known: ReadonlySet<string>;
}

/** A repository and its submodules, each at the commit that the outer one names. git knows files of submodules only inside of them. */
async function repositoriesAsync(place: {
  readonly program: string;
  readonly git: Git;
  readonly top: string;
  readonly prefix: string;
  /** Before the first commit, and in a new submodule, every file is new. */
  readonly commit: string | undefined;
}): Promise<readonly Repository[]> {
  const { program, git, top, prefix, commit = "" } = place;
  const [before, known, submodules] = await Promise.all([
    git.treeAsync(commit),
    git.filesAsync(),
    git.submodulePathsAsync(),
  ]);
  // It lists the whole tree once more, for which most repositories have no need.
  const commits = submodules.length === 0 ? new Map<string, string>() : await git.submodulesAsync(commit);
  const inner = submodules.map(async (path): Promise<readonly Repository[]> => {
    const folder = join(top, path);
    // In a submodule that was not fetched, git would answer for the outer repository.
    if (!(await access(join(folder, ".git")).then(yes, no))) return [];
    return repositoriesAsync({
      program,
      git: new Git(program, folder, AbortSignal.timeout(TIMEOUT_MS)),
      top: folder,
      prefix: `${prefix}${path}/`,
      commit: commits.get(path),
    });
  });
  const own: Repository = { git, prefix, before, known: new Set(known) };
  return [own, ...(await Promise.all(inner)).flat()];
}

interface PresentFile {
  readonly path: string;
  readonly hash: string;
  /** The path from the top of the outermost work tree. */
  readonly name: string;
}

/** The paths of the files in a repository whose contents differ from its commit. */
async function differingAsync(
  { git, prefix, before, known }: Repository,
  present: readonly PresentFile[],
): Promise<readonly string[]> {
  const differing = present.flatMap(({ path, hash, name }) => {
    const own = name.slice(prefix.length);
    return name.startsWith(prefix) && known.has(own) && before.get(own) !== hash ? [{ path, hash, own }] : [];
  });
  // The same text with Windows line ends has another id, so that the texts of differing files are compared once more.
  const texts = await git.textsAsync(differing.flatMap(({ own }) => before.get(own) ?? []));
  const isSame = (own: string, hash: string): boolean => {
    const text = texts.get(before.get(own) ?? "");
    return text !== undefined && gitBlobHash(text) === hash;
  };
  return differing.filter(({ own, hash }) => !isSame(own, hash)).map(({ path }) => path);
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
