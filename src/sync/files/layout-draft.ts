/**
 * What a layout collects while it walks over the expected tree, with the questions that all of its parts ask: what a file is
 * called, which form an Instance has, and whether the project lets a file be written.
 */
import { basename, dirname, join } from "node:path";
import { knownFile } from "../../roblox/rojo/file-names.ts";
import { formOf, type NewForm } from "../../roblox/rojo/names.ts";
import type { RojoNode } from "../../roblox/rojo/node.ts";
import type { Origin } from "../../roblox/rojo/origin.ts";
import { isIgnoredPath, type ProjectRules } from "../../roblox/rojo/project-rules.ts";
import type { RojoTree } from "../../roblox/rojo/project.ts";
import type { FileSchema } from "../../roblox/schema.ts";
import type { PlanItem } from "../types.ts";
import { ContainerChanges } from "./containers.ts";
import { Documents } from "./documents.ts";
import type { ExpectedTree, NodeChange } from "./expected-tree.ts";
import { runContextOf } from "./statements.ts";

export type Items = ReadonlySet<PlanItem>;

/** A file or folder that gets another place. `path` is where it is now, `to` where it will be in the end. */
export interface Relocation {
  readonly path: string;
  readonly to: string;
  readonly isFolder: boolean;
  readonly items: Items;
}

/** A file or folder that goes, at the path that it has now; or a folder that is made. */
export interface PlainChange {
  readonly path: string;
  readonly items: Items;
}

export interface Layout {
  readonly folders: readonly PlainChange[];
  readonly relocations: readonly Relocation[];
  readonly documents: Documents;
  readonly removedFiles: readonly PlainChange[];
  readonly removedFolders: readonly PlainChange[];
  readonly refusals: ReadonlyMap<PlanItem, string>;
  /** Those of the refused items whose names are taken. */
  readonly twins: ReadonlySet<PlanItem>;
  /** The file or folder of each item. */
  readonly paths: ReadonlyMap<PlanItem, string>;
}

export interface LayoutInput {
  readonly tree: RojoTree;
  readonly expected: ExpectedTree;
  readonly schema: FileSchema;
  readonly allowsOutside: boolean;
  /** Set if names that no file can bear are written as projects of their own; the items whose names are taken. */
  readonly safeNames?: ReadonlySet<PlanItem> | undefined;
  /** Whether a file or folder is there now. */
  readonly hasFile: (path: string) => boolean;
}

/** Where the children of an Instance get their files. */
export interface Home {
  /** As it will be in the end; undefined where children cannot have files. */
  readonly folder: string | undefined;
  /** Why not, for people. */
  readonly reason?: string;
  /** The file of several Instances that the Instance is in. */
  readonly container?: ContainerChanges;
  readonly projectFile: string;
  readonly isOutside: boolean;
}

/** Goes on with the children, whose files are in `home`. */
export type VisitChildren = (node: RojoNode, home: Home) => void;

/** Keeps a folder without files in git. */
export const KEEP_FILE = ".gitkeep";
const META_SUFFIXES = [".meta.json", ".meta.jsonc"] as const;
const SCRIPTS = new Set(["Script", "LocalScript", "ModuleScript"]);
export const isScript = ({ className }: RojoNode): boolean => SCRIPTS.has(className);

export class LayoutDraft implements Layout {
  readonly folders: PlainChange[] = [];
  readonly relocations: Relocation[] = [];
  readonly documents = new Documents();
  readonly removedFiles: PlainChange[] = [];
  readonly removedFolders: PlainChange[] = [];
  readonly refusals = new Map<PlanItem, string>();
  readonly twins = new Set<PlanItem>();
  readonly paths = new Map<PlanItem, string>();
  readonly containers = new Map<string, ContainerChanges>();
  readonly input: LayoutInput;

  constructor(input: LayoutInput) {
    this.input = input;
  }

  refuse(items: Iterable<PlanItem>, reason: string): void {
    for (const item of items) if (!this.refusals.has(item)) this.refusals.set(item, reason);
  }

  /** Refuses an Instance whose file would be that of another one with its name. */
  refuseTwin(path: string, items: Items): void {
    for (const item of items) this.twins.add(item);
    this.refuse(
      items,
      `${basename(path)} is the file of another Instance of that name; rename one of them in Studio, or add --safe-names`,
    );
  }

  /** Refuses what the project does not let files take over. */
  isAllowed(origin: Origin, items: Items): boolean {
    const { tree, allowsOutside } = this.input;
    const path = origin.init ?? origin.path;
    if (origin.isOutside === true && !allowsOutside) {
      this.refuse(items, `${path} is outside of the project; --allow-outside allows to write there`);
      return false;
    }
    if (isIgnoredPath(tree.rules.syncback, path)) {
      this.refuse(items, `the ignorePaths of the project keep ${path} as it is`);
      return false;
    }
    return true;
  }

  isWritable(path: string, items: Items): boolean {
    if (!isIgnoredPath(this.input.tree.rules.syncback, path)) return true;
    this.refuse(items, `the ignorePaths of the project keep sb from writing ${path}`);
    return false;
  }

  checkName(
    fault: string | undefined,
    node: RojoNode,
    items: Iterable<PlanItem>,
    advice = "rename it in Studio",
  ): boolean {
    if (fault === undefined) return true;
    this.refuse(items, `the name ${JSON.stringify(node.name)} ${fault}; ${advice}`);
    return false;
  }

  notePaths(items: Items, path: string): void {
    for (const item of items) if (!this.paths.has(item)) this.paths.set(item, path);
  }

  relocate(path: string, to: string, isFolder: boolean, items: Items): void {
    if (path !== to) this.relocations.push({ path, to, isFolder, items });
  }

  /** `to` is the path in front of the suffixes of the meta files then. */
  relocateMetas(origin: Origin, to: string, items: Items): void {
    for (const { path, suffix } of this.metasOf(origin)) this.relocate(path, to + suffix, false, items);
  }

  /** The meta files of an Instance. */
  metasOf(origin: Origin): readonly { readonly path: string; readonly suffix: string }[] {
    const isFolder = origin.kind === "folder";
    const stem = isFolder
      ? join(origin.path, "init")
      : join(dirname(origin.path), this.nameParts(origin).stem);
    return META_SUFFIXES.map((suffix) => ({ path: stem + suffix, suffix })).filter(({ path }) =>
      this.input.hasFile(path),
    );
  }

  containerAt(origin: Origin): ContainerChanges {
    let container = this.containers.get(origin.path);
    if (container === undefined) {
      container = new ContainerChanges(origin, this.input.schema);
      this.containers.set(origin.path, container);
    }
    return container;
  }

  /** The items of an Instance, or of what is below it where only that changes. */
  itemsOf(node: RojoNode, change: NodeChange | undefined): Items {
    return change === undefined || change.items.size === 0
      ? itemsBelow(node, this.input.expected)
      : change.items;
  }

  formOf(node: RojoNode, hasChildren: boolean, projectFile: string): NewForm {
    const facts = {
      className: node.className,
      hasChildren,
      holdsScripts: node.children.some(holdsScript),
      runContext: runContextOf(node),
    };
    return formOf(facts, this.input.schema, this.projectOf(projectFile).rules);
  }

  projectOf(projectFile: string): { readonly folder: string; readonly rules: ProjectRules } {
    const { tree } = this.input;
    return { folder: dirname(projectFile), rules: tree.projects.get(projectFile) ?? tree.rules };
  }

  #namingOf(projectFile: string) {
    const { folder, rules } = this.projectOf(projectFile);
    return { folder, syncRules: rules.syncRules };
  }

  /** The name of the Instance in a file's name, and what is behind it. */
  nameParts({ path, projectFile, project }: Origin): { readonly stem: string; readonly suffix: string } {
    const known = knownFile(path, this.#namingOf(project?.file ?? projectFile), false);
    const stem = known?.name ?? basename(path);
    return { stem, suffix: basename(path).slice(stem.length) };
  }
}

export const holdsScript = (node: RojoNode): boolean => isScript(node) || node.children.some(holdsScript);

/** The items of an Instance and of everything below it. */
export function itemsBelow(node: RojoNode, expected: ExpectedTree): Set<PlanItem> {
  const items = new Set(expected.changeOf(node)?.items);
  for (const child of node.children) for (const item of itemsBelow(child, expected)) items.add(item);
  return items;
}
