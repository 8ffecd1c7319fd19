/** What one file or folder of a project stands for, as Rojo maps them. */
import { readdir, stat } from "node:fs/promises";
import { basename, dirname, join, relative } from "node:path";
import { systemCodeOf, systemReason } from "../../../util/system-error.ts";
import type { FileSchema } from "../schema.ts";
import { knownFile, type KnownFile, makeNodeAsync } from "./file-kinds.ts";
import { applyMetaAsync } from "./meta.ts";
import { newNode, type RojoNode } from "./node.ts";
import { nameBy, ruleFor, type SyncRule } from "./sync-rules.ts";

/** What all files of one project have in common. */
export interface ProjectScope {
  readonly schema: FileSchema;
  readonly folder: string;
  readonly ignored: readonly RegExp[];
  readonly syncRules: readonly SyncRule[];
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

function isIgnored(path: string, scope: ProjectScope): boolean {
  return scope.ignored.some((glob) => glob.test(inProject(path, scope)));
}

const inProject = (path: string, { folder }: ProjectScope): string =>
  relative(folder, path).replaceAll("\\", "/");

async function fileNodeAsync(
  path: string,
  scope: ProjectScope,
  folderName?: string,
): Promise<RojoNode | undefined> {
  const known = kindOf(path, scope, folderName !== undefined);
  if (known === undefined) return undefined;
  const { kind, name } = known;
  try {
    const node = await makeNodeAsync(kind, path, folderName ?? name, scope);
    // A folder's own file is described by the folder's init.meta.json.
    if (folderName === undefined && kind !== "project")
      await applyMetaAsync(node, join(dirname(path), `${name}.meta.json`), scope.schema);
    return node;
  } catch (error) {
    throw inFile(path, error);
  }
}

/** The project's own rules come first, but not for the file that a folder is made of. */
function kindOf(path: string, scope: ProjectScope, isInit: boolean): KnownFile | undefined {
  const fileName = basename(path);
  const rule = isInit ? undefined : ruleFor(inProject(path, scope), scope.syncRules);
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
