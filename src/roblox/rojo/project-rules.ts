/** What a project file says beside its tree: which files and Instances take part, and in which places it belongs. */
import type { FileSchema } from "../schema.ts";
import { globOf } from "./glob.ts";
import { type IgnoreRule, isIgnored, parseIgnoreRules } from "./ignore-rules.ts";
import { parseSyncRules, type SyncRule } from "./sync-rules.ts";
import { isRecord } from "./values.ts";

export interface ProjectRules {
  readonly emitLegacyScripts: boolean;
  /** The globs of this project and of those around it, outermost first. */
  readonly ignored: readonly IgnoreRule[];
  readonly syncRules: readonly SyncRule[];
  readonly syncback: SyncbackRules;
  /** Undefined where the project names no places. */
  readonly servePlaceIds?: readonly number[];
  readonly blockedPlaceIds?: readonly number[];
  readonly placeId?: number;
  readonly gameId?: number;
}

/** `syncbackRules`: what is never written from Studio to files. */
export interface SyncbackRules {
  /** Paths of Instances with slashes, without the root: `ServerStorage/Trash`. */
  readonly ignoreTrees: readonly string[];
  readonly ignorePaths: readonly IgnoreRule[];
  /** Names of properties by class. */
  readonly ignoreProperties: ReadonlyMap<string, ReadonlySet<string>>;
  readonly syncCurrentCamera: boolean;
  readonly syncUnscriptable: boolean;
  readonly ignoreReferents: boolean;
}

/**
 * Whether an Instance is in one of the trees that are left out. Rojo compares the starts of the texts, so that a rule for
 * `Trash` also hits `TrashCan`; here a rule means whole names.
 */
export function isIgnoredTree({ ignoreTrees }: SyncbackRules, names: readonly string[]): boolean {
  const path = names.join("/");
  return ignoreTrees.some((tree) => path === tree || path.startsWith(`${tree}/`));
}

/** Whether a file is one that is never written or removed. What git keeps is not. */
export function isIgnoredPath({ ignorePaths }: SyncbackRules, path: string): boolean {
  return /(^|[/\\])\.git([/\\]|$)/.test(path) || isIgnored(path, ignorePaths);
}

/** A rule for a class holds for the classes that inherit from it. */
export function isIgnoredProperty(
  { ignoreProperties }: SyncbackRules,
  schema: FileSchema,
  className: string,
  property: string,
): boolean {
  for (const [ruled, names] of ignoreProperties)
    if (names.has(property) && schema.isA(className, ruled)) return true;
  return false;
}

/** `outer` are the globs of the projects around this one. Throws an Error that names the key of what is wrong. */
export function parseProjectRules(
  project: Readonly<Record<string, unknown>>,
  folder: string,
  outer: readonly IgnoreRule[],
): ProjectRules {
  const servePlaceIds = idsOf(project, "servePlaceIds");
  const blockedPlaceIds = idsOf(project, "blockedPlaceIds");
  const placeId = idOf(project, "placeId");
  const gameId = idOf(project, "gameId");
  return {
    // A project that does not say has legacy scripts, whatever the one around it says.
    emitLegacyScripts: flagOf(project, "emitLegacyScripts") ?? true,
    ignored: [...outer, ...parseIgnoreRules(project["globIgnorePaths"], folder)],
    syncRules: parseSyncRules(project["syncRules"]),
    syncback: parseSyncbackRules(project["syncbackRules"] ?? {}, folder),
    ...(servePlaceIds === undefined ? {} : { servePlaceIds }),
    ...(blockedPlaceIds === undefined ? {} : { blockedPlaceIds }),
    ...(placeId === undefined ? {} : { placeId }),
    ...(gameId === undefined ? {} : { gameId }),
  };
}

const SYNCBACK_KEYS = [
  "ignoreTrees",
  "ignorePaths",
  "ignoreProperties",
  "syncCurrentCamera",
  "syncUnscriptable",
  "ignoreReferents",
  "createIgnoreDirPaths",
];

function parseSyncbackRules(rules: unknown, folder: string): SyncbackRules {
  if (!isRecord(rules)) throw new Error("syncbackRules must be an object");
  const unknown = Object.keys(rules).find((key) => !SYNCBACK_KEYS.includes(key));
  if (unknown !== undefined)
    throw new Error(`syncbackRules knows no ${unknown}; it takes ${SYNCBACK_KEYS.join(", ")}`);
  const hasFolderRules = flagOf(rules, "createIgnoreDirPaths", "syncbackRules") ?? true;
  const globs = textsOf(rules["ignorePaths"], "syncbackRules.ignorePaths");
  return {
    ignoreTrees: textsOf(rules["ignoreTrees"], "syncbackRules.ignoreTrees").map((tree) =>
      tree.replace(/^\/+|\/+$/g, ""),
    ),
    ignorePaths: globs.flatMap((glob) => ignorePathRules(glob, folder, hasFolderRules)),
    ignoreProperties: parseIgnoreProperties(rules["ignoreProperties"]),
    syncCurrentCamera: flagOf(rules, "syncCurrentCamera", "syncbackRules") ?? false,
    syncUnscriptable: flagOf(rules, "syncUnscriptable", "syncbackRules") ?? true,
    ignoreReferents: flagOf(rules, "ignoreReferents", "syncbackRules") ?? false,
  };
}

/** A glob for all that is in a folder also means the folder, unless the project says otherwise. */
function ignorePathRules(glob: string, folder: string, hasFolderRules: boolean): IgnoreRule[] {
  const isNegation = glob.startsWith("!");
  const text = isNegation ? glob.slice(1) : glob;
  const globs = hasFolderRules && text.endsWith("/**") ? [text, text.slice(0, -"/**".length)] : [text];
  return globs.map((part) => ({ folder, pattern: namedGlob(part), isNegation }));
}

function namedGlob(glob: string): RegExp {
  try {
    return globOf(glob);
  } catch (error) {
    throw new Error(`syncbackRules.ignorePaths: ${error instanceof Error ? error.message : String(error)}`, {
      cause: error,
    });
  }
}

function parseIgnoreProperties(value: unknown): ReadonlyMap<string, ReadonlySet<string>> {
  if (value === undefined) return new Map();
  if (!isRecord(value)) throw new Error("syncbackRules.ignoreProperties must be an object of lists by class");
  return new Map(
    Object.entries(value).map(([className, names]) => [
      className,
      new Set(textsOf(names, `syncbackRules.ignoreProperties.${className}`)),
    ]),
  );
}

function textsOf(value: unknown, key: string): readonly string[] {
  if (value === undefined) return [];
  const texts = Array.isArray(value) ? value.filter((entry) => typeof entry === "string") : [];
  if (!Array.isArray(value) || texts.length < value.length) throw new Error(`${key} must be a list of texts`);
  return texts;
}

type Settings = Readonly<Record<string, unknown>>;

/** `null` counts as nothing said, as with Rojo. */
function flagOf(settings: Settings, key: string, parent?: string): boolean | undefined {
  const value = settings[key] ?? undefined;
  if (value === undefined || typeof value === "boolean") return value;
  throw new Error(`${parent === undefined ? "" : `${parent}.`}${key} must be true or false`);
}

const isId = (value: unknown): value is number => Number.isSafeInteger(value) && Number(value) >= 0;

function idOf(settings: Settings, key: string): number | undefined {
  const value = settings[key] ?? undefined;
  if (value === undefined || isId(value)) return value;
  throw new Error(`${key} must be the number of a place or game`);
}

function idsOf(settings: Settings, key: string): readonly number[] | undefined {
  const value = settings[key] ?? undefined;
  if (value === undefined) return undefined;
  const ids = Array.isArray(value) ? value.filter(isId) : [];
  if (!Array.isArray(value) || ids.length < value.length)
    throw new Error(`${key} must be a list of place ids`);
  return ids;
}
