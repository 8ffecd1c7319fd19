/**
 * Finds the test files that a change of files affects, by the scripts that each test file used when it last ran. A test file
 * for which these scripts are not known counts as affected.
 */
import type { TestFile } from "../test-file.ts";
import type { ProjectContents } from "./contents.ts";
import { isCurrent, type RequireGraph } from "./require-graph.ts";

export interface FileChanges {
  /** Paths relative to the project's folder. */
  readonly changed: ReadonlySet<string>;
  /** Removed files, from folders whose files are part of the place. */
  readonly removed: readonly string[];
}

export interface Affected {
  /** Paths of the test files to run. */
  readonly files: ReadonlySet<string>;
  /** The part of `files` that runs only because it is not known which scripts these tests use now. */
  readonly unknown: ReadonlySet<string>;
  /** If all test files are affected: the reason. */
  readonly why?: string;
}

const NONE: ReadonlySet<string> = new Set();

type Test = Pick<TestFile, "path" | "modules">;

/** `tests` are all test files of the project. */
export function affectedBy(
  { changed, removed }: FileChanges,
  tests: readonly Test[],
  graph: RequireGraph,
  contents: ProjectContents,
): Affected {
  const all = new Set(tests.map(({ path }) => path));
  const common = [...changed].find((path) => contents.concernsAll(path));
  if (common !== undefined) return { files: all, unknown: NONE, why: `every test depends on ${common}` };
  const [gone] = removed;
  if (gone !== undefined)
    return { files: all, unknown: NONE, why: `it is not known which tests used ${gone}, which was removed` };
  const isChanged = ({ path: test, modules = {} }: Test): boolean => {
    if (changed.has(test)) return true;
    const needs = graph.get(test)?.needs;
    if (needs === undefined) return false;
    if ("everyScript" in needs) return changed.size > 0;
    // A path in a `require` may now lead to another module, although no module that the test used has changed.
    const hasOthers = Object.keys(modules).some((path) => !needs.files.includes(path));
    return hasOthers || needs.files.some((path) => changed.has(path));
  };
  const isUnknown = ({ path: test }: Test): boolean => {
    const entry = graph.get(test);
    return entry === undefined || !isCurrent(test, entry, contents);
  };
  const unknown = tests.filter((test) => !isChanged(test) && isUnknown(test));
  const affected = [...tests.filter(isChanged), ...unknown];
  return {
    files: new Set(affected.map(({ path }) => path)),
    unknown: new Set(unknown.map(({ path }) => path)),
  };
}
