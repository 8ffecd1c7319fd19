/**
 * Recognizes the scripts of test frameworks in a place, in whatever folder they are. Stacks and coverage leave them
 * out, because they are not part of what a project tests.
 */
import type { OpenedPlace } from "../../headless/index.ts";
import { pathInside } from "../../util/path-inside.ts";
import { DEFAULT_INCLUDE, isPackageFile, testMatcher } from "./find-files.ts";

/** True if the script with this full name belongs to a test framework. */
export type IsOfFramework = (fullName: string) => boolean;

/** For each framework: a module that it has, and a word that the name of its folder contains. */
const MARKS = [
  { module: "TestPlanner", word: "testez" },
  { module: "JestGlobals", word: "jest" },
  { module: "jest-globals", word: "jest" },
  { module: "assert_impl", word: "frktest" },
  { module: "tiniest_for_roblox", word: "tiniest" },
] as const;

export function frameworkScripts(
  folder: string,
  place: Pick<OpenedPlace, "modulesNamed" | "sources"> | undefined,
): IsOfFramework {
  if (place === undefined) return () => false;
  const folders = MARKS.flatMap(({ module, word }) =>
    place
      .modulesNamed(module)
      .map((names) => names.slice(0, -1))
      // Without that word, the folder may hold other modules too, such as all packages of a project.
      .filter((names) => names.at(-1)?.toLowerCase().includes(word) === true)
      .map((names) => names.join(".")),
  );
  const isOfFramework: IsOfFramework = (fullName) =>
    folders.some((folderName) => fullName === folderName || fullName.startsWith(`${folderName}.`));
  const isTest = testMatcher({ include: DEFAULT_INCLUDE, exclude: [] });
  const sources = [...place.sources.scripts]
    .map(([fullName, { file }]) => ({ fullName, path: pathInside(folder, file) }))
    .filter(({ path }) => !isPackageFile(path) && !isTest(path));
  // In the project of a framework itself, the framework is the subject of the tests.
  const isSubject = sources.length > 0 && sources.every(({ fullName }) => isOfFramework(fullName));
  return isSubject ? () => false : isOfFramework;
}
