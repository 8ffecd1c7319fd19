/** `syncRules` of a project: which files are read as which kind, before Rojo's own rules are asked. */
import { globOf } from "./glob.ts";
import { type FileKindName, isFileKind } from "./kind-names.ts";
import { isRecord } from "./values.ts";

export interface SyncRule {
  readonly pattern: RegExp;
  readonly exclude?: RegExp;
  /** Undefined for files that are left out. */
  readonly kind: FileKindName | undefined;
  /** What is cut off a file's name to name its Instance; without one, its last extension. */
  readonly suffix?: string;
}

/** Throws an Error for what is no list of rules. */
export function parseSyncRules(value: unknown): readonly SyncRule[] {
  if (value === undefined) return [];
  if (!Array.isArray(value)) throw new Error("syncRules must be a list");
  return value.map(parseRule);
}

function parseRule(value: unknown): SyncRule {
  if (!isRecord(value)) throw new Error("a sync rule must be an object");
  const { pattern, use, exclude, suffix } = value;
  if (typeof pattern !== "string") throw new Error("a sync rule needs a pattern");
  if (typeof use !== "string") throw new Error(`the sync rule for "${pattern}" needs to say what to use`);
  if (use !== "ignore" && !isFileKind(use)) throw new Error(`a sync rule cannot use "${use}"`);
  return {
    pattern: globOf(pattern),
    ...(typeof exclude === "string" ? { exclude: globOf(exclude) } : {}),
    kind: use === "ignore" ? undefined : use,
    ...(typeof suffix === "string" ? { suffix } : {}),
  };
}

/** `path` is relative to the folder of the project, with slashes. */
export function ruleFor(path: string, rules: readonly SyncRule[]): SyncRule | undefined {
  return rules.find(({ pattern, exclude }) => pattern.test(path) && exclude?.test(path) !== true);
}

export function nameBy({ suffix }: SyncRule, fileName: string): string {
  if (suffix === undefined) return fileName.replace(/(?<=.)\.[^.]*$/, "");
  return fileName.endsWith(suffix) ? fileName.slice(0, fileName.length - suffix.length) : fileName;
}
