/**
 * Finds the files of tests below a folder: those whose names say so, without what git ignores and without packages. A file
 * that a caller names in full is a test whatever it is called, and a folder is searched wherever it is.
 */
import { lstat } from "node:fs/promises";
import { join } from "node:path";
import { Git } from "../../util/git.ts";
import { FilesBelow } from "./files-below.ts";

/** Which files are tests. */
export interface FilePatterns {
  readonly include: readonly string[];
  readonly exclude: readonly string[];
  /** What a caller named in full: files, and folders with a slash at their end. Relative to the project. */
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

/** Whether a file is what Jest has written, or its settings: neither a test nor a source. */
export const isJestFile = (path: string): boolean => OF_JEST.some((pattern) => pattern.test(path));

/** Whether a path, relative to the project and with slashes, leads into a folder of packages. */
export const isPackageFile = (path: string): boolean =>
  path.split("/").some((part) => PACKAGE_FOLDERS.has(part));

/** Relative to `folder`, with slashes, in order. */
export async function findTestFilesAsync(folder: string, patterns: FilePatterns): Promise<string[]> {
  const listed = await listedByGitAsync(folder);
  const paths =
    listed === undefined
      ? await scriptsBelowAsync(folder)
      : [...listed, ...(await ignoredAsync(folder, patterns, listed))];
  return paths.filter(testMatcher(patterns)).sort();
}

/** Whether a path is that of a test, whether git ignores it or not. The path is relative to the folder, with slashes. */
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

/** Whether no folder of packages lies between a folder that was named and the file. */
const isOwn = (path: string, folder: string): boolean => !isPackageFile(path.slice(folder.length));

/** What a pattern names before its first wildcard, with a slash at the end; empty where it names no folder. */
const folderOf = (pattern: string): string => /^(?:[^*?[{]+\/)?/.exec(pattern)?.[0] ?? "";

/** Undefined outside of a repository, and without git. */
async function listedByGitAsync(folder: string): Promise<string[] | undefined> {
  const program = Bun.which("git");
  if (program === null) return undefined;
  const git = new Git(program, folder, AbortSignal.timeout(GIT_TIMEOUT_MS));
  const paths = await git.filesAsync().catch(() => undefined);
  if (paths === undefined) return undefined;
  return await presentAsync(folder, paths);
}

/** What a caller or a pattern names and git ignores, such as the scripts of a folder that a compiler fills. */
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
  // Where names differ by case alone, a system may take them for one file.
  const known = new Set(listed.map((path) => path.toLowerCase()));
  const files = named.filter((path) => !isFolder(path) && !known.has(path.toLowerCase()));
  return [...new Set([...found.flat(), ...(await presentAsync(folder, files))])];
}

/**
 * Those of the paths that are files, and the files behind links to folders, which git lists as a file. It also lists a
 * removed file until its removal is committed.
 */
async function presentAsync(folder: string, paths: readonly string[]): Promise<string[]> {
  const files = filesBelow(folder);
  const found = await Promise.all(
    paths.map(async (path): Promise<readonly string[]> => {
      const facts = await lstat(join(folder, path)).catch(() => undefined);
      if (facts?.isSymbolicLink() === true) return files.behindAsync(path);
      return facts?.isFile() === true ? [path] : [];
    }),
  );
  return found.flat();
}

/** Links between packages lead to folders of packages again, and none of them to a test. */
const filesBelow = (folder: string): FilesBelow => new FilesBelow(folder, isPackageFile);

/** Relative to the folder, with slashes; none where there is no such folder. */
async function scriptsBelowAsync(folder: string): Promise<string[]> {
  const paths = await filesBelow(folder).inAsync();
  return paths.filter((path) => /\.luau?$/.test(path));
}
