/** What one file or folder of a project stands for, as Rojo maps them. */
import { basename, dirname, join } from "node:path";
import { systemCodeOf, systemReason } from "../../util/system-error.ts";
import { type FileScope, hasMeta, knownFile, type KnownFile, makeNodeAsync } from "./file-kinds.ts";
import { isIgnored, type IgnoreRule } from "./ignore-rules.ts";
import { applyMetaAsync } from "./meta.ts";
import { newNode, type RojoNode } from "./node.ts";
import { pathInside } from "./glob.ts";
import { nameBy, ruleFor, type SyncRule } from "./sync-rules.ts";

/** What all files of one project have in common. */
export interface ProjectScope extends Omit<FileScope, "readProjectAsync"> {
  readonly folder: string;
  /** Of this project and those around it, outermost first. */
  readonly ignored: readonly IgnoreRule[];
  readonly syncRules: readonly SyncRule[];
  /** Filled with every folder in which something of the project is. */
  readonly folders: Set<string>;
  /** Project files that are being read, outermost first. */
  readonly openProjects: readonly string[];
  readonly readProjectAsync: (
    file: string,
    fallbackName: string,
    scope: ProjectScope,
  ) => Promise<RojoNode | undefined>;
}

/** What a project file is called that stands for its folder, in the order in which they are looked for. */
export const DEFAULT_PROJECTS = ["default.project.json", "default.project.jsonc"] as const;

const INIT_FILES = [
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

/** The Instance of a file or folder; undefined where there is none, or Rojo knows no such file. */
export async function nodeOfAsync(path: string, scope: ProjectScope): Promise<RojoNode | undefined> {
  const kind = await scope.disk.kindAsync(path);
  if (kind === undefined) return undefined;
  scope.folders.add(dirname(path));
  if (kind === "folder") return folderNodeAsync(path, scope);
  return INIT_FILES.includes(basename(path)) ? undefined : fileNodeAsync(path, scope);
}

async function folderNodeAsync(path: string, scope: ProjectScope): Promise<RojoNode | undefined> {
  scope.folders.add(path);
  const names = (await scope.disk.namesAsync(path)).sort();
  const name = basename(path);
  const project = DEFAULT_PROJECTS.find((candidate) => names.includes(candidate));
  if (project !== undefined) return scope.readProjectAsync(join(path, project), name, scope);
  const init = INIT_FILES.find((candidate) => names.includes(candidate));
  const node =
    init === undefined ? newNode(name, "Folder") : await fileNodeAsync(join(path, init), scope, name);
  if (node === undefined) throw new Error(`${join(path, init ?? "")} is nothing that Rojo knows`);
  for (const child of names) {
    const childPath = join(path, child);
    if (isIgnored(childPath, scope.ignored)) continue;
    const made = await nodeOfAsync(childPath, scope);
    if (made !== undefined) node.children.push(made);
  }
  await applyMetaAsync(node, join(path, "init"), "folder", scope);
  return node;
}

async function fileNodeAsync(
  path: string,
  scope: ProjectScope,
  folderName?: string,
): Promise<RojoNode | undefined> {
  const known = kindOf(path, scope, folderName !== undefined);
  if (known === undefined) return undefined;
  const { kind } = known;
  const name = folderName ?? known.name;
  try {
    const readProjectAsync = (file: string, fallback: string) =>
      scope.readProjectAsync(file, fallback, scope);
    const node = await makeNodeAsync(kind, path, name, { ...scope, readProjectAsync });
    if (node !== undefined && hasMeta(kind))
      await applyMetaAsync(node, join(dirname(path), name), "file", scope);
    return node;
  } catch (error) {
    throw inFile(path, error);
  }
}

/** The project's own rules come first, but not for the file that a folder is made of. */
function kindOf(path: string, scope: ProjectScope, isInit: boolean): KnownFile | undefined {
  const fileName = basename(path);
  const rule = isInit ? undefined : ruleFor(pathInside(scope.folder, path), scope.syncRules);
  if (rule === undefined) return knownFile(fileName);
  return rule.kind === undefined ? undefined : { kind: rule.kind, name: nameBy(rule, fileName) };
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
