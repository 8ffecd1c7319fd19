/**
 * Chooses the files whose coverage is reported: the Luau files that the project mounts, without tests, packages and the runtime
 * library of roblox-ts.
 */
import { basename, dirname, resolve } from "node:path";
import type { OpenedPlace } from "../../headless/index.ts";
import { type ByteString, utf8ByteString } from "../../util/bytes.ts";
import { DEFAULT_INCLUDE, type FilePatterns, isJestFile, isPackageFile } from "../discovery/find-files.ts";
import { pathInside, staysInside } from "../../util/path-inside.ts";

export interface CoveredFile {
  /** Relative to the project's folder, with slashes. */
  readonly path: string;
  readonly absolutePath: string;
  readonly source: ByteString;
  /** For each script of the place that the file is mounted as: the names from a service to it. */
  readonly instances: readonly (readonly string[])[];
}

/** A script whose lines are counted. */
export interface CountedScript {
  /** The names from a service to the script. */
  readonly names: readonly string[];
  /** The checksum of the file's text; present if the script in the place may have another text. */
  readonly checksum?: number;
}

export const DEFAULT_COVERED = ["**/*.{luau,lua}"];

/** `tests` are the absolute paths of the test files and set-up scripts, which are left out. */
export function coveredFiles(
  folder: string,
  scripts: OpenedPlace["sources"]["scripts"],
  { include, exclude }: FilePatterns,
  tests: readonly string[],
): CoveredFile[] {
  const isOf = (patterns: readonly string[]): ((path: string) => boolean) => {
    const globs = patterns.map((pattern) => new Bun.Glob(pattern));
    return (path) => globs.some((glob) => glob.match(path));
  };
  const isWanted = isOf(include);
  const isUnwanted = isOf([...exclude, ...DEFAULT_INCLUDE]);
  const isTest = new Set(tests);
  const byFile = Map.groupBy(scripts.values(), ({ file }) => resolve(file));
  const runtimes = compilerFolders([...byFile.keys()]);
  return [...byFile]
    .map(([absolutePath, mounted]) => ({
      path: pathInside(folder, absolutePath),
      absolutePath,
      source: mounted[0]?.source ?? utf8ByteString(""),
      // Scripts with the same full name are left out, because their hits could not be told apart.
      instances: mounted.flatMap(({ names, namesakes }) => (namesakes === undefined ? [names] : [])),
    }))
    .filter(
      ({ path }) =>
        staysInside(path) && isWanted(path) && !isUnwanted(path) && !isPackageFile(path) && !isJestFile(path),
    )
    .filter(({ absolutePath }) => !isTest.has(absolutePath) && !runtimes.has(dirname(absolutePath)))
    .sort((left, right) => (left.path < right.path ? -1 : 1));
}

/** The folders in which roblox-ts puts its runtime library: these two modules beside each other. */
function compilerFolders(files: readonly string[]): ReadonlySet<string> {
  const holding = (name: string): string[] =>
    files.flatMap((file) => (basename(file).replace(/\.luau?$/, "") === name ? [dirname(file)] : []));
  const promises = new Set(holding("Promise"));
  return new Set(holding("RuntimeLib").filter((folder) => promises.has(folder)));
}
