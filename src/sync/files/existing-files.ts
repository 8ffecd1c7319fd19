/** What changes about the files that an Instance has: their places, their names and what they say. */
import { basename, dirname, join } from "node:path";
import { fileNameFault, folderNameFault, type NewFile, type NewForm } from "../../roblox/rojo/names.ts";
import type { RojoNode } from "../../roblox/rojo/node.ts";
import type { Origin } from "../../roblox/rojo/origin.ts";
import type { ContainerChanges } from "./containers.ts";
import type { NodeChange } from "./expected-tree.ts";
import type { Home, LayoutDraft, VisitChildren } from "./layout-draft.ts";
import {
  contentEdit,
  CONTENT_PROPERTIES,
  initFileFor,
  metaEdit,
  projectEdit,
  StatementPlan,
} from "./statements.ts";

/** An Instance that the files describe. */
export interface Described {
  /** As expected. */
  readonly node: RojoNode;
  /** As it is now. */
  readonly old: RojoNode;
  readonly origin: Origin;
}

/** One about which something changes. */
interface Changed extends Described {
  readonly change: NodeChange;
}

/** Where the files of an Instance will be. */
interface StatementPlace {
  /** The file with its content; undefined where there is none. */
  readonly content: string | undefined;
  /** The path of the meta file in front of its suffix. */
  readonly metaStem: string;
}

/** Where the file of an Instance will be: its folder, and the name in front of its suffix. */
interface FilePlace {
  readonly folder: string;
  readonly stem: string;
  readonly file: NewFile;
}

const CONTAINERS = new Set<Origin["kind"]>(["jsonModel", "rbxm", "rbxmx"]);
export const DATA_MODULES = new Set<Origin["kind"]>(["json", "toml", "yaml"]);

export class ExistingFiles {
  readonly #draft: LayoutDraft;
  readonly #visitChildren: VisitChildren;

  constructor(draft: LayoutDraft, visitChildren: VisitChildren) {
    this.#draft = draft;
    this.#visitChildren = visitChildren;
  }

  visit(described: Described, change: NodeChange | undefined, home: Home): void {
    const { node, old, origin } = described;
    const isPlaced = change !== undefined && (change.isMoved || node.name !== old.name);
    if (isPlaced && origin.project !== undefined)
      return this.#draft.refuse(
        change.items,
        `${origin.project.file} says where it is and what it is called`,
      );
    if (isPlaced && home.folder === undefined) return this.#draft.refuse(change.items, home.reason ?? "");
    if (origin.kind === "projectNode") this.#visitProjectNode(described, change, home);
    else if (origin.kind === "folder") this.#visitFolder(described, change, home);
    else if (CONTAINERS.has(origin.kind)) this.#visitContainer(described, change, home);
    else this.#visitLeaf(described, change, home);
  }

  #visitProjectNode(described: Described, change: NodeChange | undefined, home: Home): void {
    const { node, origin } = described;
    if (change !== undefined)
      this.#stateChanges({ ...described, change }, { content: undefined, metaStem: origin.path });
    this.#visitChildren(node, {
      ...home,
      folder: undefined,
      reason: `${node.name} is only in ${basename(origin.path)}; give it a $path there, so that its children can be files`,
      projectFile: origin.projectFile,
    });
  }

  #visitFolder(described: Described, change: NodeChange | undefined, home: Home): void {
    const { node, old, origin } = described;
    const name = node.name === old.name ? basename(origin.path) : node.name;
    const isFixed = origin.project !== undefined || home.folder === undefined;
    const folder = isFixed ? origin.path : join(home.folder, name);
    if (change !== undefined) {
      const { items } = change;
      const isRenamed = node.name !== old.name;
      if (isRenamed && !this.#draft.checkName(folderNameFault(node.name), node, items)) return;
      if (isRenamed || change.isMoved) this.#draft.relocate(origin.path, folder, true, items);
      this.#changeInit({ ...described, change }, folder);
      this.#draft.notePaths(items, folder);
    }
    const { projectFile, isOutside = false } = origin;
    this.#visitChildren(node, { folder, projectFile, isOutside });
  }

  /** What a folder is: its init file follows the class, its meta file the properties. */
  #changeInit(changed: Changed, folder: string): void {
    const { node, origin, change } = changed;
    const { init, statedClass, projectFile } = origin;
    const { items } = change;
    const metaStem = join(folder, "init");
    const place = init === undefined ? undefined : join(folder, basename(init));
    if (!change.className && place !== undefined) this.#draft.notePaths(items, place);
    if (!change.className) return this.#stateChanges(changed, { content: place, metaStem });
    if (statedClass === "project" || statedClass === "nested")
      return this.#draft.refuse(items, `${projectFile} states its class`);
    const form = this.#draft.formOf(node, true, projectFile);
    if (form.type === "none") return this.#draft.refuse(items, form.reason);
    const file = form.type === "folder" ? form.init : undefined;
    const fresh = file === undefined ? undefined : join(folder, initFileFor(file, init));
    if (init !== undefined && fresh === undefined) this.#draft.removedFiles.push({ path: init, items });
    if (init !== undefined && fresh !== undefined && fresh !== place)
      this.#draft.relocate(init, fresh, false, items);
    if (init === undefined && fresh !== undefined && file !== undefined)
      this.#draft.documents.change(fresh, undefined, items, contentEdit(file.kind, node));
    this.#stateChanges(changed, { content: init === undefined ? undefined : fresh, metaStem }, form);
  }

  #visitLeaf(described: Described, change: NodeChange | undefined, home: Home): void {
    const { node, origin } = described;
    const file = this.#leafFile(described, change);
    if (typeof file === "string") return this.#draft.refuse(this.#draft.itemsOf(node, change), file);
    const place = this.#placeOf(described, file, home);
    if (node.children.length > 0) return this.#makeFolder(described, change, place);
    if (change === undefined || !this.#moveFile(described, change, place)) return;
    const { folder, stem } = place;
    const form = change.className ? this.#draft.formOf(node, false, origin.projectFile) : undefined;
    const content = join(folder, stem + file.suffix);
    this.#stateChanges({ ...described, change }, { content, metaStem: join(folder, stem) }, form);
  }

  /** The kind and the suffix of a leaf's file, which follow its class. A text says why there is none. */
  #leafFile({ node, origin }: Described, change: NodeChange | undefined): NewFile | string {
    const { fileKind: kind, path, project } = origin;
    const { suffix } = this.#draft.nameParts(origin);
    if (kind === undefined) return UNKNOWN_FILE;
    const hasNewClass = change?.className === true;
    if (DATA_MODULES.has(kind) && (hasNewClass || node.children.length > 0))
      return `${basename(path)} holds data and nothing else; make it a .luau file by hand`;
    if (!hasNewClass) return { kind, suffix };
    if (project !== undefined) return `${project.file} names its file, whose name follows its class`;
    const form = this.#draft.formOf(node, false, origin.projectFile);
    if (form.type === "none") return form.reason;
    if (form.type === "folder") return UNKNOWN_FILE;
    const { file } = form;
    return suffix.endsWith(".lua") ? { ...file, suffix: file.suffix.replace(/\.luau$/, ".lua") } : file;
  }

  /** A project that names a file keeps it where it is. */
  #placeOf({ node, old, origin }: Described, file: NewFile, home: Home): FilePlace {
    const isFixed = origin.project !== undefined || home.folder === undefined;
    const stem = node.name === old.name ? this.#draft.nameParts(origin).stem : node.name;
    return { folder: isFixed ? dirname(origin.path) : home.folder, stem, file };
  }

  /** Gives the file its place and its name. False where the name is refused. */
  #moveFile(
    { node, old, origin }: Described,
    change: NodeChange,
    { folder, stem, file }: FilePlace,
  ): boolean {
    const { items } = change;
    const path = join(folder, stem + file.suffix);
    const fault = fileNameFault(node.name, file, folder, this.#draft.projectOf(origin.projectFile));
    if (node.name !== old.name && !this.#draft.checkName(fault, node, items)) return false;
    if (change.isMoved || basename(path) !== basename(origin.path)) {
      this.#draft.relocate(origin.path, path, false, items);
      if (!CONTAINERS.has(origin.kind)) this.#draft.relocateMetas(origin, join(folder, stem), items);
    }
    this.#draft.notePaths(items, path);
    return true;
  }

  /** Children below a leaf make it a folder with an init file. */
  #makeFolder(described: Described, change: NodeChange | undefined, place: FilePlace): void {
    const { node, origin } = described;
    const { project, path, projectFile, isOutside = false } = origin;
    const items = this.#draft.itemsOf(node, change);
    if (project !== undefined)
      return this.#draft.refuse(
        items,
        `${project.file} names its file ${basename(path)}; name a folder there, so that it can have children`,
      );
    if (!this.#draft.isAllowed(origin, items)) return;
    if (!this.#draft.checkName(folderNameFault(place.stem), node, items)) return;
    const folder = join(place.folder, place.stem);
    const [content, metaStem] = [join(folder, initFileFor(place.file, path)), join(folder, "init")];
    this.#draft.folders.push({ path: folder, items });
    this.#draft.relocate(path, content, false, items);
    this.#draft.relocateMetas(origin, metaStem, items);
    // The items of children have files of their own.
    if (change !== undefined) this.#draft.notePaths(change.items, content);
    const form = change?.className === true ? this.#draft.formOf(node, true, projectFile) : undefined;
    if (change !== undefined) this.#stateChanges({ ...described, change }, { content, metaStem }, form);
    this.#visitChildren(node, { folder, projectFile, isOutside });
  }

  #visitContainer(described: Described, change: NodeChange | undefined, home: Home): void {
    const { node, origin } = described;
    const { suffix } = this.#draft.nameParts(origin);
    const place = this.#placeOf(described, { kind: origin.fileKind ?? "rbxm", suffix }, home);
    const container = this.#draft.containerAt(origin);
    container.to = join(place.folder, place.stem + suffix);
    container.root = node;
    if (change !== undefined) {
      if (!this.#moveFile(described, change, place)) return;
      this.#stateContainerRoot({ ...described, change }, container);
    }
    this.#visitChildren(node, { ...home, container });
  }

  /** Properties that a project node states beside its `$path` are changed there. */
  #stateContainerRoot(changed: Changed, container: ContainerChanges): void {
    const { node, old, origin, change } = changed;
    const isElsewhere = (name: string) => (origin.statedProperties.get(name) ?? "file") !== "file";
    const hasOthers =
      [...change.properties].some(isElsewhere) ||
      [...origin.statedAttributes.values()].some((by) => by !== "file");
    if (hasOthers) this.#stateChanges(changed, { content: undefined, metaStem: origin.path });
    container.change(node, old, change);
  }

  /**
   * The changes of what an Instance states, each in the file that states it already, or in the one that its form has for
   * what is new.
   */
  #stateChanges(changed: Changed, place: StatementPlace, form?: NewForm): void {
    const { node, old, origin, change } = changed;
    const { items } = change;
    const { schema } = this.#draft.input;
    this.#changeContent(changed, place.content);
    const { rules } = this.#draft.projectOf(origin.projectFile);
    const statement = new StatementPlan(node, old, origin, change, rules, form);
    for (const reason of statement.faults) this.#draft.refuse(items, reason);
    if (statement.project !== undefined) {
      const { target, changes } = statement.project;
      const edit = projectEdit(schema, target.keys, old.className, changes);
      this.#draft.documents.change(target.file, target.file, items, edit);
    }
    if (statement.meta === undefined) return;
    const suffix = origin.meta?.endsWith(".jsonc") === true ? ".meta.jsonc" : ".meta.json";
    const edit = metaEdit(schema, old.className, statement.meta);
    this.#draft.documents.change(place.metaStem + suffix, origin.meta, items, edit);
  }

  #changeContent({ node, origin, change }: Changed, content: string | undefined): void {
    const { fileKind, init, path } = origin;
    const name = fileKind === undefined ? undefined : CONTENT_PROPERTIES[fileKind];
    if (fileKind === undefined || name === undefined || content === undefined) return;
    if (!change.properties.has(name)) return;
    this.#draft.documents.change(content, init ?? path, change.items, contentEdit(fileKind, node));
  }
}

const UNKNOWN_FILE = "sb does not know how to write its file";
