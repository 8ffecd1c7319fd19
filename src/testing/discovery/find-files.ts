/**
 * Finds the test files below a folder by their names. Files that git ignores and folders of packages are left out, but for
 * those that a caller names in full: such a file is a test whatever its name is, and such a folder is searched.
 */
import { lstat } from "node:fs/promises";
import { join } from "node:path";
import { Git } from "../../util/git.ts";
import { FilesBelow } from "./files-below.ts";

/** The rules by which a file is a test. */
export interface FilePatterns {
  readonly include: readonly string[];
  readonly exclude: readonly string[];
  /** The files and folders that a caller has named in full, relative to the project. Folders end with a slash. */
  readonly named?: readonly string[] | undefined;
}

export const DEFAULT_INCLUDE = ["**/*.{spec,test}.{luau,lua}", "**/__tests__/**/*.{luau,lua}"];

const GIT_TIMEOUT_MS = 10_000;
const FOLDER_MODULE = /(?:^|\/)init\.(?:luau|lua)$/;
const OF_JEST = [/\.snap\.(?:luau|lua)$/, /(?:^|\/)jest\.config\.(?:luau|lua)$/];
const PACKAGE_FOLDERS = new Set([
  "Packages",
  "DevPackages",
  "ServerPackages",
  "roblox_packages",
  "node_modules",
  "_Index",
  ".git",
]);

/** True for a stored snapshot or the settings of Jest, which are neither tests nor sources. */
export const isJestFile = (path: string): boolean => OF_JEST.some((pattern) => pattern.test(path));

/** True for a path into a folder of packages. The path is relative to the project, with slashes. */
export const isPackageFile = (path: string): boolean =>
  path.split("/").some((part) => PACKAGE_FOLDERS.has(part));

/** The paths of the test files, relative to `folder`, with slashes, in order. */
export async function findTestFilesAsync(folder: string, patterns: FilePatterns): Promise<string[]> {
  const listed = await listedByGitAsync(folder);
  const paths =
    listed === undefined
      ? await scriptsBelowAsync(folder)
      : [...listed, ...(await ignoredAsync(folder, patterns, listed))];
  return paths.filter(testMatcher(patterns)).sort();
}

/** True for a file that the caller has named in full, and for files in a folder that the caller has named. */
export const isNamed = (path: string, { named = [] }: Pick<FilePatterns, "named">): boolean =>
  named.some((each) => (isFolder(each) ? path.startsWith(each) : path === each));

/** Makes a function that says whether a path is that of a test, apart from git. Paths are relative, with slashes. */
export function testMatcher({ include, exclude, named = [] }: FilePatterns): (path: string) => boolean {
  const wanted = include.map((pattern) => ({ glob: new Bun.Glob(pattern), folder: folderOf(pattern) }));
  const unwanted = exclude.map((pattern) => new Bun.Glob(pattern));
  const files = new Set(named);
  const folders = named.filter(isFolder);
  return (path) =>
    files.has(path) ||
    (wanted.some(
      ({ glob, folder }) =>
        glob.match(path) &&
        [folder, ...folders].some((start) => path.startsWith(start) && isOwn(path, start)),
    ) &&
      !unwanted.some((glob) => glob.match(path)) &&
      !FOLDER_MODULE.test(path) &&
      !isJestFile(path));
}

const isFolder = (named: string): boolean => named.endsWith("/");

/** True if no folder of packages lies between `folder` and the file below it. */
const isOwn = (path: string, folder: string): boolean => !isPackageFile(path.slice(folder.length));

/** The folder that a pattern names before its first wildcard, with a slash at the end; empty if it names none. */
export const folderOf = (pattern: string): string => /^(?:[^*?[{]+\/)?/.exec(pattern)?.[0] ?? "";

/** The files that git does not ignore. Undefined outside of a repository, and without git. */
async function listedByGitAsync(folder: string): Promise<string[] | undefined> {
  const program = Bun.which("git");
  if (program === null) return undefined;
  const git = new Git(program, folder, AbortSignal.timeout(GIT_TIMEOUT_MS));
  const paths = await git.filesAsync().catch(() => undefined);
  if (paths === undefined) return undefined;
  return await presentAsync(folder, paths);
}

/** Files that git ignores although a caller or a pattern names them, such as the scripts in the output of a compiler. */
async function ignoredAsync(
  folder: string,
  { include, named = [] }: FilePatterns,
  listed: readonly string[],
): Promise<string[]> {
  const folders = [...include.map(folderOf), ...named.filter(isFolder)].filter(
    (start) => start !== "" && !listed.some((path) => path.startsWith(start)),
  );
  const found = await Promise.all(
    [...new Set(folders)].map(async (start) =>
      (await scriptsBelowAsync(join(folder, start))).map((path) => `${start}${path}`),
    ),
  );
  // On Windows and macOS, names that differ only in upper and lower case mean the same file.
  const known = new Set(listed.map((path) => path.toLowerCase()));
  const files = named.filter((path) => !isFolder(path) && !known.has(path.toLowerCase()));
  return [...new Set([...found.flat(), ...(await presentAsync(folder, files))])];
}

/**
 * The paths that are files now, and the files behind links to folders. This corrects git, which lists a link to a folder as a
 * file, and lists a removed file until its removal is committed.
 */
async function presentAsync(folder: string, paths: readonly string[]): Promise<string[]> {
  const files = filesBelow(folder);
  const found = await Promise.all(
    paths.map(async (path): Promise<readonly string[]> => {
      const info = await lstat(join(folder, path)).catch(() => undefined);
      if (info?.isSymbolicLink() === true) return files.behindAsync(path);
      return info?.isFile() === true ? [path] : [];
    }),
  );
  return found.flat();
}

/** Links into packages are not followed, because no test is there. */
const filesBelow = (folder: string): FilesBelow => new FilesBelow(folder, isPackageFile);

/** The paths of all Luau files below the folder, relative to it, with slashes. Empty if there is no such folder. */
async function scriptsBelowAsync(folder: string): Promise<string[]> {
  const paths = await filesBelow(folder).inAsync();
  return paths.filter((path) => /\.luau?$/.test(path));
}
