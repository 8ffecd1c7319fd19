/** Which names files can bear, and by which form files write a new Instance. Pure: it looks at no disk. */
import { join } from "node:path";
import type { FileSchema } from "../schema.ts";
import { INIT_FILES, knownFile } from "./file-names.ts";
import type { FileKindName } from "./kind-names.ts";
import type { ProjectRules } from "./project-rules.ts";

/** Windows keeps these names for devices, in any case and with any extension. */
const DEVICE = /^(con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³]|conin\$|conout\$)[ ]*(\.|$)/i;
const FORBIDDEN = /[<>:"/\\|?*\u0000-\u001f\u007f]/;
/** The limit of most file systems, in bytes. */
const MAX_NAME_BYTES = 255;
/** What git and sync keep in a folder for themselves. */
const RESERVED = new Set([".git", ".sb"]);

/** Why no file or folder can have a name on every system, to be put behind the name; undefined where one can. */
export function nameFault(name: string): string | undefined {
  if (name === "") return "is empty";
  const forbidden = FORBIDDEN.exec(name)?.[0];
  if (forbidden !== undefined) return `has the character ${shown(forbidden)}, which file names cannot have`;
  if (/[. ]$/.test(name)) return "ends with a dot or a space, which Windows drops";
  if (DEVICE.test(name)) return "is the name of a device on Windows";
  if (RESERVED.has(name.toLowerCase())) return "is the name of a folder that is not part of a project";
  if (!name.isWellFormed()) return "is not well-formed text";
  if (Buffer.byteLength(name) > MAX_NAME_BYTES) return `is longer than ${MAX_NAME_BYTES} bytes`;
  return undefined;
}

const shown = (character: string): string =>
  character < " " || character === "\u007f"
    ? `U+${character.charCodeAt(0).toString(16).toUpperCase().padStart(4, "0")}`
    : character;

/** The same for names that some systems take for one. */
export const nameKey = (name: string): string => name.normalize("NFC").toLowerCase();

/** Why no folder can stand for an Instance of a name. */
export function folderNameFault(name: string): string | undefined {
  const isTrap = INIT_FILES.includes(nameKey(name)) || /^default\.project\.jsonc?$/.test(nameKey(name));
  return nameFault(name) ?? (isTrap ? "is the name of a file that says what its folder is" : undefined);
}

/** A file for a new Instance. */
export interface NewFile {
  readonly kind: FileKindName;
  /** Behind the name of the Instance: `.server.luau`. */
  readonly suffix: string;
}

/** Why a file of `folder` cannot stand for an Instance of a name: among others, because it would be read as another. */
export function fileNameFault(
  name: string,
  { kind, suffix }: NewFile,
  folder: string,
  project: { readonly folder: string; readonly rules: Pick<ProjectRules, "syncRules"> },
): string | undefined {
  if (nameKey(name) === "init") return "is the name of the file that says what its folder is";
  const fault = nameFault(name) ?? nameFault(name + suffix);
  if (fault !== undefined) return fault;
  const scope = { folder: project.folder, syncRules: project.rules.syncRules };
  const read = knownFile(join(folder, name + suffix), scope, false);
  if (read?.kind === kind && read.name === name) return undefined;
  const otherwise = read === undefined ? "left out" : `read as ${read.name} (${read.kind})`;
  return `would be ${otherwise} from a file named ${name}${suffix}`;
}

/** What decides the form of a new Instance. */
export interface FormFacts {
  readonly className: string;
  readonly hasChildren: boolean;
  /** Whether a script is anywhere below it. */
  readonly holdsScripts: boolean;
  /** Of a script; undefined stands for Legacy. */
  readonly runContext?: number;
}

export type NewForm =
  | { readonly type: "file"; readonly file: NewFile; readonly stated: StatedByForm }
  /** `init` is the file in the folder that makes it what it is; without one the meta file states the class. */
  | { readonly type: "folder"; readonly init?: NewFile; readonly stated: StatedByForm }
  | { readonly type: "none"; readonly reason: string };

/** What a form says by itself; what it leaves open and the Instance has belongs into the meta file. */
export interface StatedByForm {
  readonly className: string;
  /** The properties that are the content of the file. */
  readonly content: readonly string[];
  /** Of a script. */
  readonly runContext?: number;
}

const FOLDERS = new Set(["Folder", "Configuration", "Tool"]);
const SCRIPTS = new Set(["Script", "LocalScript", "ModuleScript"]);
/** The classes without a value of their own that Rojo writes as JSON. */
const JSON_CLASSES = new Set([
  "Actor",
  "Atmosphere",
  "BindableEvent",
  "BindableFunction",
  "BloomEffect",
  "BlurEffect",
  "BubbleChatConfiguration",
  "ChannelTabsConfiguration",
  "ChatInputBarConfiguration",
  "ChatWindowConfiguration",
  "ColorCorrectionEffect",
  "DepthOfFieldEffect",
  "ParticleEmitter",
  "RemoteEvent",
  "RemoteFunction",
  "Sky",
  "Sound",
  "SoundGroup",
  "SunRaysEffect",
  "TextChannel",
  "TextChatCommand",
  "UnreliableRemoteEvent",
]);

const isJsonClass = (schema: FileSchema, className: string): boolean =>
  JSON_CLASSES.has(className) || schema.isA(className, "ValueBase");

/**
 * The form of a new Instance. Scripts always are files of their own: what holds some becomes a folder, where Rojo would
 * write a binary model with the scripts inside.
 */
export function formOf(facts: FormFacts, schema: FileSchema, rules: ProjectRules): NewForm {
  const { className, hasChildren, holdsScripts } = facts;
  if (SCRIPTS.has(className)) return scriptForm(facts, rules);
  if (className === "LocalizationTable")
    return contentForm(hasChildren, { kind: "csv", suffix: ".csv" }, { className, content: ["Contents"] });
  const isText = className === "StringValue";
  if (FOLDERS.has(className) || (hasChildren && (holdsScripts || isText || isJsonClass(schema, className))))
    return { type: "folder", stated: { className: "Folder", content: [] } };
  if (isText) return contentForm(false, { kind: "text", suffix: ".txt" }, { className, content: ["Value"] });
  const file: NewFile = isJsonClass(schema, className)
    ? { kind: "jsonModel", suffix: ".model.json" }
    : { kind: "rbxm", suffix: ".rbxm" };
  return { type: "file", file, stated: { className, content: [] } };
}

const contentForm = (hasChildren: boolean, file: NewFile, stated: StatedByForm): NewForm =>
  hasChildren ? { type: "folder", init: file, stated } : { type: "file", file, stated };

/** What files of a kind are read as; the first of the kinds that fits is taken. */
interface ScriptKind extends NewFile {
  readonly className: string;
  readonly runContext?: number;
}

/** The suffixes that every project knows. */
const scriptKinds = (isLegacy: boolean): readonly ScriptKind[] => [
  { kind: "moduleScript", suffix: ".luau", className: "ModuleScript" },
  { kind: "serverScript", suffix: ".server.luau", className: "Script", runContext: isLegacy ? 0 : 1 },
  isLegacy
    ? { kind: "clientScript", suffix: ".client.luau", className: "LocalScript" }
    : { kind: "clientScript", suffix: ".client.luau", className: "Script", runContext: 2 },
  { kind: "pluginScript", suffix: ".plugin.luau", className: "Script", runContext: 3 },
];

/** What sync rules can say in addition. */
const RULED_KINDS: Readonly<Partial<Record<FileKindName, { className: string; runContext?: number }>>> = {
  legacyServerScript: { className: "Script", runContext: 0 },
  legacyClientScript: { className: "LocalScript" },
  runContextServerScript: { className: "Script", runContext: 1 },
  runContextClientScript: { className: "Script", runContext: 2 },
};

function scriptForm({ className, hasChildren, runContext = 0 }: FormFacts, rules: ProjectRules): NewForm {
  const own = scriptKinds(rules.emitLegacyScripts);
  const ruled = rules.syncRules.flatMap(({ kind, suffix }): ScriptKind[] => {
    const said = kind === undefined ? undefined : RULED_KINDS[kind];
    return kind === undefined || said === undefined || suffix === undefined
      ? []
      : [{ kind, suffix, ...said }];
  });
  // A folder's init file is never read by a sync rule.
  const kinds = (hasChildren ? own : [...own, ...ruled]).filter((kind) => kind.className === className);
  const exact = kinds.find((kind) => (kind.runContext ?? runContext) === runContext);
  const found = exact ?? kinds[0];
  if (found === undefined)
    return {
      type: "none",
      reason: `no file is read as a ${className} in a project with "emitLegacyScripts": false; make it a Script whose RunContext is Client`,
    };
  const { kind, suffix } = found;
  const stated: StatedByForm = {
    className,
    content: ["Source"],
    ...(found.runContext === undefined ? {} : { runContext: found.runContext }),
  };
  return contentForm(hasChildren, { kind, suffix }, stated);
}
