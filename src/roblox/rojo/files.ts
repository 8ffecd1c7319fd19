/** What one file or folder of a project stands for, as Rojo maps them. */
import { basename, dirname, join } from "node:path";
import { isWithin } from "../../util/path-inside.ts";
import type { DiskEntry } from "./disk.ts";
import { type FileScope, hasMeta, makeNodeAsync } from "./file-kinds.ts";
import { inFile } from "./file-fault.ts";
import { INIT_FILES, knownFile } from "./file-names.ts";
import { isIgnored, type IgnoreRule } from "./ignore-rules.ts";
import { applyMetaAsync, type MetaOwner } from "./meta.ts";
import { newNode, type RojoNode } from "./node.ts";
import { type Origin, STATED_BY_FILE } from "./origin.ts";
import type { ProjectRules } from "./project-rules.ts";
import { type Reach, reachOfLink, reachOfPathAsync } from "./roots.ts";
import type { SyncRule } from "./sync-rules.ts";

/** What all files of one project have in common. */
export interface ProjectScope extends Omit<FileScope, "readProjectAsync"> {
  readonly folder: string;
  /** The project's file, as an absolute path. */
  readonly projectFile: string;
  readonly reach: Reach;
  /** Of this project and those around it, outermost first. */
  readonly ignored: readonly IgnoreRule[];
  readonly syncRules: readonly SyncRule[];
  /** Filled with every folder in which something of the project is. */
  readonly folders: Set<string>;
  /** Filled with the rules of every project that is read, by its file. */
  readonly projects: Map<string, ProjectRules>;
  /** Without links: the folders of the links that lead to what is being read. */
  readonly linksFrom: readonly string[];
  /** Project files that are being read, outermost first. */
  readonly openProjects: readonly string[];
  readonly readProjectAsync: (
    file: string,
    fallbackName: string,
    scope: ProjectScope,
  ) => Promise<RojoNode | undefined>;
}

/** Where sync keeps what it has taken out of a project, which is no part of the project any more. */
export const OWN_FOLDER = ".sb";

/** What a project file is called that stands for its folder, in the order in which they are looked for. */
export const DEFAULT_PROJECTS = ["default.project.json", "default.project.jsonc"] as const;

/** What a `$path` names; undefined where there is nothing, or Rojo knows no such file. */
export async function nodeOfPathAsync(path: string, scope: ProjectScope): Promise<RojoNode | undefined> {
  const kind = await scope.disk.kindAsync(path);
  if (kind === undefined) return undefined;
  const inner = { ...scope, reach: await reachOfPathAsync(path, scope.reach, scope.disk) };
  if (kind === "folder") return folderNodeAsync(path, inner);
  const folder = dirname(path);
  scope.folders.add(folder);
  if (INIT_FILES.includes(basename(path))) return undefined;
  return fileNodeAsync(path, listingOf(folder, await scope.disk.entriesAsync(folder)), inner);
}

/** A folder that has been listed. */
interface Listing {
  readonly folder: string;
  readonly names: ReadonlySet<string>;
}

const listingOf = (folder: string, entries: readonly DiskEntry[]): Listing => ({
  folder,
  names: new Set(entries.map(({ name }) => name)),
});

async function folderNodeAsync(path: string, scope: ProjectScope): Promise<RojoNode | undefined> {
  scope.folders.add(path);
  const entries = (await scope.disk.entriesAsync(path)).sort(byName);
  const listing = listingOf(path, entries);
  const name = basename(path);
  const project = DEFAULT_PROJECTS.find((candidate) => listing.names.has(candidate));
  if (project !== undefined) return scope.readProjectAsync(join(path, project), name, scope);
  const node = await initNodeAsync(name, listing, scope);
  for (const entry of entries) {
    if (entry.name === OWN_FOLDER) continue;
    const childPath = join(path, entry.name);
    if (isIgnored(childPath, scope.ignored)) continue;
    const made = await entryNodeAsync(childPath, entry, listing, scope);
    if (made !== undefined) node.children.push(made);
  }
  await applyMetasAsync(node, "init", "folder", listing, scope);
  return node;
}

/** As JavaScript sorts texts. */
const byName = (left: DiskEntry, right: DiskEntry): number => (left.name < right.name ? -1 : 1);

/** The Instance of a folder before its children and its meta file. */
async function initNodeAsync(name: string, listing: Listing, scope: ProjectScope): Promise<RojoNode> {
  const { folder, names } = listing;
  const init = INIT_FILES.find((candidate) => names.has(candidate));
  if (init === undefined)
    return { ...newNode(name, "Folder"), origin: { ...originOf(scope), kind: "folder", path: folder } };
  const path = join(folder, init);
  const node = await fileNodeAsync(path, listing, scope, name);
  if (node?.origin === undefined) throw new Error(`${path} is not a file that Rojo knows`);
  node.origin = { ...node.origin, kind: "folder", path: folder, init: path };
  return node;
}

async function entryNodeAsync(
  path: string,
  entry: DiskEntry,
  listing: Listing,
  scope: ProjectScope,
): Promise<RojoNode | undefined> {
  if (entry.kind === "folder") return folderNodeAsync(path, scope);
  if (entry.kind === "link") return linkNodeAsync(path, listing, scope);
  return INIT_FILES.includes(entry.name) ? undefined : fileNodeAsync(path, listing, scope);
}

/** A link that leads nowhere is left out, as Rojo does. */
async function linkNodeAsync(
  path: string,
  listing: Listing,
  scope: ProjectScope,
): Promise<RojoNode | undefined> {
  const { disk } = scope;
  const kind = await disk.kindAsync(path);
  if (kind === undefined) return undefined;
  const isFolder = kind === "folder";
  const target = await disk.realPathAsync(path);
  const linksFrom = [...scope.linksFrom, await disk.realPathAsync(listing.folder)];
  if (isFolder && linksFrom.some((from) => isWithin(target, from)))
    throw inFile(path, new Error("the link leads to a folder that contains it"));
  const inner = { ...scope, linksFrom, reach: reachOfLink(target, scope.reach) };
  if (isFolder) return folderNodeAsync(path, inner);
  return INIT_FILES.includes(basename(path)) ? undefined : fileNodeAsync(path, listing, inner);
}

/** What all origins of a scope have in common. */
export const originOf = ({ projectFile, reach }: ProjectScope) => ({
  projectFile,
  ...(reach.isOutside ? { isOutside: true as const } : {}),
  ...STATED_BY_FILE,
});

async function fileNodeAsync(
  path: string,
  listing: Listing,
  scope: ProjectScope,
  folderName?: string,
): Promise<RojoNode | undefined> {
  const known = knownFile(path, scope, folderName !== undefined);
  if (known === undefined) return undefined;
  const { kind } = known;
  const name = folderName ?? known.name;
  try {
    const readProjectAsync = (file: string, fallback: string) =>
      scope.readProjectAsync(file, fallback, scope);
    const node = await makeNodeAsync(kind, path, name, { ...scope, readProjectAsync });
    if (node === undefined || kind === "project") return node;
    node.origin = { kind, path, fileKind: kind, ...originOf(scope) };
    setPartOrigins(node, node.origin, []);
    if (hasMeta(kind)) await applyMetasAsync(node, name, "file", listing, scope);
    return node;
  } catch (error) {
    throw inFile(path, error);
  }
}

/** What is in a file of several Instances, below the first. */
function setPartOrigins({ children }: RojoNode, origin: Origin, position: readonly number[]): void {
  for (const [index, child] of children.entries()) {
    const own = [...position, index];
    child.origin = { ...origin, kind: "part", position: own };
    if (child.children.length > 0) setPartOrigins(child, origin, own);
  }
}

/** The meta files of `stem`: Rojo reads both, one after the other. */
async function applyMetasAsync(
  node: RojoNode,
  stem: string,
  owner: MetaOwner,
  { folder, names }: Listing,
  scope: ProjectScope,
): Promise<void> {
  for (const name of [`${stem}.meta.json`, `${stem}.meta.jsonc`])
    if (names.has(name)) await applyMetaAsync(node, join(folder, name), owner, scope);
}
