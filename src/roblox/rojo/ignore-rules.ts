/** `globIgnorePaths` of projects: which files are left out. A project's rules go on for those nested in it. */
import { pathInside } from "../../util/path-inside.ts";
import { globOf } from "./glob.ts";

export interface IgnoreRule {
  /** Of the project that the rule stands in. */
  readonly folder: string;
  readonly pattern: RegExp;
  /** Whether it takes back in what an earlier rule has left out. */
  readonly isNegation: boolean;
}

/** Throws an Error for what is no list of globs. */
export function parseIgnoreRules(value: unknown, folder: string): readonly IgnoreRule[] {
  if (value === undefined) return [];
  if (!Array.isArray(value)) throw new Error("globIgnorePaths must be a list");
  return value.map((glob): IgnoreRule => {
    if (typeof glob !== "string") throw new Error("globIgnorePaths must be a list of strings");
    const isNegation = glob.startsWith("!");
    return { folder, pattern: globOf(isNegation ? glob.slice(1) : glob), isNegation };
  });
}

/** The last rule that fits decides. */
export function isIgnored(path: string, rules: readonly IgnoreRule[]): boolean {
  const rule = rules.findLast(({ folder, pattern }) => pattern.test(pathInside(folder, path)));
  return rule !== undefined && !rule.isNegation;
}
