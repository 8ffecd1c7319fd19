/** Which test files a change of files concerns, by what they have used when they ran last. What is not known runs. */
import type { TestFile } from "../test-file.ts";
import type { ProjectContents } from "./contents.ts";
import { isCurrent, type RequireGraph } from "./require-graph.ts";

export interface FileChanges {
  /** Paths in the project. */
  readonly changed: ReadonlySet<string>;
  /** Files that were removed where files of the place are. */
  readonly removed: readonly string[];
}

export interface Affected {
  readonly files: ReadonlySet<string>;
  /** Those of them that run only because it is not known what they use now. */
  readonly unknown: ReadonlySet<string>;
  /** Why all of them are, where they are. */
  readonly why?: string;
}

const NONE: ReadonlySet<string> = new Set();

type Test = Pick<TestFile, "path" | "modules">;

/** `tests`: the test files of the project. */
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
    // A path may lead to another module by now, although no module that was used has changed.
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
