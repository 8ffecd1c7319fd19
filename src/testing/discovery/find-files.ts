/** Finds the files of tests below a folder: those whose names say so, without what git ignores and without packages. */
import { readFile, stat } from "node:fs/promises";
import { join, resolve } from "node:path";
import { invalidInput } from "../../protocol/messages.ts";
import { Git } from "../../util/git.ts";
import { pathInside } from "../../util/path-inside.ts";

/** What a project may say instead. */
export interface FilePatterns {
  readonly include: readonly string[];
  readonly exclude: readonly string[];
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
export async function findTestFilesAsync(
  folder: string,
  { include, exclude }: FilePatterns,
): Promise<string[]> {
  const isTest = testMatcher({ include, exclude });
  const listed = await listedByGitAsync(folder);
  const paths =
    listed === undefined
      ? await listedAsync(folder)
      : [...listed, ...(await ignoredAsync(folder, include, listed))];
  return paths.filter(isTest).sort();
}

/** Whether a path is the name of a test, whether git ignores it or not. The path is relative to the folder, with slashes. */
export function testMatcher({ include, exclude }: FilePatterns): (path: string) => boolean {
  const wanted = include.map((pattern) => new Bun.Glob(pattern));
  const unwanted = exclude.map((pattern) => new Bun.Glob(pattern));
  return (path) =>
    wanted.some((glob) => glob.match(path)) &&
    !unwanted.some((glob) => glob.match(path)) &&
    !FOLDER_MODULE.test(path) &&
    !isJestFile(path) &&
    !isPackageFile(path);
}

/** Undefined outside of a repository, and without git. */
async function listedByGitAsync(folder: string): Promise<string[] | undefined> {
  const program = Bun.which("git");
  if (program === null) return undefined;
  const git = new Git(program, folder, AbortSignal.timeout(GIT_TIMEOUT_MS));
  const paths = await git.filesAsync().catch(() => undefined);
  if (paths === undefined) return undefined;
  const present = await Promise.all(paths.map((path) => isFileAsync(join(folder, path))));
  return paths.filter((_, index) => present[index]);
}

/** The files of patterns that name a folder which git ignores, such as one that a compiler fills. */
async function ignoredAsync(
  folder: string,
  include: readonly string[],
  listed: readonly string[],
): Promise<string[]> {
  const patterns = include.filter((pattern) => {
    const [named = ""] = /^(?:[^*?[{]+\/)?/.exec(pattern) ?? [];
    return named !== "" && !listed.some((path) => path.startsWith(named));
  });
  const found = await Promise.all(
    patterns.map((pattern) => Array.fromAsync(new Bun.Glob(pattern).scan({ cwd: folder, dot: true }))),
  );
  return [...new Set(found.flat())].map((path) => path.replaceAll("\\", "/"));
}

/** A file that was removed stays listed until that is committed. */
const isFileAsync = (path: string): Promise<boolean> =>
  stat(path).then(
    (facts) => facts.isFile(),
    () => false,
  );

async function listedAsync(folder: string): Promise<string[]> {
  const paths: string[] = [];
  for await (const path of new Bun.Glob("**/*.{luau,lua}").scan({ cwd: folder, dot: true }))
    paths.push(path.replaceAll("\\", "/"));
  return paths;
}

/** What a caller wrote: a file, `FILE:LINE`, a folder, or a part of paths. */
export interface Wish {
  readonly text: string;
  readonly line?: number;
  matches(path: string): boolean;
}

/** `workingFolder` is what relative names start from. Throws INVALID_INPUT for a line behind the end of a file. */
export async function wishOfAsync(text: string, folder: string, workingFolder: string): Promise<Wish> {
  const [, named = text, number] = /^(.*?):(\d+)$/.exec(text) ?? [];
  const path = resolve(workingFolder, named);
  const facts = await stat(path).catch(() => undefined);
  const inside = pathInside(folder, path);
  if (facts?.isDirectory() === true)
    return { text, matches: (each) => inside === "" || each.startsWith(`${inside}/`) };
  const line = number === undefined ? {} : { line: Number(number) };
  if (facts?.isFile() === true) {
    if (number !== undefined) await checkLineAsync(text, path, Number(number));
    return { text, ...line, matches: (each) => each === inside };
  }
  return { text, ...line, matches: (each) => each.includes(named) };
}

async function checkLineAsync(text: string, path: string, line: number): Promise<void> {
  const count = (await readFile(path, "utf8")).split("\n").length;
  if (line > count || line < 1)
    throw invalidInput(`${text}: the file has ${count} lines.`, "Name a line of the case that you want.");
}
