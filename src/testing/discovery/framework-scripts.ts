/**
 * Which scripts of a place are those of a test framework. They are no part of what a project tests, in whatever folder they
 * are: stacks leave them out, and coverage does.
 */
import type { OpenedPlace } from "../../headless/index.ts";
import { pathInside } from "../../util/path-inside.ts";
import { DEFAULT_INCLUDE, isPackageFile, testMatcher } from "./find-files.ts";

/** Whether the script of a full name is one of a test framework. */
export type IsOfFramework = (fullName: string) => boolean;

/** A module that each framework has, and a word that the folder of its modules has in its name. */
const MARKS = [
  { module: "TestPlanner", word: "testez" },
  { module: "JestGlobals", word: "jest" },
  { module: "jest-globals", word: "jest" },
  { module: "assert_impl", word: "frktest" },
  { module: "tiniest_for_roblox", word: "tiniest" },
] as const;

export function frameworkScripts(folder: string, place: OpenedPlace | undefined): IsOfFramework {
  if (place === undefined) return () => false;
  const folders = MARKS.flatMap(({ module, word }) =>
    place
      .modulesNamed(module)
      .map((names) => names.slice(0, -1))
      // Modules that stand among others, such as all packages of a project, give no folder.
      .filter((names) => names.at(-1)?.toLowerCase().includes(word) === true)
      .map((names) => names.join(".")),
  );
  const isOfFramework: IsOfFramework = (fullName) =>
    folders.some((each) => fullName === each || fullName.startsWith(`${each}.`));
  const isTest = testMatcher({ include: DEFAULT_INCLUDE, exclude: [] });
  const sources = [...place.sources.scripts]
    .map(([fullName, { file }]) => ({ fullName, path: pathInside(folder, file) }))
    .filter(({ path }) => !isPackageFile(path) && !isTest(path));
  // In the project of a framework itself, the framework is what is tested.
  const isSubject = sources.length > 0 && sources.every(({ fullName }) => isOfFramework(fullName));
  return isSubject ? () => false : isOfFramework;
}
