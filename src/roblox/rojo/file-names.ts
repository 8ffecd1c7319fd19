/** What Rojo takes a file for, by its name and by the sync rules of its project. */
import { basename } from "node:path";
import { pathInside } from "../../util/path-inside.ts";
import type { FileKindName } from "./kind-names.ts";
import { nameBy, ruleFor, type SyncRule } from "./sync-rules.ts";

/** The files that make something of their folder, in the order in which they are looked for. */
export const INIT_FILES = [
  "init.luau",
  "init.lua",
  "init.server.luau",
  "init.server.lua",
  "init.client.luau",
  "init.client.lua",
  "init.plugin.lua",
  "init.plugin.luau",
  "init.csv",
];

/** First match wins; the part before the match is the name. */
const BY_NAME: readonly (readonly [pattern: RegExp, kind: FileKindName])[] = [
  [/\.server\.luau?$/, "serverScript"],
  [/\.client\.luau?$/, "clientScript"],
  [/\.plugin\.luau?$/, "pluginScript"],
  [/\.luau?$/, "moduleScript"],
  [/\.project\.jsonc?$/, "project"],
  [/\.model\.jsonc?$/, "jsonModel"],
  [/\.jsonc?$/, "json"],
  [/\.toml$/, "toml"],
  [/\.ya?ml$/, "yaml"],
  [/\.csv$/, "csv"],
  [/\.txt$/, "text"],
  [/\.rbxm$/, "rbxm"],
  [/\.rbxmx$/, "rbxmx"],
];

export interface KnownFile {
  readonly kind: FileKindName;
  /** Of its Instance. */
  readonly name: string;
}

/** By Rojo's own rules. */
function kindByName(fileName: string): KnownFile | undefined {
  if (/\.meta\.jsonc?$/.test(fileName)) return undefined;
  const [pattern, kind] = BY_NAME.find(([candidate]) => candidate.test(fileName)) ?? [];
  if (pattern === undefined || kind === undefined) return undefined;
  return { kind, name: fileName.replace(pattern, "") };
}

/** The project that a file belongs to. */
interface NamingScope {
  readonly folder: string;
  readonly syncRules: readonly SyncRule[];
}

/**
 * Undefined for a file that Rojo does not know. The project's own rules come first, but not for the file that a folder is
 * made of.
 */
export function knownFile(path: string, scope: NamingScope, isInit: boolean): KnownFile | undefined {
  const fileName = basename(path);
  const rule = isInit ? undefined : ruleFor(pathInside(scope.folder, path), scope.syncRules);
  if (rule === undefined) return kindByName(fileName);
  return rule.kind === undefined ? undefined : { kind: rule.kind, name: nameBy(rule, fileName) };
}
