/**
 * Finds the test files below a folder by their names. Files that git ignores and folders of packages are left out, but for
 * those that a caller names in full: such a file is a test whatever its name is, and such a folder is searched.
 */
import { lstat } from "node:fs/promises";
import { join } from "node:path";
import { Git } from "../../util/git.ts";
import { FilesBelow, type SearchRules } from "./files-below.ts";

/** The rules by which a file is a test. */
export interface FilePatterns {
  readonly include: readonly string[];
  readonly exclude: readonly string[];
  /** The files and folders that a caller has named in full, relative to the project. Folders end with a slash. */
  readonly named?: readonly string[] | undefined;
}

export const DEFAULT_INCLUDE = ["**/*.{spec,test}.{luau,lua}", "**/__tests__/**/*.{luau,lua}"];

const GIT_TIMEOUT_MS = 10_000;
/** How many files are looked at at once. */
const AT_ONCE = 256;
const FOLDER_MODULE = /\/init(\.(?:luau|lua))$/;
/** A name without an ending, in no hidden folder. */
const MAY_BE_FOLDER = /^(?:[^/.][^/]*\/)*[^/.]+$/;
/** The module of the searched folder itself, whose name is that of the folder. */
const ROOT_MODULE = /^init\.(?:luau|lua)$/;
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

/** What a search takes beside the patterns. */
export interface SearchOptions {
  readonly signal?: AbortSignal | undefined;
  /** True for a folder of the place, as a path relative to the folder of the search. */
  readonly isMounted?: ((path: string) => boolean) | undefined;
  /** Called for a link to nothing that would be a test file, or that may have been a folder of tests. */
  readonly onDangling?: ((path: string) => void) | undefined;
}

/**
 * The paths of the test files, relative to `folder`, with slashes, in order. Throws INVALID_INPUT for a folder that is too
 * large for a project, and what the signal says.
 */
export async function findTestFilesAsync(
  folder: string,
  patterns: FilePatterns,
  options: SearchOptions = {},
): Promise<string[]> {
  const { include, named = [] } = patterns;
  const files = new FilesBelow(folder, rulesOf(patterns, options));
  const listed = await listedByGitAsync(folder, files);
  // What patterns and callers name counts also where git ignores it, such as the scripts in the output of a compiler.
  const isListed = (start: string): boolean => listed?.some((path) => path.startsWith(start)) === true;
  const starts = [...include.map(folderOf), ...named.filter(isFolder)].filter((start) => !isListed(start));
  const below = await files.inAsync(outermost(listed === undefined ? starts : starts.filter(Boolean)));
  // On Windows and macOS, names that differ only in upper and lower case mean the same file.
  const known = new Set([...(listed ?? []), ...below].map((path) => path.toLowerCase()));
  const others = named.filter((path) => !isFolder(path) && !known.has(path.toLowerCase()));
  const paths = [
    ...(listed ?? []),
    ...below.filter(isScript),
    ...(await presentAsync(folder, others, files)),
  ];
  return [...new Set(paths)].filter(testMatcher(patterns)).sort();
}

/**
 * The paths of all files of this name below `folder`, with slashes, in order. Files that git ignores, hidden folders and folders of
 * packages are left out.
 */
export async function findNamedAsync(folder: string, name: string, signal?: AbortSignal): Promise<string[]> {
  return findOwnAsync(folder, (path) => path === name || path.endsWith(`/${name}`), { signal });
}

/** As `findNamedAsync`, all files that `isWanted` takes. */
export async function findOwnAsync(
  folder: string,
  isWanted: (path: string) => boolean,
  search: Pick<SearchRules, "signal" | "work"> = {},
): Promise<string[]> {
  const isLeftOut = (path: string): boolean => isPackageFile(path) || /(?:^|\/)\./.test(path);
  const files = new FilesBelow(folder, { ...search, isLeftOut, isWanted: () => false });
  const listed = await listedNamesAsync(folder);
  const paths =
    listed === undefined
      ? await files.inAsync([""])
      : await presentAsync(folder, listed.filter(isWanted), files);
  return [...new Set(paths)].filter((path) => isWanted(path) && !isLeftOut(path)).sort();
}

/** Links into packages are not followed, because no test is there, and folders of packages only where one is named. */
function rulesOf(patterns: FilePatterns, { signal, isMounted, onDangling }: SearchOptions): SearchRules {
  const { include, named = [] } = patterns;
  const isTest = testMatcher(patterns);
  const starts = [...include.map(folderOf), ...named.filter(isFolder)];
  return {
    signal,
    isLeftOut: (path) => !["", ...starts].some((start) => `${path}/`.startsWith(start) && isOwn(path, start)),
    onDangling: (path) => {
      if (isTest(path) || MAY_BE_FOLDER.test(path)) onDangling?.(path);
    },
    isWanted: (path) => isMounted?.(path) === true || named.some((each) => each.startsWith(`${path}/`)),
  };
}

/** Without those that the search of another comes to, and without the slash at the end. */
const outermost = (starts: readonly string[]): string[] =>
  [...new Set(starts)]
    .filter(
      (start) => !starts.some((other) => other !== start && start.startsWith(other) && isOwn(start, other)),
    )
    .map((start) => start.replace(/\/$/, ""));

/** True for a file that the caller has named in full, and for files in a folder that the caller has named. */
export const isNamed = (path: string, { named = [] }: Pick<FilePatterns, "named">): boolean =>
  named.some((each) => (isFolder(each) ? path.startsWith(each) : path === each));

/** The path that a module would have without a folder of its own: `Cart.spec/init.luau` is the module `Cart.spec`. */
const modulePath = (path: string): string => path.replace(FOLDER_MODULE, "$1");

/** Makes a function that says whether a path is that of a test, apart from git. Paths are relative, with slashes. */
export function testMatcher({ include, exclude, named = [] }: FilePatterns): (path: string) => boolean {
  const wanted = include.map((pattern) => ({ glob: new Bun.Glob(pattern), folder: folderOf(pattern) }));
  const unwanted = exclude.map((pattern) => new Bun.Glob(pattern));
  const files = new Set(named);
  const folders = named.filter(isFolder);
  return (path) => {
    const module = modulePath(path);
    return (
      files.has(path) ||
      (isScript(path) &&
        wanted.some(
          ({ glob, folder }) =>
            glob.match(module) &&
            [folder, ...folders].some((start) => path.startsWith(start) && isOwn(path, start)),
        ) &&
        !unwanted.some((glob) => glob.match(path) || glob.match(module)) &&
        !ROOT_MODULE.test(path) &&
        !isJestFile(module))
    );
  };
}

const isFolder = (named: string): boolean => named.endsWith("/");

/** True if no folder of packages lies between `folder` and the file below it. */
const isOwn = (path: string, folder: string): boolean => !isPackageFile(path.slice(folder.length));

/** The folder that a pattern names before its first wildcard, with a slash at the end; empty if it names none. */
export const folderOf = (pattern: string): string => /^(?:[^*?[{]+\/)?/.exec(pattern)?.[0] ?? "";

/** The files that git does not ignore. Undefined outside of a repository, and without git. */
async function listedByGitAsync(folder: string, files: FilesBelow): Promise<string[] | undefined> {
  const paths = await listedNamesAsync(folder);
  return paths === undefined ? undefined : presentAsync(folder, paths, files);
}

/** The names that git lists, also of files that were removed since and of links. */
export async function listedNamesAsync(folder: string): Promise<readonly string[] | undefined> {
  const program = Bun.which("git");
  if (program === null) return undefined;
  const git = new Git(program, folder, AbortSignal.timeout(GIT_TIMEOUT_MS));
  return git.filesAsync().catch(() => undefined);
}

/**
 * The paths that are files now, and the files behind links to folders. This corrects git, which lists a link to a folder as a
 * file, and lists a removed file until its removal is committed.
 */
async function presentAsync(folder: string, paths: readonly string[], files: FilesBelow): Promise<string[]> {
  const found: string[] = [];
  const links: string[] = [];
  for (let start = 0; start < paths.length; start += AT_ONCE) {
    const batch = paths.slice(start, start + AT_ONCE);
    const infos = await Promise.all(batch.map((path) => lstat(join(folder, path)).catch(() => undefined)));
    for (const [index, path] of batch.entries()) {
      if (infos[index]?.isFile() === true) found.push(path);
      else if (infos[index]?.isSymbolicLink() === true) links.push(path);
    }
  }
  return [...found, ...(await files.behindAsync(links))];
}

const isScript = (path: string): boolean => /\.luau?$/.test(path);
