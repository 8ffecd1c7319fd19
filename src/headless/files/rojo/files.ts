/** What one file or folder of a project stands for, as Rojo maps them. */
import { readdir, readFile, stat } from "node:fs/promises";
import { basename, dirname, join, relative } from "node:path";
import { byteStringOf } from "../../../util/bytes.ts";
import { systemCodeOf, systemReason } from "../../../util/system-error.ts";
import { isBinaryModel, readBinaryModel } from "../binary-reader.ts";
import type { FileSchema } from "../schema.ts";
import { readXmlModel } from "../xml-reader.ts";
import { localizationContents } from "./csv.ts";
import { moduleSource } from "./luau-literal.ts";
import { applyMetaAsync } from "./meta.ts";
import { jsonModelNode } from "./json-model.ts";
import { newNode, nodesOf, type RojoNode } from "./node.ts";
import { text } from "./values.ts";

/** What all files of one project have in common. */
export interface ProjectScope {
  readonly schema: FileSchema;
  readonly folder: string;
  readonly ignored: readonly Bun.Glob[];
  /** Whether client scripts are LocalScripts instead of Scripts with a RunContext. */
  readonly emitLegacyScripts: boolean;
  /** Project files that are being read, outermost first. */
  readonly openProjects: readonly string[];
  readonly problems: string[];
  readonly readProjectAsync: (file: string, fallbackName: string, scope: ProjectScope) => Promise<RojoNode>;
}

const INIT_FILES = [
  "default.project.json",
  "init.luau",
  "init.lua",
  "init.server.luau",
  "init.server.lua",
  "init.client.luau",
  "init.client.lua",
  "init.csv",
];
const RUN_CONTEXT = { server: 1, client: 2, plugin: 3 } as const;

/** The Instance of a file or folder; undefined where there is none, or Rojo knows no such file. */
export async function nodeOfAsync(path: string, scope: ProjectScope): Promise<RojoNode | undefined> {
  const facts = await stat(path).catch((error: unknown) => {
    if (systemCodeOf(error) === "ENOENT") return undefined;
    throw error;
  });
  if (facts === undefined) return undefined;
  if (facts.isDirectory()) return folderNodeAsync(path, scope);
  return INIT_FILES.includes(basename(path)) ? undefined : fileNodeAsync(path, scope);
}

async function folderNodeAsync(path: string, scope: ProjectScope): Promise<RojoNode> {
  const names = (await readdir(path)).sort();
  const init = INIT_FILES.find((name) => names.includes(name));
  const name = basename(path);
  if (init === "default.project.json") return scope.readProjectAsync(join(path, init), name, scope);
  const node =
    init === undefined ? newNode(name, "Folder") : await fileNodeAsync(join(path, init), scope, name);
  if (node === undefined) throw new Error(`${join(path, init ?? "")} is nothing that Rojo knows`);
  for (const child of names) {
    const childPath = join(path, child);
    if (isIgnored(childPath, scope)) continue;
    const made = await nodeOfAsync(childPath, scope);
    if (made !== undefined) node.children.push(made);
  }
  await applyMetaAsync(node, join(path, "init.meta.json"), scope.schema);
  return node;
}

function isIgnored(path: string, { folder, ignored }: ProjectScope): boolean {
  const inProject = relative(folder, path).replaceAll("\\", "/");
  return ignored.some((glob) => glob.match(inProject));
}

interface FileKind {
  readonly pattern: RegExp;
  readonly makeAsync: (path: string, name: string, scope: ProjectScope) => Promise<RojoNode> | RojoNode;
}

/** First match wins; the part before the match is the name. */
const FILE_KINDS: readonly FileKind[] = [
  { pattern: /\.server\.luau?$/, makeAsync: (path, name, scope) => scriptAsync(path, name, "server", scope) },
  { pattern: /\.client\.luau?$/, makeAsync: (path, name, scope) => scriptAsync(path, name, "client", scope) },
  { pattern: /\.plugin\.luau?$/, makeAsync: (path, name, scope) => scriptAsync(path, name, "plugin", scope) },
  { pattern: /\.luau?$/, makeAsync: async (path, name) => module(name, await readFile(path)) },
  {
    pattern: /\.project\.json$/,
    makeAsync: (path, name, scope) => scope.readProjectAsync(path, name, scope),
  },
  {
    pattern: /\.model\.json$/,
    makeAsync: async (path, name, { schema }) =>
      jsonModelNode(name, parseJson(await readTextAsync(path)), schema),
  },
  { pattern: /\.json$/, makeAsync: async (path, name) => data(name, parseJson(await readTextAsync(path))) },
  {
    pattern: /\.toml$/,
    makeAsync: async (path, name) => data(name, Bun.TOML.parse(await readTextAsync(path))),
  },
  {
    pattern: /\.ya?ml$/,
    makeAsync: async (path, name) => data(name, Bun.YAML.parse(await readTextAsync(path))),
  },
  { pattern: /\.csv$/, makeAsync: async (path, name) => localization(name, await readTextAsync(path)) },
  { pattern: /\.txt$/, makeAsync: async (path, name) => stringValue(name, await readTextAsync(path)) },
  {
    pattern: /\.rbxmx?$/,
    makeAsync: async (path, name, scope) => model(name, await readFile(path), scope),
  },
];

async function fileNodeAsync(
  path: string,
  scope: ProjectScope,
  folderName?: string,
): Promise<RojoNode | undefined> {
  const file = basename(path);
  const kind = FILE_KINDS.find(({ pattern }) => pattern.test(file));
  if (kind === undefined || file.endsWith(".meta.json")) return undefined;
  const name = file.replace(kind.pattern, "");
  try {
    const node = await kind.makeAsync(path, folderName ?? name, scope);
    // A folder's own file is described by the folder's init.meta.json.
    const isProject = file.endsWith(".project.json");
    if (folderName === undefined && !isProject)
      await applyMetaAsync(node, join(dirname(path), `${name}.meta.json`), scope.schema);
    return node;
  } catch (error) {
    throw inFile(path, error);
  }
}

/** Something is wrong in a file of a project; the message is `PATH: REASON`. */
export class FileFault extends Error {
  readonly path: string;
  readonly reason: string;

  constructor(path: string, cause: unknown) {
    const reason = systemCodeOf(cause) === "ENOENT" ? "no such file" : systemReason(cause);
    super(`${path}: ${reason}`, { cause });
    this.path = path;
    this.reason = reason;
  }
}

/** Says in which file something is wrong, once. */
export function inFile(path: string, error: unknown): FileFault {
  return error instanceof FileFault ? error : new FileFault(path, error);
}

async function readTextAsync(path: string): Promise<string> {
  return new TextDecoder("utf-8", { fatal: true }).decode(await readFile(path));
}

/** With comments and trailing commas, which Rojo allows. */
export const parseJson = (source: string): unknown => Bun.JSONC.parse(source);

async function scriptAsync(
  path: string,
  name: string,
  side: keyof typeof RUN_CONTEXT,
  { emitLegacyScripts }: ProjectScope,
): Promise<RojoNode> {
  const isLegacy = emitLegacyScripts && side !== "plugin";
  const node = newNode(name, isLegacy && side === "client" ? "LocalScript" : "Script");
  if (!isLegacy) node.properties.set("RunContext", { type: "Enum", value: RUN_CONTEXT[side] });
  return withSource(node, await readFile(path));
}

const module = (name: string, source: Uint8Array): RojoNode =>
  withSource(newNode(name, "ModuleScript"), source);

const data = (name: string, value: unknown): RojoNode => module(name, Buffer.from(moduleSource(value)));

function withSource(node: RojoNode, source: Uint8Array): RojoNode {
  node.properties.set("Source", { type: "String", value: byteStringOf(source) });
  return node;
}

function localization(name: string, csv: string): RojoNode {
  const node = newNode(name, "LocalizationTable");
  node.properties.set("Contents", text(localizationContents(csv)));
  return node;
}

function stringValue(name: string, value: string): RojoNode {
  const node = newNode(name, "StringValue");
  node.properties.set("Value", text(value));
  return node;
}

function model(name: string, file: Uint8Array, { problems }: ProjectScope): RojoNode {
  const read = isBinaryModel(file)
    ? readBinaryModel(file)
    : readXmlModel(new TextDecoder("utf-8", { fatal: true }).decode(file));
  problems.push(...read.problems);
  const [root, ...others] = nodesOf(read.model);
  if (root === undefined || others.length > 0)
    throw new Error("a model in a project must have exactly one Instance at its top");
  root.name = name;
  return root;
}
