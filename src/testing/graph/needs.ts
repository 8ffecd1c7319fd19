/**
 * What a test file depends on: the scripts whose sources were read while it ran. A Studio says which these were; what it
 * cannot tell is never guessed.
 */
import type { PlaceSources, ScriptsUsed } from "../../headless/index.ts";
import { pathInside } from "../../util/path-inside.ts";

/** Scripts by their paths, relative to the project's folder, in order; or every script of the place, and why. */
export type Needs = { readonly files: readonly string[] } | { readonly everyScript: string };

export interface NeedsWorld {
  /** Of the project. */
  readonly folder: string;
  /** By their full names in the place. */
  readonly scripts: PlaceSources["scripts"];
}

/**
 * `used` is undefined where the target does not tell which scripts a file has used; `modules` are those outside of the place
 * that the file requires by paths, itself among them.
 */
export function needsOf(
  used: ScriptsUsed | undefined,
  modules: readonly string[],
  { folder, scripts }: NeedsWorld,
): Needs {
  if (used === undefined) return { everyScript: "what it ran in does not tell which scripts it used" };
  const [made] = used.made;
  if (made !== undefined) return { everyScript: `it used ${made}, which a script had made` };
  // A name that no file has is that of a script in a model file, with which everything depends on that file anyway.
  const found = used.names.flatMap((name) => {
    const script = scripts.get(name);
    return script === undefined ? [] : [script.file, ...(script.namesakes ?? [])];
  });
  return { files: [...new Set([...modules, ...found.map((file) => pathInside(folder, file))])].sort() };
}

/** What both have. */
export function joinNeeds(left: Needs, right: Needs): Needs {
  if ("everyScript" in left) return left;
  if ("everyScript" in right) return right;
  return { files: [...new Set([...left.files, ...right.files])].sort() };
}
