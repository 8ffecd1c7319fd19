/** The kinds of files that Rojo knows, and what each makes of one. */
import { isUtf8 } from "node:buffer";
import { type ByteString, byteStringOf, utf8ByteString } from "../../util/bytes.ts";
import { decodeStrictly } from "../../util/strict-utf8.ts";
import { readModelFile } from "../model-file.ts";
import type { PropertyScope } from "./meta.ts";
import { localizationContents } from "./csv.ts";
import { readDiskTextAsync, strictText } from "./disk.ts";
import type { FileMemory } from "./file-memory.ts";
import { jsonModelNode } from "./json-model.ts";
import type { FileKindName } from "./kind-names.ts";
import { type KeyOrder, moduleSource } from "./luau-literal.ts";
import { keptNode, newNode, nodesOf, type RojoNode } from "./node.ts";
import { parseJsonAsync } from "./read-json.ts";
import { parseYaml } from "./read-yaml.ts";
import { text } from "./values.ts";

const RUN_CONTEXT = { server: 1, client: 2, plugin: 3 } as const;

/** What a file needs to know of the project that it belongs to. */
export interface FileScope extends PropertyScope {
  /** Whether client scripts are LocalScripts instead of Scripts with a RunContext. */
  readonly emitLegacyScripts: boolean;
  /** Whether models stay as their files have them, as `RojoNode.kept`, for readers that look into none. */
  readonly keepsModels: boolean;
  /** What earlier readings made of model files; used only where models are taken apart. */
  readonly memory?: FileMemory | undefined;
  /** Reads a project file inside the project. */
  readonly readProjectAsync: (file: string, fallbackName: string) => Promise<RojoNode | undefined>;
}

type MakeAsync = (path: string, name: string, scope: FileScope) => Promise<RojoNode | undefined>;

const KINDS = {
  serverScript: (path, name, scope) => scriptAsync(path, name, "server", scope.emitLegacyScripts, scope),
  clientScript: (path, name, scope) => scriptAsync(path, name, "client", scope.emitLegacyScripts, scope),
  pluginScript: (path, name, scope) => scriptAsync(path, name, "plugin", false, scope),
  legacyServerScript: (path, name, scope) => scriptAsync(path, name, "server", true, scope),
  legacyClientScript: (path, name, scope) => scriptAsync(path, name, "client", true, scope),
  runContextServerScript: (path, name, scope) => scriptAsync(path, name, "server", false, scope),
  runContextClientScript: (path, name, scope) => scriptAsync(path, name, "client", false, scope),
  moduleScript: async (path, name, scope) => ({
    ...module(name, await readSourceAsync(path, scope)),
    file: path,
  }),
  project: (path, name, scope) => scope.readProjectAsync(path, name),
  jsonModel: (path, name, scope) =>
    rememberedAsync(path, name, scope, async (bytes, inner) => {
      const json = strictText(bytes);
      return json.trim() === "" ? undefined : jsonModelNode(name, await parseJsonAsync(json), inner);
    }),
  json: async (path, name, { disk }) => data(name, await parseJsonAsync(await readDiskTextAsync(disk, path))),
  toml: async (path, name, { disk }) => data(name, Bun.TOML.parse(await readDiskTextAsync(disk, path))),
  yaml: async (path, name, { disk }) =>
    data(name, parseYaml(await readDiskTextAsync(disk, path)), "as written"),
  csv: async (path, name, { disk }) => localization(name, await readDiskTextAsync(disk, path)),
  text: async (path, name, { disk }) => stringValue(name, await readDiskTextAsync(disk, path)),
  rbxm: (path, name, scope) =>
    rememberedAsync(path, name, scope, async (bytes, inner) => model(name, bytes, inner)),
  rbxmx: (path, name, scope) =>
    rememberedAsync(path, name, scope, async (bytes, inner) => model(name, bytes, inner)),
} as const satisfies Readonly<Record<FileKindName, MakeAsync>>;

/** These say all about their Instance themselves. */
const WITHOUT_META: ReadonlySet<FileKindName> = new Set(["project", "jsonModel", "rbxm", "rbxmx"]);

/** Whether a `.meta.json` beside such a file adds to it. */
export const hasMeta = (kind: FileKindName): boolean => !WITHOUT_META.has(kind);

export function makeNodeAsync(
  kind: FileKindName,
  path: string,
  name: string,
  scope: FileScope,
): Promise<RojoNode | undefined> {
  return KINDS[kind](path, name, scope);
}

/** What is made of a model file, which is remembered where the scope has a memory. */
async function rememberedAsync(
  path: string,
  name: string,
  scope: FileScope,
  makeAsync: (bytes: Uint8Array, scope: FileScope) => Promise<RojoNode | undefined>,
): Promise<RojoNode | undefined> {
  const bytes = await scope.disk.readAsync(path);
  const { memory, keepsModels, schema } = scope;
  if (memory === undefined || keepsModels) return makeAsync(bytes, scope);
  const { root, problems } = await memory.nodeAsync(path, bytes, schema, (problems) =>
    makeAsync(bytes, { ...scope, problems }),
  );
  scope.problems.push(...problems.filter((problem) => !scope.problems.includes(problem)));
  if (root !== undefined) root.name = name;
  return root;
}

/** Scripts have the line ends of Unix. Throws an Error that names the first byte which is no UTF-8. */
async function readSourceAsync(path: string, { disk }: FileScope): Promise<ByteString> {
  const bytes = await disk.readAsync(path);
  if (!isUtf8(bytes)) throw notUtf8(bytes);
  return byteStringOf(bytes).replaceAll("\r\n", "\n");
}

function notUtf8(bytes: Uint8Array): Error {
  const fault = decodeStrictly(bytes);
  const place = typeof fault === "string" ? "" : ` at line ${fault.line}, byte ${fault.column}`;
  return new Error(`it is not UTF-8${place}; save it in that encoding`);
}

async function scriptAsync(
  path: string,
  name: string,
  side: keyof typeof RUN_CONTEXT,
  isLegacy: boolean,
  scope: FileScope,
): Promise<RojoNode> {
  const node = newNode(name, isLegacy && side === "client" ? "LocalScript" : "Script");
  if (!isLegacy) node.properties.set("RunContext", { type: "Enum", value: RUN_CONTEXT[side] });
  node.file = path;
  return withSource(node, await readSourceAsync(path, scope));
}

const module = (name: string, source: ByteString): RojoNode =>
  withSource(newNode(name, "ModuleScript"), source);

const data = (name: string, value: unknown, order: KeyOrder = "sorted"): RojoNode =>
  module(name, utf8ByteString(moduleSource(value, order)));

function withSource(node: RojoNode, source: ByteString): RojoNode {
  node.properties.set("Source", { type: "String", value: source });
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

function model(name: string, file: Uint8Array, { problems, keepsModels }: FileScope): RojoNode {
  const read = readModelFile(file);
  problems.push(...read.problems);
  const kept = keepsModels ? keptNode(read.model) : undefined;
  const [root, ...others] = kept === undefined ? nodesOf(read.model) : [kept];
  if (root === undefined || others.length > 0)
    throw new Error("a model in a project must have exactly one Instance at its top");
  root.name = name;
  return root;
}
