/**
 * The scripts that a test file depends on: those whose sources were read while it ran. Headless Studio reports them, and
 * nothing is guessed: without a complete report, the test file depends on every script.
 */
import type { PlaceSources, ScriptsUsed } from "../../headless/index.ts";
import { pathInside } from "../../util/path-inside.ts";

/**
 * `files`: the paths of the scripts, relative to the project's folder, in order. `everyScript`: the test file depends on every
 * script of the place, for this reason.
 */
export type Needs = { readonly files: readonly string[] } | { readonly everyScript: string };

export interface NeedsWorld {
  /** The project's folder. */
  readonly folder: string;
  /** The scripts of the place, by their full names. */
  readonly scripts: PlaceSources["scripts"];
}

/**
 * `used` is undefined if the target does not report which scripts a file has used. `modules` are the file and the modules
 * that it requires by paths, if it is not part of the place.
 */
export function needsOf(
  used: ScriptsUsed | undefined,
  modules: readonly string[],
  { folder, scripts }: NeedsWorld,
): Needs {
  if (used === undefined) return { everyScript: "its target does not report which scripts it used" };
  const [made] = used.made;
  if (made !== undefined) return { everyScript: `it used ${made}, which a script had made` };
  // A name without a file is that of a script in a model file. Every test depends on model files anyway.
  const found = used.names.flatMap((name) => {
    const script = scripts.get(name);
    return script === undefined ? [] : [script.file, ...(script.namesakes ?? [])];
  });
  return { files: [...new Set([...modules, ...found.map((file) => pathInside(folder, file))])].sort() };
}

/** The scripts that either of the two needs. */
export function joinNeeds(left: Needs, right: Needs): Needs {
  if ("everyScript" in left) return left;
  if ("everyScript" in right) return right;
  return { files: [...new Set([...left.files, ...right.files])].sort() };
}
