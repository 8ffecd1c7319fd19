/** Rojo project files (`*.project.json`): the tree that they and the files they name stand for. */
import { basename, dirname, resolve } from "node:path";
import type { Model } from "../model.ts";
import type { FileSchema } from "../schema.ts";
import { readDiskTextAsync, realDisk } from "./disk.ts";
import { inFile, nodeOfAsync, type ProjectScope } from "./files.ts";
import { parseIgnoreRules } from "./ignore-rules.ts";
import { applyAttributes, applyProperties } from "./meta.ts";
import { modelOf, newNode, type RojoNode, type RojoScript, scriptsOf } from "./node.ts";
import { parseJsonAsync } from "./read-json.ts";
import { parseSyncRules } from "./sync-rules.ts";
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

export { FileFault } from "./files.ts";
export type { RojoScript } from "./node.ts";

interface RojoProject {
  readonly name: string;
  readonly model: Model;
  readonly problems: readonly string[];
  /** Where its files are. */
  readonly folders: readonly string[];
  readonly scripts: ReadonlyMap<string, RojoScript>;
}

/** Throws FileFault. */
export async function readRojoProjectAsync(file: string, schema: FileSchema): Promise<RojoProject> {
  const path = resolve(file);
  const problems: string[] = [];
  const folders = new Set([dirname(path)]);
  const root = await projectNodeAsync(path, basename(path).replace(PROJECT_SUFFIX, ""), {
    schema,
    folder: dirname(path),
    ignored: [],
    syncRules: [],
    emitLegacyScripts: true,
    folders,
    openProjects: [],
    problems,
    disk: realDisk,
    readProjectAsync: projectNodeAsync,
  });
  if (root === undefined) throw inFile(path, new Error("the tree is empty"));
  const [model, scripts] = [modelOf(root, schema), scriptsOf(root, schema)];
  return { name: root.name, model, problems, folders: [...folders], scripts };
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
      outer.problems.push(`${basename(file)}: ${unknown.join(", ")} not supported by headless Studio.`);
    const folder = dirname(file);
    const scope: ProjectScope = {
      ...outer,
      folder,
      ignored: [...outer.ignored, ...parseIgnoreRules(project["globIgnorePaths"], folder)],
      syncRules: parseSyncRules(project["syncRules"]),
      // A project that does not say has legacy scripts, whatever the one around it says.
      emitLegacyScripts: project["emitLegacyScripts"] !== false,
      openProjects: [...outer.openProjects, file],
    };
    const { name = DEFAULT_PROJECT.test(basename(file)) ? basename(folder) : fallback } = project;
    return await treeNodeAsync(String(name), project["tree"], "", scope);
  } catch (error) {
    throw inFile(file, error);
  }
}

type TreeEntry = Readonly<Record<string, unknown>>;

/** `parentClass` is empty for the root. Undefined for an optional path with nothing there. */
async function treeNodeAsync(
  name: string,
  entry: TreeEntry,
  parentClass: string,
  scope: ProjectScope,
): Promise<RojoNode | undefined> {
  const node = await baseNodeAsync(name, entry, parentClass, scope);
  if (node === undefined) return undefined;
  node.name = name;
  const { $id } = entry;
  if (typeof $id === "string") node.id = $id;
  applyProperties(node, entry["$properties"], scope);
  applyAttributes(node, entry["$attributes"]);
  const names = Object.keys(entry).filter((key) => !key.startsWith("$"));
  for (const childName of names.sort(byBytes)) {
    const child = entry[childName];
    if (!isRecord(child)) throw new Error(`"${childName}" must be an object`);
    const made = await treeNodeAsync(childName, child, node.className, scope);
    if (made !== undefined) node.children.push(made);
  }
  return node;
}

/** As Rojo orders the children of a project's node. */
const byBytes = (a: string, b: string): number => Buffer.compare(Buffer.from(a), Buffer.from(b));

/** The Instance before what the project says about its properties and children. */
async function baseNodeAsync(
  name: string,
  entry: TreeEntry,
  parentClass: string,
  scope: ProjectScope,
): Promise<RojoNode | undefined> {
  const found = await pathNodeAsync(entry, scope);
  const { $className } = entry;
  const stated = typeof $className === "string" ? $className : undefined;
  const inferred = inferredClass(name, parentClass, scope.schema);
  if (found === undefined) {
    const path = pathOf(entry);
    const missing = `"${name}": there is nothing that Rojo knows at ${path?.path}`;
    const className = stated ?? inferred;
    // Rojo goes on with a class alone, and would not say so.
    if (className !== undefined && path?.isOptional === false) scope.problems.push(`${missing}.`);
    if (className !== undefined) return newNode(name, className);
    if (path?.isOptional === true) return undefined;
    throw new Error(
      path === undefined ? `"${name}" needs a $className or a $path, or the name of a service` : missing,
    );
  }
  if (found.className === "Folder") found.className = stated ?? inferred ?? "Folder";
  else if (stated !== undefined && stated !== found.className)
    throw new Error(`"${name}" has $className ${stated}, but its $path is a ${found.className}`);
  return found;
}

function pathOf(entry: TreeEntry): { readonly path: string; readonly isOptional: boolean } | undefined {
  const { $path } = entry;
  if (typeof $path === "string") return { path: $path, isOptional: false };
  if (isRecord($path) && typeof $path["optional"] === "string")
    return { path: $path["optional"], isOptional: true };
  return undefined;
}

async function pathNodeAsync(entry: TreeEntry, scope: ProjectScope): Promise<RojoNode | undefined> {
  const named = pathOf(entry);
  return named === undefined ? undefined : nodeOfAsync(resolve(scope.folder, named.path), scope);
}

const STARTER_SCRIPTS = new Set(["StarterPlayerScripts", "StarterCharacterScripts"]);

/** What a place has under a name already. */
function inferredClass(name: string, parentClass: string, schema: FileSchema): string | undefined {
  if (parentClass === "DataModel") return schema.isService(name) ? name : undefined;
  if (parentClass === "StarterPlayer") return STARTER_SCRIPTS.has(name) ? name : undefined;
  return parentClass === "Workspace" && name === "Terrain" ? name : undefined;
}
