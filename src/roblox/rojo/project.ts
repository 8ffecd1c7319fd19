/** Rojo project files (`*.project.json`): the tree that they and the files they name stand for. */
import { basename, dirname, resolve } from "node:path";
import type { Model } from "../model.ts";
import type { FileSchema } from "../schema.ts";
import { type ProjectDisk, readDiskTextAsync, realDisk } from "./disk.ts";
import { inFile } from "./file-fault.ts";
import type { FileMemory } from "./file-memory.ts";
import { INIT_FILES } from "./file-names.ts";
import { nodeOfPathAsync, originOf, type ProjectScope } from "./files.ts";
import { applyStatement, ignoreUnknownOf } from "./meta.ts";
import { linkReferences, modelOf, newNode, type RojoNode, type RojoScript, scriptsOf } from "./node.ts";
import { asNested, type Origin, withStatement } from "./origin.ts";
import { parseProjectRules, type ProjectRules } from "./project-rules.ts";
import { parseJsonAsync } from "./read-json.ts";
import { reachOfProjectAsync } from "./roots.ts";
import { isRecord } from "./values.ts";

const PROJECT_SUFFIX = /\.project\.jsonc?$/i;
const DEFAULT_PROJECT = /^default\.project\.jsonc?$/;
/** Settings of Rojo's server, which mean nothing to a tree. */
const SERVER_SETTINGS = [
  "servePort",
  "servePlaceIds",
  "blockedPlaceIds",
  "placeId",
  "gameId",
  "serveAddress",
  "serveAllowedHosts",
  "syncbackRules",
];
const KNOWN = new Set([
  "name",
  "tree",
  "globIgnorePaths",
  "emitLegacyScripts",
  "syncRules",
  "$schema",
  ...SERVER_SETTINGS,
]);

export { FileFault } from "./file-fault.ts";
export type { RojoScript } from "./node.ts";

interface RojoProject {
  readonly name: string;
  readonly model: Model;
  readonly problems: readonly string[];
  /** Where its files are. */
  readonly folders: readonly string[];
  readonly scripts: ReadonlyMap<string, RojoScript>;
}

/** A project as nodes, each with its origin. */
export interface RojoTree {
  readonly name: string;
  readonly root: RojoNode;
  /** The project file and its folder, absolute. */
  readonly file: string;
  readonly folder: string;
  /** Of the project file; `projects` has those of the projects in it too, by their files. */
  readonly rules: ProjectRules;
  readonly projects: ReadonlyMap<string, ProjectRules>;
  readonly problems: readonly string[];
  /** Where its files are. */
  readonly folders: readonly string[];
}

/** The project as a model. Throws FileFault. */
export async function readRojoProjectAsync(
  file: string,
  schema: FileSchema,
  disk: ProjectDisk = realDisk,
): Promise<RojoProject> {
  const { name, root, problems, folders } = await readRojoTreeAsync(file, schema, disk, {
    keepsModels: true,
  });
  return { name, model: modelOf(root, schema), problems, folders, scripts: scriptsOf(root, schema) };
}

interface ReadOptions {
  /** Model files stay as they are (`RojoNode.kept`), which is faster for a reader that looks into none. */
  readonly keepsModels?: boolean;
  /** Of earlier readings of this project. */
  readonly memory?: FileMemory | undefined;
}

/** Throws FileFault. */
export async function readRojoTreeAsync(
  file: string,
  schema: FileSchema,
  disk: ProjectDisk = realDisk,
  { keepsModels = false, memory }: ReadOptions = {},
): Promise<RojoTree> {
  memory?.beginReading();
  const path = resolve(file);
  const folder = dirname(path);
  const problems: string[] = [];
  const folders = new Set([folder]);
  const projects = new Map<string, ProjectRules>();
  const root = await projectNodeAsync(path, basename(path).replace(PROJECT_SUFFIX, ""), {
    schema,
    folder,
    projectFile: path,
    reach: await reachOfProjectAsync(folder, disk).catch((error: unknown) => {
      throw inFile(path, error);
    }),
    ignored: [],
    syncRules: [],
    emitLegacyScripts: true,
    folders,
    projects,
    linksFrom: [],
    openProjects: [],
    problems,
    disk,
    keepsModels,
    memory,
    readProjectAsync: projectNodeAsync,
  });
  const rules = projects.get(path);
  if (root === undefined || rules === undefined) throw inFile(path, new Error("the tree is empty"));
  linkReferences(root);
  return { name: root.name, root, file: path, folder, rules, projects, problems, folders: [...folders] };
}

/** `fallback` is the name of a project that has none and does not stand for its folder. */
async function projectNodeAsync(
  file: string,
  fallback: string,
  outer: ProjectScope,
): Promise<RojoNode | undefined> {
  if (outer.openProjects.includes(file)) throw inFile(file, new Error("the project contains itself"));
  try {
    const project = await parseJsonAsync(await readDiskTextAsync(outer.disk, file));
    if (!isRecord(project) || !isRecord(project["tree"])) throw new Error("a project needs a tree");
    const unknown = Object.keys(project).filter((key) => !KNOWN.has(key));
    if (unknown.length > 0)
      outer.problems.push(
        `${basename(file)}: ${unknown.join(", ")} left out: Rojo knows no such setting of a project.`,
      );
    const folder = dirname(file);
    const rules = parseProjectRules(project, folder, outer.ignored);
    outer.projects.set(file, rules);
    const { emitLegacyScripts, ignored, syncRules } = rules;
    const scope: ProjectScope = {
      ...outer,
      folder,
      projectFile: file,
      ignored,
      syncRules,
      emitLegacyScripts,
      openProjects: [...outer.openProjects, file],
    };
    const { name = DEFAULT_PROJECT.test(basename(file)) ? basename(folder) : fallback } = project;
    return await treeNodeAsync(
      { name: String(name), keys: ["tree"], parentClass: "" },
      project["tree"],
      scope,
    );
  } catch (error) {
    throw inFile(file, error);
  }
}

type TreeEntry = Readonly<Record<string, unknown>>;

interface TreePlace {
  readonly name: string;
  /** The way to the entry from the top of the project file. */
  readonly keys: readonly string[];
  /** Empty for the root. */
  readonly parentClass: string;
}

/** Undefined for an optional path with nothing there. */
async function treeNodeAsync(
  place: TreePlace,
  entry: TreeEntry,
  scope: ProjectScope,
): Promise<RojoNode | undefined> {
  checkKeys(place, entry, scope);
  const node = await baseNodeAsync(place, entry, scope);
  if (node === undefined) return undefined;
  node.name = place.name;
  const id = textIn(entry, "$id");
  if (id !== undefined) node.id = id;
  const statement = applyStatement(node, entry["$properties"], entry["$attributes"], scope);
  if (node.origin !== undefined) node.origin = withStatement(node.origin, "project", statement);
  const names = Object.keys(entry).filter((key) => isChild(key, entry[key]));
  for (const name of names.sort(byBytes)) {
    const child = entry[name];
    if (!isRecord(child)) throw new Error(`"${name}" must be an object`);
    const inner = { name, keys: [...place.keys, name], parentClass: node.className };
    const made = await treeNodeAsync(inner, child, scope);
    if (made !== undefined) node.children.push(made);
  }
  return node;
}

const NODE_KEYS = new Set([
  "$className",
  "$path",
  "$id",
  "$properties",
  "$attributes",
  "$ignoreUnknownInstances",
]);

/** Rojo reserves names with `$`, and takes those that it does not know for children. */
const isChild = (key: string, value: unknown): boolean =>
  !key.startsWith("$") || (!NODE_KEYS.has(key) && isRecord(value));

/** A misspelt key would leave out what it says, so it is told. */
function checkKeys({ name }: TreePlace, entry: TreeEntry, { problems, projectFile }: ProjectScope): void {
  const unknown = Object.keys(entry).filter((key) => key.startsWith("$") && !NODE_KEYS.has(key));
  const children = unknown.filter((key) => isChild(key, entry[key]));
  const leftOut = unknown.filter((key) => !children.includes(key));
  const where = basename(projectFile);
  if (leftOut.length > 0)
    problems.push(`${where}: ${leftOut.join(", ")} of "${name}" left out: Rojo knows no such key of a node.`);
  if (children.length > 0)
    problems.push(
      `${where}: ${children.join(", ")} of "${name}" became a child, as Rojo does, which reserves names with $; rename it.`,
    );
}

/** Throws an Error for what is no text. */
function textIn(entry: TreeEntry, key: string): string | undefined {
  const value = entry[key];
  if (value === undefined || value === null) return undefined;
  if (typeof value !== "string") throw new Error(`${key} must be a string`);
  return value;
}

/** As Rojo orders the children of a project's node. */
const byBytes = (a: string, b: string): number => Buffer.compare(Buffer.from(a), Buffer.from(b));

/** The Instance before what the project says about its properties and children. */
async function baseNodeAsync(
  place: TreePlace,
  entry: TreeEntry,
  scope: ProjectScope,
): Promise<RojoNode | undefined> {
  const path = pathOf(entry, scope);
  const found = path === undefined ? undefined : await nodeOfPathAsync(path.path, scope);
  const stated = textIn(entry, "$className");
  const className = stated ?? inferredClass(place.name, place.parentClass, scope.schema);
  const node =
    found === undefined
      ? nodeWithoutPath(place.name, className, path, scope)
      : withClass(found, place.name, stated, className);
  if (node?.origin === undefined) return undefined;
  const ignoreUnknown = ignoreUnknownOf(entry["$ignoreUnknownInstances"], "$ignoreUnknownInstances");
  node.origin = {
    ...asNested(node.origin),
    project: {
      file: scope.projectFile,
      keys: place.keys,
      ...(path === undefined ? {} : { path: path.path }),
    },
    ...(ignoreUnknown === undefined ? {} : { ignoreUnknownInstances: ignoreUnknown }),
  };
  return node;
}

/** The Instance of an entry without files. Undefined for an optional path with nothing there. */
function nodeWithoutPath(
  name: string,
  className: string | undefined,
  path: StatedPath | undefined,
  scope: ProjectScope,
): RojoNode | undefined {
  const advice = path !== undefined && INIT_FILES.includes(basename(path.path)) ? "; name its folder" : "";
  const missing = `"${name}": there is not a file that Rojo knows at ${path?.text}${advice}`;
  if (className === undefined && path?.isOptional === true) return undefined;
  if (className === undefined)
    throw new Error(
      path === undefined ? `"${name}" needs a $className or a $path, or the name of a service` : missing,
    );
  // Rojo goes on with a class alone, and would not say so.
  if (path?.isOptional === false) scope.problems.push(`${missing}.`);
  const origin: Origin = {
    ...originOf(scope),
    kind: "projectNode",
    path: scope.projectFile,
    ignoreUnknownInstances: path === undefined,
    statedClass: "project",
  };
  return { ...newNode(name, className), origin };
}

/** Only a folder becomes what the project says. `className` is what it states, or what the name means there. */
function withClass(
  node: RojoNode,
  name: string,
  stated: string | undefined,
  className: string | undefined,
): RojoNode {
  if (node.className !== "Folder" && stated !== undefined && stated !== node.className)
    throw new Error(`"${name}" has $className ${stated}, but its $path is a ${node.className}`);
  if (node.className !== "Folder" || className === undefined || node.origin === undefined) return node;
  node.className = className;
  node.origin = { ...node.origin, statedClass: "project" };
  return node;
}

interface StatedPath {
  /** As the project writes it. */
  readonly text: string;
  /** Absolute. */
  readonly path: string;
  readonly isOptional: boolean;
}

function pathOf({ $path }: TreeEntry, { folder }: ProjectScope): StatedPath | undefined {
  if (typeof $path === "string") return { text: $path, path: resolve(folder, $path), isOptional: false };
  if ($path === undefined || $path === null) return undefined;
  if (!isRecord($path) || typeof $path["optional"] !== "string")
    throw new Error('$path must be a string, or { "optional": "…" }');
  const text = $path["optional"];
  return { text, path: resolve(folder, text), isOptional: true };
}

const STARTER_SCRIPTS = new Set(["StarterPlayerScripts", "StarterCharacterScripts"]);

/** What a place has under a name already. */
function inferredClass(name: string, parentClass: string, schema: FileSchema): string | undefined {
  if (parentClass === "DataModel") return schema.isService(name) ? name : undefined;
  if (parentClass === "StarterPlayer") return STARTER_SCRIPTS.has(name) ? name : undefined;
  return parentClass === "Workspace" && name === "Terrain" ? name : undefined;
}
