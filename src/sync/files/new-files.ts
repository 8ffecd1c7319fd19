/** Gives an Instance files that it has not had: the form of its class, under its name, in the folder of its parent. */
import { join } from "node:path";
import { fileNameFault, folderNameFault, type NewForm } from "../../roblox/rojo/names.ts";
import type { RojoNode } from "../../roblox/rojo/node.ts";
import { newProjectText } from "../../roblox/rojo/write/project.ts";
import { gitBlobHash } from "../../util/git-blob-hash.ts";
import { setJson } from "../../util/json-edit.ts";
import { ContainerChanges } from "./containers.ts";
import {
  type Home,
  type Items,
  itemsBelow,
  KEEP_FILE,
  type LayoutDraft,
  type VisitChildren,
} from "./layout-draft.ts";
import type { LeavingFiles } from "./leaving-files.ts";
import { contentEdit, metaEdit, runContextOf } from "./statements.ts";

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

export class NewFiles {
  readonly #draft: LayoutDraft;
  readonly #leaving: LeavingFiles;
  readonly #visitChildren: VisitChildren;

  constructor(draft: LayoutDraft, leaving: LeavingFiles, visitChildren: VisitChildren) {
    this.#draft = draft;
    this.#leaving = leaving;
    this.#visitChildren = visitChildren;
  }

  place(node: RojoNode, home: Home, more: Items = new Set()): void {
    const { expected, allowsOutside } = this.#draft.input;
    const all = new Set([...itemsBelow(node, expected), ...more]);
    const own = new Set([...(expected.changeOf(node)?.items ?? []), ...more]);
    if (home.folder === undefined) return this.#draft.refuse(all, home.reason ?? "it has no folder");
    if (home.isOutside && !allowsOutside)
      return this.#draft.refuse(
        all,
        `${home.folder} is outside of the project; --allow-outside allows to write there`,
      );
    const form = this.#draft.formOf(node, node.children.length > 0, home.projectFile);
    if (form.type === "none") return this.#draft.refuse(all, form.reason);
    const place: NewPlace = { folder: home.folder, stem: node.name, own, all, home };
    const fault = this.#newNameFault(node.name, form, home.folder, home.projectFile);
    const { safeNames } = this.#draft.input;
    const isTwin = [...own].some((item) => safeNames?.has(item) === true);
    if (isTwin || (fault !== undefined && safeNames !== undefined)) return this.#newNested(node, form, place);
    if (!this.#draft.checkName(fault, node, all, "rename it in Studio, or add --safe-names")) return;
    this.#placeNew(node, form, place);
  }

  #newNameFault(name: string, form: WritableForm, folder: string, projectFile: string): string | undefined {
    return form.type === "folder"
      ? folderNameFault(name)
      : fileNameFault(name, form.file, folder, this.#draft.projectOf(projectFile));
  }

  /** A name that no file can bear is that of a project of its own, whose folder has a name that files can bear. */
  #newNested(node: RojoNode, form: WritableForm, place: NewPlace): void {
    const { own, all, home } = place;
    const folder = this.#freeFolder(join(place.folder, safeStem(node.name)));
    if (!this.#draft.isWritable(folder, all)) return;
    this.#draft.folders.push({ path: folder, items: own });
    const project = join(folder, "default.project.json");
    const content = form.type === "folder" ? NESTED_STEM : NESTED_STEM + form.file.suffix;
    const { emitLegacyScripts } = this.#draft.projectOf(home.projectFile).rules;
    this.#draft.documents.change(project, undefined, own, () => {
      const text = newProjectText(node.name, { $path: content });
      const whole = emitLegacyScripts ? text : setJson(text, ["emitLegacyScripts"], false);
      return { content: Buffer.from(`${whole}\n`) };
    });
    this.#draft.notePaths(own, project);
    this.#placeNew(node, form, { ...place, folder, stem: NESTED_STEM });
  }

  /** Two Instances of one name get folders of two names. */
  #freeFolder(path: string): string {
    let free = path;
    const isTaken = () =>
      this.#draft.folders.some((other) => other.path === free) || this.#draft.input.hasFile(free);
    for (let count = 2; isTaken(); count++) free = `${path}~${count}`;
    return free;
  }

  #placeNew(node: RojoNode, form: WritableForm, place: NewPlace): void {
    if (form.type === "folder") return this.#newFolder(node, form, place);
    const { folder, stem, own, all } = place;
    const { file } = form;
    const path = join(folder, stem + file.suffix);
    if (!this.#draft.isWritable(path, all)) return;
    if (this.#draft.documents.has(path)) return this.#draft.refuseTwin(path, all);
    this.#draft.notePaths(all, path);
    if (file.kind === "rbxm" || file.kind === "jsonModel") {
      const edit = ContainerChanges.newFile(file.kind, node, this.#draft.input.schema);
      this.#draft.documents.change(path, undefined, all, edit);
      for (const child of node.children) this.#leaving.leaveOldPlaces(child, all);
      return;
    }
    this.#draft.documents.change(path, undefined, own, contentEdit(file.kind, node));
    this.#newMeta(node, form, join(folder, `${stem}.meta.json`), own);
  }

  #newFolder(node: RojoNode, form: FolderForm, { folder: parent, stem, own, all, home }: NewPlace): void {
    const folder = join(parent, stem);
    if (!this.#draft.isWritable(folder, all)) return;
    const { init } = form;
    const meta = join(folder, "init.meta.json");
    this.#draft.folders.push({ path: folder, items: own });
    this.#draft.notePaths(own, folder);
    if (init !== undefined)
      this.#draft.documents.change(
        join(folder, `init${init.suffix}`),
        undefined,
        own,
        contentEdit(init.kind, node),
      );
    this.#newMeta(node, form, meta, own);
    if (init === undefined && node.children.length === 0 && !this.#draft.documents.has(meta))
      this.#draft.documents.change(join(folder, KEEP_FILE), undefined, own, () => ({
        content: new Uint8Array(),
      }));
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
    this.#draft.documents.change(
      path,
      undefined,
      items,
      metaEdit(this.#draft.input.schema, stated.className, changes),
    );
  }
}
