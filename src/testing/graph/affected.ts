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
  /** Why all of them are, where they are. */
  readonly why?: string;
}

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
  if (common !== undefined) return { files: all, why: `every test depends on ${common}` };
  const [gone] = removed;
  if (gone !== undefined)
    return { files: all, why: `it is not known which tests used ${gone}, which was removed` };
  const isAffected = ({ path: test, modules = {} }: Test): boolean => {
    const entry = graph.get(test);
    if (entry === undefined || changed.has(test)) return true;
    if (!isCurrent(test, entry, contents)) return true;
    const { needs } = entry;
    if ("everyScript" in needs) return changed.size > 0;
    // A path may lead to another module by now, although no module that was used has changed.
    const hasOthers = Object.keys(modules).some((path) => !needs.files.includes(path));
    return hasOthers || needs.files.some((path) => changed.has(path));
  };
  return { files: new Set(tests.filter(isAffected).map(({ path }) => path)) };
}
