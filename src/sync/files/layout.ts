/**
 * Where the files of the expected tree belong, and what has to change for that: which files and folders are made, renamed and
 * removed, and which contents change. The order of the steps is not its matter.
 */
import { basename, dirname, join } from "node:path";
import { knownFile } from "../../roblox/rojo/file-names.ts";
import {
  fileNameFault,
  folderNameFault,
  formOf,
  type NewFile,
  type NewForm,
} from "../../roblox/rojo/names.ts";
import type { RojoNode } from "../../roblox/rojo/node.ts";
import type { Origin } from "../../roblox/rojo/origin.ts";
import { isIgnoredPath, type ProjectRules } from "../../roblox/rojo/project-rules.ts";
import type { RojoTree } from "../../roblox/rojo/project.ts";
import type { FileSchema } from "../../roblox/schema.ts";
import { newProjectText } from "../../roblox/rojo/write/project.ts";
import { gitBlobHash } from "../../util/git-blob-hash.ts";
import { setJson } from "../../util/json-edit.ts";
import type { PlanItem } from "../types.ts";
import { ContainerChanges } from "./containers.ts";
import { Documents } from "./documents.ts";
import type { ExpectedTree, NodeChange } from "./expected-tree.ts";
import {
  contentEdit,
  CONTENT_PROPERTIES,
  initFileFor,
  metaEdit,
  projectEdit,
  runContextOf,
  StatementPlan,
} from "./statements.ts";

type Items = ReadonlySet<PlanItem>;

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
interface Home {
  /** As it will be in the end; undefined where children cannot have files. */
  readonly folder: string | undefined;
  /** Why not, for people. */
  readonly reason?: string;
  /** The file of several Instances that the Instance is in. */
  readonly container?: ContainerChanges;
  readonly projectFile: string;
  readonly isOutside: boolean;
}

const SCRIPTS = new Set(["Script", "LocalScript", "ModuleScript"]);
const CONTAINERS = new Set<Origin["kind"]>(["jsonModel", "rbxm", "rbxmx"]);
const DATA_MODULES = new Set<Origin["kind"]>(["json", "toml", "yaml"]);
const META_SUFFIXES = [".meta.json", ".meta.jsonc"] as const;
/** Keeps a folder without files in git. */
export const KEEP_FILE = ".gitkeep";

/** Throws nothing for what files cannot take over: the items are refused, and the others go on. */
export function layoutOf(input: LayoutInput): Layout {
  const walk = new LayoutWalk(input);
  walk.run();
  return walk;
}

class LayoutWalk implements Layout {
  readonly folders: PlainChange[] = [];
  readonly relocations: Relocation[] = [];
  readonly documents = new Documents();
  readonly removedFiles: PlainChange[] = [];
  readonly removedFolders: PlainChange[] = [];
  readonly refusals = new Map<PlanItem, string>();
  readonly paths = new Map<PlanItem, string>();
  readonly #input: LayoutInput;
  readonly #containers = new Map<string, ContainerChanges>();
  readonly #copies = new Map<RojoNode, RojoNode>();

  constructor(input: LayoutInput) {
    this.#input = input;
  }

  run(): void {
    const { tree, expected } = this.#input;
    this.#noteCopies(expected.root);
    this.#visit(expected.root, {
      folder: undefined,
      reason: "it has no folder",
      projectFile: tree.file,
      isOutside: false,
    });
    for (const [node, item] of expected.removed) {
      const old = expected.oldOf(node);
      if (old !== undefined) this.#removeFiles(old, new Set([item]), true);
    }
    for (const container of this.#containers.values()) this.#writeContainer(container);
  }

  #noteCopies(node: RojoNode): void {
    const old = this.#input.expected.oldOf(node);
    if (old !== undefined) this.#copies.set(old, node);
    for (const child of node.children) this.#noteCopies(child);
  }

  #refuse(items: Iterable<PlanItem>, reason: string): void {
    for (const item of items) if (!this.refusals.has(item)) this.refusals.set(item, reason);
  }

  #visit(node: RojoNode, home: Home): void {
    const { expected } = this.#input;
    const old = expected.oldOf(node);
    const change = expected.changeOf(node);
    const origin = old?.origin;
    if (home.container !== undefined) return this.#visitPart(node, old, change, home, home.container);
    if (old === undefined || origin === undefined) return this.#visitNew(node, home);
    if (change !== undefined && !this.#isAllowed(origin, change.items)) return;
    // A part that has left its file becomes a file of its own.
    if (origin.kind === "part") {
      this.#leaveContainer(old, change?.items ?? new Set());
      return this.#visitNew(node, home);
    }
    if (this.#needsAnotherForm(node, old, origin, change)) return this.#reform(node, old, change, home);
    this.#visitExisting(node, old, origin, change, home);
  }

  /** Refuses what the project does not let files take over. */
  #isAllowed(origin: Origin, items: Items): boolean {
    const { tree, allowsOutside } = this.#input;
    const path = origin.init ?? origin.path;
    if (origin.isOutside === true && !allowsOutside) {
      this.#refuse(items, `${path} is outside of the project; --allow-outside allows to write there`);
      return false;
    }
    if (isIgnoredPath(tree.rules.syncback, path)) {
      this.#refuse(items, `the ignorePaths of the project keep ${path} as it is`);
      return false;
    }
    return true;
  }

  /** Whether the present files cannot hold what the Instance becomes, so that it is written anew. */
  #needsAnotherForm(
    node: RojoNode,
    { className, children }: RojoNode,
    { kind, fileKind }: Origin,
    change: NodeChange | undefined,
  ): boolean {
    const hasNewClass = change?.className === true;
    const hasChildren = node.children.length > 0;
    if (kind === "text") return hasNewClass || hasChildren;
    if (kind === "csv") return hasNewClass;
    if (kind === "jsonModel") {
      const wasAlone = children.length === 0;
      return wasAlone && ((hasNewClass && SCRIPTS.has(node.className)) || node.children.some(holdsScript));
    }
    const isLeafScript = fileKind !== undefined && kind !== "folder" && SCRIPTS.has(className);
    return isLeafScript && hasNewClass && !SCRIPTS.has(node.className) && !DATA_MODULES.has(kind);
  }

  #reform(node: RojoNode, old: RojoNode, change: NodeChange | undefined, home: Home): void {
    const items =
      change?.items.size === 0 || change === undefined
        ? itemsBelow(node, this.#input.expected)
        : change.items;
    if (old.origin?.project !== undefined)
      return this.#refuse(
        items,
        `${old.origin.project.file} names its file ${old.origin.path}, which would get another name`,
      );
    this.#removeFiles(old, items, false);
    this.#visitNew(node, home, items);
  }

  #visitExisting(
    node: RojoNode,
    old: RojoNode,
    origin: Origin,
    change: NodeChange | undefined,
    home: Home,
  ): void {
    const isPlaced = change !== undefined && (change.isMoved || node.name !== old.name);
    if (isPlaced && origin.project !== undefined)
      return this.#refuse(change.items, `${origin.project.file} says where it is and what it is called`);
    if (isPlaced && home.folder === undefined) return this.#refuse(change.items, home.reason ?? "");
    if (origin.kind === "projectNode") return this.#visitProjectNode(node, old, origin, change, home);
    if (origin.kind === "folder") return this.#visitFolder(node, old, origin, change, home);
    if (CONTAINERS.has(origin.kind)) return this.#visitContainer(node, old, origin, change, home);
    this.#visitLeaf(node, old, origin, change, home);
  }

  #visitProjectNode(
    node: RojoNode,
    old: RojoNode,
    origin: Origin,
    change: NodeChange | undefined,
    home: Home,
  ): void {
    if (change !== undefined) this.#stateChanges(node, old, origin, change, { metaStem: origin.path });
    this.#visitChildren(node, {
      ...home,
      folder: undefined,
      reason: `${node.name} is only in ${basename(origin.path)}; give it a $path there, so that its children can be files`,
      projectFile: origin.projectFile,
    });
  }

  #visitFolder(
    node: RojoNode,
    old: RojoNode,
    origin: Origin,
    change: NodeChange | undefined,
    home: Home,
  ): void {
    const name = node.name === old.name ? basename(origin.path) : node.name;
    const folder =
      origin.project !== undefined || home.folder === undefined ? origin.path : join(home.folder, name);
    if (change !== undefined) {
      if (node.name !== old.name && !this.#checkName(folderNameFault(node.name), node, change.items)) return;
      if (node.name !== old.name || change.isMoved) this.#relocate(origin.path, folder, true, change.items);
      this.#changeInit(node, old, origin, change, folder);
      this.#notePaths(change.items, folder);
    }
    this.#visitChildren(node, {
      folder,
      projectFile: origin.projectFile,
      isOutside: origin.isOutside === true,
    });
  }

  /** What a folder is: its init file follows the class, its meta file the properties. */
  #changeInit(node: RojoNode, old: RojoNode, origin: Origin, change: NodeChange, folder: string): void {
    const { init } = origin;
    const metaStem = join(folder, "init");
    const place = init === undefined ? undefined : join(folder, basename(init));
    if (!change.className) return this.#stateChanges(node, old, origin, change, placeAt(place, metaStem));
    if (origin.statedClass === "project" || origin.statedClass === "nested")
      return this.#refuse(change.items, `${origin.projectFile} states its class`);
    const form = this.#formOf(node, true, origin.projectFile);
    if (form.type === "none") return this.#refuse(change.items, form.reason);
    const file = form.type === "folder" ? form.init : undefined;
    const fresh = file === undefined ? undefined : join(folder, initFileFor(file, init));
    if (init !== undefined && place !== undefined && fresh === undefined)
      this.removedFiles.push({ path: init, items: change.items });
    if (init !== undefined && place !== undefined && fresh !== undefined && fresh !== place)
      this.#relocate(init, fresh, false, change.items);
    if (init === undefined && fresh !== undefined && file !== undefined)
      this.documents.change(fresh, undefined, change.items, contentEdit(file.kind, node));
    this.#stateChanges(
      node,
      old,
      origin,
      change,
      placeAt(init === undefined ? undefined : fresh, metaStem),
      form,
    );
  }

  #visitLeaf(
    node: RojoNode,
    old: RojoNode,
    origin: Origin,
    change: NodeChange | undefined,
    home: Home,
  ): void {
    const items = change?.items ?? new Set<PlanItem>();
    const { stem, suffix } = this.#nameParts(origin);
    const name = node.name === old.name ? stem : node.name;
    const file = this.#leafFile(node, origin, suffix, change);
    if (typeof file === "string") return this.#refuse(this.#itemsOf(node, items), file);
    const parent =
      origin.project !== undefined || home.folder === undefined ? dirname(origin.path) : home.folder;
    if (node.children.length > 0)
      return this.#makeFolder(node, old, origin, change, { parent, name, file, home });
    if (change === undefined) return;
    const form = change.className ? this.#formOf(node, false, origin.projectFile) : undefined;
    const path = join(parent, `${name}${file.suffix}`);
    const fault = fileNameFault(node.name, file, parent, this.#projectOf(origin.projectFile));
    if (node.name !== old.name && !this.#checkName(fault, node, items)) return;
    if (change.isMoved || basename(path) !== basename(origin.path)) {
      this.#relocate(origin.path, path, false, items);
      this.#relocateMetas(origin.path, stem, join(parent, name), items);
    }
    this.#notePaths(items, path);
    this.#stateChanges(node, old, origin, change, { content: path, metaStem: join(parent, name) }, form);
  }

  /** The kind and the suffix of a leaf's file, which follow its class. A text says why there is none. */
  #leafFile(
    node: RojoNode,
    origin: Origin,
    suffix: string,
    change: NodeChange | undefined,
  ): NewFile | string {
    const kind = origin.fileKind;
    if (kind === undefined) return "sb does not know how to write its file";
    const isData = DATA_MODULES.has(kind);
    if (isData && (change?.className === true || node.children.length > 0))
      return `${basename(origin.path)} holds data and nothing else; make it a .luau file by hand`;
    if (change?.className !== true) return { kind, suffix };
    if (origin.project !== undefined)
      return `${origin.project.file} names its file, whose name follows its class`;
    const form = this.#formOf(node, false, origin.projectFile);
    if (form.type === "none") return form.reason;
    if (form.type === "folder") return "sb does not know how to write its file";
    const { file } = form;
    return suffix.endsWith(".lua") ? { ...file, suffix: file.suffix.replace(/\.luau$/, ".lua") } : file;
  }

  /** Children below a leaf make it a folder with an init file. */
  #makeFolder(
    node: RojoNode,
    old: RojoNode,
    origin: Origin,
    change: NodeChange | undefined,
    { parent, name, file, home }: { parent: string; name: string; file: NewFile; home: Home },
  ): void {
    const items = this.#itemsOf(node, change?.items ?? new Set());
    if (origin.project !== undefined)
      return this.#refuse(
        items,
        `${origin.project.file} names its file ${basename(origin.path)}; name a folder there, so that it can have children`,
      );
    if (!this.#isAllowed(origin, items)) return;
    if (!this.#checkName(folderNameFault(name), node, items)) return;
    const folder = join(parent, name);
    const init = join(folder, initFileFor(file, origin.path));
    this.folders.push({ path: folder, items });
    this.#relocate(origin.path, init, false, items);
    this.#relocateMetas(origin.path, this.#nameParts(origin).stem, join(folder, "init"), items);
    this.#notePaths(items, init);
    if (change !== undefined)
      this.#stateChanges(node, old, origin, change, { content: init, metaStem: join(folder, "init") });
    this.#visitChildren(node, { folder, projectFile: home.projectFile, isOutside: home.isOutside });
  }

  #visitContainer(
    node: RojoNode,
    old: RojoNode,
    origin: Origin,
    change: NodeChange | undefined,
    home: Home,
  ): void {
    const items = change?.items ?? new Set<PlanItem>();
    const { stem, suffix } = this.#nameParts(origin);
    const name = node.name === old.name ? stem : node.name;
    const parent =
      origin.project !== undefined || home.folder === undefined ? dirname(origin.path) : home.folder;
    const path = join(parent, `${name}${suffix}`);
    const container = this.#containerAt(origin, path);
    container.root = node;
    if (change !== undefined) {
      const file: NewFile = { kind: origin.fileKind ?? "rbxm", suffix };
      const fault = fileNameFault(node.name, file, parent, this.#projectOf(origin.projectFile));
      if (node.name !== old.name && !this.#checkName(fault, node, items)) return;
      if (change.isMoved || basename(path) !== basename(origin.path))
        this.#relocate(origin.path, path, false, items);
      this.#stateContainerRoot(node, old, origin, change, container);
      this.#notePaths(items, path);
    }
    this.#visitChildren(node, { ...home, container });
  }

  /** Properties that a project node states beside its `$path` are changed there. */
  #stateContainerRoot(
    node: RojoNode,
    old: RojoNode,
    origin: Origin,
    change: NodeChange,
    container: ContainerChanges,
  ): void {
    const isStatedOutside = (name: string) => (origin.statedProperties.get(name) ?? "file") !== "file";
    const outside = [...change.properties].filter(isStatedOutside);
    const hasOutside =
      outside.length > 0 || [...origin.statedAttributes.values()].some((by) => by !== "file");
    if (hasOutside) this.#stateChanges(node, old, origin, change, { metaStem: origin.path });
    container.change(node, old, change);
  }

  #visitPart(
    node: RojoNode,
    old: RojoNode | undefined,
    change: NodeChange | undefined,
    home: Home,
    container: ContainerChanges,
  ): void {
    const { expected } = this.#input;
    const isOwn =
      old?.origin?.kind === "part" && old.origin.path === container.path && change?.isMoved !== true;
    if (isOwn && old !== undefined) {
      if (change !== undefined && old.origin !== undefined) {
        if (!this.#isAllowed(old.origin, change.items)) return;
        container.change(node, old, change);
        this.#notePaths(change.items, container.to);
      }
      return this.#visitChildren(node, home);
    }
    const items = itemsBelow(node, expected);
    const parent = expected.parentOf(node);
    if (container.origin.isOutside === true && !this.#input.allowsOutside)
      return this.#refuse(
        items,
        `${container.path} is outside of the project; --allow-outside allows to write there`,
      );
    container.add(node, parent === undefined ? undefined : expected.oldOf(parent), items);
    this.#notePaths(items, container.to);
    this.#leaveOldPlaces(node, items);
  }

  /** What has moved into a file of several Instances leaves the files that it had. */
  #leaveOldPlaces(node: RojoNode, items: Items): void {
    const old = this.#input.expected.oldOf(node);
    if (old !== undefined) this.#removeFiles(old, items, false);
    for (const child of node.children) this.#leaveOldPlaces(child, items);
  }

  #leaveContainer(old: RojoNode, items: Items): void {
    const { origin } = old;
    if (origin !== undefined) this.#containerAt(origin, undefined).remove(old, items);
  }

  #containerAt(origin: Origin, to: string | undefined): ContainerChanges {
    let container = this.#containers.get(origin.path);
    if (container === undefined) {
      container = new ContainerChanges(origin, this.#input.schema);
      this.#containers.set(origin.path, container);
    }
    if (to !== undefined) container.to = to;
    return container;
  }

  #writeContainer(container: ContainerChanges): void {
    for (const { items, edit } of container.edits())
      this.documents.change(container.to, container.path, items, edit);
  }

  #visitNew(node: RojoNode, home: Home, more: Items = new Set()): void {
    const { expected, allowsOutside } = this.#input;
    const all = new Set([...itemsBelow(node, expected), ...more]);
    const own = new Set([...(expected.changeOf(node)?.items ?? []), ...more]);
    if (home.folder === undefined) return this.#refuse(all, home.reason ?? "it has no folder");
    if (home.isOutside && !allowsOutside)
      return this.#refuse(
        all,
        `${home.folder} is outside of the project; --allow-outside allows to write there`,
      );
    const form = this.#formOf(node, node.children.length > 0, home.projectFile);
    if (form.type === "none") return this.#refuse(all, form.reason);
    const place: NewPlace = { folder: home.folder, stem: node.name, own, all, home };
    const fault = this.#newNameFault(node.name, form, home.folder, home.projectFile);
    const { safeNames } = this.#input;
    const isTwin = [...own].some((item) => safeNames?.has(item) === true);
    if (isTwin || (fault !== undefined && safeNames !== undefined)) return this.#newNested(node, form, place);
    if (!this.#checkName(fault, node, all, "rename it in Studio, or add --safe-names")) return;
    this.#placeNew(node, form, place);
  }

  #newNameFault(name: string, form: WritableForm, folder: string, projectFile: string): string | undefined {
    return form.type === "folder"
      ? folderNameFault(name)
      : fileNameFault(name, form.file, folder, this.#projectOf(projectFile));
  }

  /** A name that no file can bear is that of a project of its own, whose folder has a name that files can bear. */
  #newNested(node: RojoNode, form: WritableForm, place: NewPlace): void {
    const { own, all, home } = place;
    const folder = this.#freeFolder(join(place.folder, safeStem(node.name)));
    if (!this.#isWritable(folder, all)) return;
    this.folders.push({ path: folder, items: own });
    const project = join(folder, "default.project.json");
    const content = form.type === "folder" ? NESTED_STEM : NESTED_STEM + form.file.suffix;
    const { emitLegacyScripts } = this.#projectOf(home.projectFile).rules;
    this.documents.change(project, undefined, own, () => {
      const text = newProjectText(node.name, { $path: content });
      const whole = emitLegacyScripts ? text : setJson(text, ["emitLegacyScripts"], false);
      return { content: Buffer.from(`${whole}\n`) };
    });
    this.#notePaths(own, project);
    this.#placeNew(node, form, { ...place, folder, stem: NESTED_STEM });
  }

  /** Two Instances of one name get folders of two names. */
  #freeFolder(path: string): string {
    let free = path;
    const isTaken = () => this.folders.some((other) => other.path === free) || this.#input.hasFile(free);
    for (let count = 2; isTaken(); count++) free = `${path}~${count}`;
    return free;
  }

  #placeNew(node: RojoNode, form: WritableForm, place: NewPlace): void {
    if (form.type === "folder") return this.#newFolder(node, form, place);
    const { folder, stem, own, all } = place;
    const { file } = form;
    const path = join(folder, stem + file.suffix);
    if (!this.#isWritable(path, all)) return;
    this.#notePaths(all, path);
    if (file.kind === "rbxm" || file.kind === "jsonModel") {
      const edit = ContainerChanges.newFile(file.kind, node, this.#input.schema);
      this.documents.change(path, undefined, all, edit);
      for (const child of node.children) this.#leaveOldPlaces(child, all);
      return;
    }
    this.documents.change(path, undefined, own, contentEdit(file.kind, node));
    this.#newMeta(node, form, join(folder, `${stem}.meta.json`), own);
  }

  #newFolder(node: RojoNode, form: FolderForm, { folder: parent, stem, own, all, home }: NewPlace): void {
    const folder = join(parent, stem);
    if (!this.#isWritable(folder, all)) return;
    const { init } = form;
    const meta = join(folder, "init.meta.json");
    this.folders.push({ path: folder, items: own });
    this.#notePaths(own, folder);
    if (init !== undefined)
      this.documents.change(join(folder, `init${init.suffix}`), undefined, own, contentEdit(init.kind, node));
    this.#newMeta(node, form, meta, own);
    if (init === undefined && node.children.length === 0 && !this.documents.has(meta))
      this.documents.change(join(folder, KEEP_FILE), undefined, own, () => ({ content: new Uint8Array() }));
    this.#visitChildren(node, { folder, projectFile: home.projectFile, isOutside: home.isOutside });
  }

  /** What the form of a new Instance leaves open. */
  #newMeta(node: RojoNode, { stated }: Exclude<NewForm, { type: "none" }>, path: string, items: Items): void {
    const isStated = (name: string) =>
      stated.content.includes(name) ||
      (name === "RunContext" && runContextOf(node) === (stated.runContext ?? 0));
    const properties = new Map([...node.properties].filter(([name]) => !isStated(name)));
    // The suffix of the file says another context than the one that Instances have by themselves.
    if (stated.runContext !== undefined && runContextOf(node) !== stated.runContext)
      properties.set("RunContext", { type: "Enum", value: runContextOf(node) });
    const className = stated.className === node.className ? undefined : node.className;
    if (
      properties.size === 0 &&
      node.attributes.size === 0 &&
      className === undefined &&
      node.id === undefined
    )
      return;
    const { attributes, id } = node;
    const changes = {
      properties,
      attributes,
      ...(className === undefined ? {} : { className }),
      ...(id === undefined ? {} : { id }),
    };
    this.documents.change(path, undefined, items, metaEdit(this.#input.schema, stated.className, changes));
  }

  #isWritable(path: string, items: Items): boolean {
    if (!isIgnoredPath(this.#input.tree.rules.syncback, path)) return true;
    this.#refuse(items, `the ignorePaths of the project keep sb from writing ${path}`);
    return false;
  }

  /**
   * The changes of what an Instance states, each in the file that states it already, or in the one that its form has for
   * what is new.
   */
  #stateChanges(
    node: RojoNode,
    old: RojoNode,
    origin: Origin,
    change: NodeChange,
    place: StatementPlace,
    form?: NewForm,
  ): void {
    const { schema } = this.#input;
    const { fileKind, meta } = origin;
    const { items } = change;
    const name = fileKind === undefined ? undefined : CONTENT_PROPERTIES[fileKind];
    if (
      fileKind !== undefined &&
      name !== undefined &&
      place.content !== undefined &&
      change.properties.has(name)
    )
      this.documents.change(place.content, origin.init ?? origin.path, items, contentEdit(fileKind, node));
    const { rules } = this.#projectOf(origin.projectFile);
    const statement = new StatementPlan(node, old, origin, change, rules, form);
    for (const reason of statement.faults) this.#refuse(items, reason);
    if (statement.project !== undefined) {
      const { target, changes } = statement.project;
      const edit = projectEdit(schema, target.keys, old.className, changes);
      this.documents.change(target.file, target.file, items, edit);
    }
    if (statement.meta === undefined) return;
    const path = `${place.metaStem}${meta?.endsWith(".jsonc") === true ? ".meta.jsonc" : ".meta.json"}`;
    this.documents.change(path, meta, items, metaEdit(schema, old.className, statement.meta));
  }

  #visitChildren(node: RojoNode, home: Home): void {
    for (const child of node.children) this.#visit(child, home);
  }

  #relocate(path: string, to: string, isFolder: boolean, items: Items): void {
    if (path !== to) this.relocations.push({ path, to, isFolder, items });
  }

  /** `stem` is the name in front of the suffix of the meta files now, `to` the path in front of it then. */
  #relocateMetas(file: string, stem: string, to: string, items: Items): void {
    for (const suffix of META_SUFFIXES) {
      const path = join(dirname(file), stem + suffix);
      if (this.#input.hasFile(path)) this.#relocate(path, to + suffix, false, items);
    }
  }

  /** Takes away the files of an Instance; with `isWhole` also those of everything below it. */
  #removeFiles(old: RojoNode, items: Items, isWhole: boolean): void {
    const { origin } = old;
    if (origin === undefined) return;
    if (origin.project !== undefined)
      return this.#refuse(items, `${origin.project.file} names ${old.name}; take it out there`);
    if (!this.#isAllowed(origin, items)) return;
    if (origin.kind === "part") return this.#leaveContainer(old, items);
    this.#notePaths(items, origin.path);
    if (origin.kind !== "folder") {
      this.removedFiles.push({ path: origin.path, items });
      this.#removeMetas(join(dirname(origin.path), this.#nameParts(origin).stem), items);
      return;
    }
    if (origin.init !== undefined) this.removedFiles.push({ path: origin.init, items });
    this.#removeMetas(join(origin.path, "init"), items);
    const keep = join(origin.path, KEEP_FILE);
    if (this.#input.hasFile(keep)) this.removedFiles.push({ path: keep, items });
    for (const child of isWhole ? old.children : []) {
      const copy = this.#copies.get(child);
      const hasLeft = copy !== undefined && this.#input.expected.changeOf(copy)?.isMoved === true;
      if (!hasLeft) this.#removeFiles(child, items, true);
    }
    this.removedFolders.push({ path: origin.path, items });
  }

  #removeMetas(stem: string, items: Items): void {
    for (const suffix of META_SUFFIXES)
      if (this.#input.hasFile(stem + suffix)) this.removedFiles.push({ path: stem + suffix, items });
  }

  #itemsOf(node: RojoNode, own: Items): Set<PlanItem> {
    return own.size > 0 ? new Set(own) : itemsBelow(node, this.#input.expected);
  }

  #formOf(node: RojoNode, hasChildren: boolean, projectFile: string): NewForm {
    const facts = {
      className: node.className,
      hasChildren,
      holdsScripts: node.children.some(holdsScript),
      runContext: runContextOf(node),
    };
    return formOf(facts, this.#input.schema, this.#projectOf(projectFile).rules);
  }

  #checkName(
    fault: string | undefined,
    node: RojoNode,
    items: Iterable<PlanItem>,
    advice = "rename it in Studio",
  ): boolean {
    if (fault === undefined) return true;
    this.#refuse(items, `the name ${JSON.stringify(node.name)} ${fault}; ${advice}`);
    return false;
  }

  #notePaths(items: Items, path: string): void {
    for (const item of items) if (!this.paths.has(item)) this.paths.set(item, path);
  }

  #projectOf(projectFile: string): { readonly folder: string; readonly rules: ProjectRules } {
    const { tree } = this.#input;
    return { folder: dirname(projectFile), rules: tree.projects.get(projectFile) ?? tree.rules };
  }

  #namingOf(projectFile: string) {
    const { folder, rules } = this.#projectOf(projectFile);
    return { folder, syncRules: rules.syncRules };
  }

  /** The name of the Instance in a file's name, and what is behind it. */
  #nameParts({ path, projectFile, project }: Origin): { readonly stem: string; readonly suffix: string } {
    const known = knownFile(path, this.#namingOf(project?.file ?? projectFile), false);
    const stem = known?.name ?? basename(path);
    return { stem, suffix: basename(path).slice(stem.length) };
  }
}

type WritableForm = Exclude<NewForm, { readonly type: "none" }>;
type FolderForm = Extract<NewForm, { readonly type: "folder" }>;

/** Where the files of a new Instance go: `stem` is the name in front of their suffixes. */
interface NewPlace {
  readonly folder: string;
  readonly stem: string;
  readonly own: Items;
  /** Also those of everything below it. */
  readonly all: Items;
  readonly home: Home;
}

const NESTED_STEM = "content";
const SAFE_LENGTH = 40;

/** A name that any disk takes and that no other name leads to. */
function safeStem(name: string): string {
  const plain = name
    .replace(/[^\w -]/g, "_")
    .trim()
    .slice(0, SAFE_LENGTH);
  return `${plain === "" ? "_" : plain}~${gitBlobHash(name).slice(0, 6)}`;
}

/** Where the files of an Instance will be. */
interface StatementPlace {
  readonly content?: string;
  /** The path of the meta file in front of its suffix. */
  readonly metaStem: string;
}

const placeAt = (content: string | undefined, metaStem: string): StatementPlace =>
  content === undefined ? { metaStem } : { content, metaStem };

export const holdsScript = (node: RojoNode): boolean =>
  SCRIPTS.has(node.className) || node.children.some(holdsScript);

/** The items of an Instance and of everything below it. */
function itemsBelow(node: RojoNode, expected: ExpectedTree): Set<PlanItem> {
  const items = new Set(expected.changeOf(node)?.items);
  for (const child of node.children) for (const item of itemsBelow(child, expected)) items.add(item);
  return items;
}
