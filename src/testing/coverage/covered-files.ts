/** Which files of a project are to be covered by its tests: the Luau files that it mounts, but for tests and packages. */
import { resolve } from "node:path";
import type { OpenedPlace } from "../../headless/index.ts";
import { type ByteString, utf8ByteString } from "../../util/bytes.ts";
import { DEFAULT_INCLUDE, type FilePatterns, isJestFile, isPackageFile } from "../discovery/find-files.ts";
import { pathInside } from "../../util/path-inside.ts";

export interface CoveredFile {
  /** Relative to the project's folder, with slashes. */
  readonly path: string;
  readonly absolutePath: string;
  readonly source: ByteString;
  /** For each script in the place that has this text: the names from a service to it. */
  readonly instances: readonly (readonly string[])[];
}

/** A script whose lines are counted. */
export interface CountedScript {
  /** From a service to it. */
  readonly names: readonly string[];
  /** Of its text, where the place may have another one than the project. */
  readonly checksum?: number;
}

export const DEFAULT_COVERED = ["**/*.{luau,lua}"];

/** `tests` are the absolute paths of what runs the tests: test files and set-up scripts. */
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
  return [...byFile]
    .map(([absolutePath, mounted]) => ({
      path: pathInside(folder, absolutePath),
      absolutePath,
      source: mounted[0]?.source ?? utf8ByteString(""),
      // Scripts of one full name cannot be told apart, so that the lines of one could count for the other.
      instances: mounted.flatMap(({ names, namesakes }) => (namesakes === undefined ? [names] : [])),
    }))
    .filter(
      ({ path }) =>
        isBelow(path) && isWanted(path) && !isUnwanted(path) && !isPackageFile(path) && !isJestFile(path),
    )
    .filter(({ absolutePath }) => !isTest.has(absolutePath))
    .sort((left, right) => (left.path < right.path ? -1 : 1));
}

/** Not outside of the project, and not on another drive. */
const isBelow = (path: string): boolean => !path.startsWith("../") && !/^[A-Za-z]:/.test(path);
