/** Finds the test modules of a place that do not run, because they belong to no test file. */
import { join } from "node:path";
import type { OpenedPlace } from "../../headless/index.ts";
import type { Discovered } from "../discovery/discover.ts";
import { isPackageFile, testMatcher } from "../discovery/find-files.ts";
import { isWithin, pathInside } from "../../util/path-inside.ts";
import type { TestWishes } from "./test-wishes.ts";

const TEST_NAME = /\.(?:spec|test)$/;

/**
 * The full names of the modules, in order. Modules of packages and of test frameworks are left out, and so are modules whose files
 * the settings leave out on purpose.
 */
export function unlistedModules(
  place: Pick<OpenedPlace, "modulesWhere" | "sources">,
  { files, isOfFramework }: Pick<Discovered, "files" | "isOfFramework">,
  { folder, include, exclude }: Pick<TestWishes, "folder" | "include" | "exclude">,
): readonly string[] {
  const listed = new Set(files.map(({ absolutePath }) => absolutePath));
  const fileOf = new Map(
    [...place.sources.scripts.values()].map(({ file, names }) => [names.join("\0"), join(file)]),
  );
  const isTest = testMatcher({ include, exclude });
  const isMissed = (names: readonly string[]): boolean => {
    if (isPackageFile(names.join("/")) || isOfFramework(names.join("."))) return false;
    const file = fileOf.get(names.join("\0"));
    if (file === undefined) return true;
    if (listed.has(file)) return false;
    return !isWithin(folder, file) ? !isPackageFile(file) : isTest(pathInside(folder, file));
  };
  return place
    .modulesWhere((name) => TEST_NAME.test(name))
    .filter(isMissed)
    .map((names) => names.join("."))
    .sort();
}
