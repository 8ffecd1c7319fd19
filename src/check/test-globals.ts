/** The globals of test files. `sb test` gives them to each, and a type checker knows none of them. */
import { dirname, resolve } from "node:path";
import { findProjectFileAsync } from "../project/find-project-file.ts";
import { testSettingIn } from "../project/test-settings.ts";
import { DEFAULT_INCLUDE, testMatcher } from "../testing/discovery/find-files.ts";
import { pathInside } from "../util/path-inside.ts";
import type { Finding } from "./finding.ts";

/** Those of `src/testing/harness/BuiltIn.luau`. */
export const TEST_GLOBALS: ReadonlySet<string> = new Set([
  ...["describe", "describeFOCUS", "describeSKIP", "fdescribe", "xdescribe"],
  ...["it", "itFOCUS", "itSKIP", "itTODO", "fit", "xit"],
  ...["beforeAll", "beforeEach", "afterEach", "afterAll", "FOCUS", "SKIP"],
  ...["expect", "fail", "sb"],
]);

const UNKNOWN = /^Unknown global '(\w+)'/;
/** A script of a place, by its path as results show it, whose name or folder is that of a test. */
const OF_PLACE = /\\\.(?:spec|test)(?:\[\d+\])?$|(?:^|\.)__tests__\./;

/** The findings but for those that say that a test file uses what every test file has. */
export const withoutTestGlobals = (
  findings: readonly Finding[],
  isTest: (file: string) => boolean,
): readonly Finding[] =>
  findings.filter(
    ({ file, message }) => !TEST_GLOBALS.has(UNKNOWN.exec(message)?.[1] ?? "") || !isTest(file),
  );

/** Says of a file, by its path from `folder`, whether `sb test` takes it for a test. Throws INVALID_INPUT for wrong settings. */
export async function testFilesOfAsync(folder: string): Promise<(file: string) => boolean> {
  const found = await findProjectFileAsync(folder);
  const own = found === undefined ? undefined : testSettingIn(found, "include");
  const start = found === undefined ? folder : dirname(found.file);
  const isTest = testMatcher({ include: [...DEFAULT_INCLUDE, ...(own ?? [])], exclude: [] });
  return (file) => isTest(pathInside(start, resolve(folder, file)));
}

export const isTestOfPlace = (path: string): boolean => OF_PLACE.test(path);
