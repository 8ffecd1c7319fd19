/**
 * Where the files of the expected tree belong, and what has to change for that: which files and folders are made, renamed and
 * removed, and which contents change. The order of the steps is not its matter.
 */
import type { RojoNode } from "../../roblox/rojo/node.ts";
import type { ContainerChanges } from "./containers.ts";
import { type Described, DATA_MODULES, ExistingFiles } from "./existing-files.ts";
import type { NodeChange } from "./expected-tree.ts";
import {
  type Home,
  holdsScript,
  isScript,
  itemsBelow,
  type Layout,
  LayoutDraft,
  type LayoutInput,
  type VisitChildren,
} from "./layout-draft.ts";
import { LeavingFiles } from "./leaving-files.ts";
import { NewFiles } from "./new-files.ts";

/** Throws nothing for what files cannot take over: the items are refused, and the others go on. */
export function layoutOf(input: LayoutInput): Layout {
  const draft = new LayoutDraft(input);
  new LayoutWalk(draft).run();
  return draft;
}

class LayoutWalk {
  readonly #draft: LayoutDraft;
  readonly #leaving: LeavingFiles;
  readonly #new: NewFiles;
  readonly #existing: ExistingFiles;

  constructor(draft: LayoutDraft) {
    const visitChildren: VisitChildren = (node, home) => this.#visitChildren(node, home);
    this.#draft = draft;
    this.#leaving = new LeavingFiles(draft);
    this.#new = new NewFiles(draft, this.#leaving, visitChildren);
    this.#existing = new ExistingFiles(draft, visitChildren);
  }

  run(): void {
    const { containers, documents, input } = this.#draft;
    const { tree, expected } = input;
    this.#visit(expected.root, {
      folder: undefined,
      reason: "it has no folder",
      projectFile: tree.file,
      isOutside: false,
    });
    for (const [node, item] of expected.removed) {
      const old = expected.oldOf(node);
      if (old !== undefined) this.#leaving.removeFiles(old, new Set([item]), true);
    }
    for (const container of containers.values())
      for (const { items, edit } of container.edits())
        documents.change(container.to, container.path, items, edit);
  }

  #visit(node: RojoNode, home: Home): void {
    const { expected } = this.#draft.input;
    const old = expected.oldOf(node);
    const change = expected.changeOf(node);
    const origin = old?.origin;
    if (home.container !== undefined) return this.#visitPart(node, old, change, home, home.container);
    if (old === undefined || origin === undefined) return this.#new.place(node, home);
    if (change !== undefined && !this.#draft.isAllowed(origin, change.items)) return;
    // A part that has left its file becomes a file of its own.
    if (origin.kind === "part") {
      this.#leaving.leaveContainer(old, change?.items ?? new Set());
      return this.#new.place(node, home);
    }
    const described: Described = { node, old, origin };
    if (needsAnotherForm(described, change)) return this.#reform(described, change, home);
    this.#existing.visit(described, change, home);
  }

  #reform({ node, old, origin }: Described, change: NodeChange | undefined, home: Home): void {
    const items = this.#draft.itemsOf(node, change);
    if (origin.project !== undefined)
      return this.#draft.refuse(
        items,
        `${origin.project.file} names its file ${origin.path}, which would get another name`,
      );
    this.#leaving.removeFiles(old, items, false);
    this.#new.place(node, home, items);
  }

  #visitPart(
    node: RojoNode,
    old: RojoNode | undefined,
    change: NodeChange | undefined,
    home: Home,
    container: ContainerChanges,
  ): void {
    const { expected } = this.#draft.input;
    const isOwn =
      old?.origin?.kind === "part" && old.origin.path === container.path && change?.isMoved !== true;
    if (isOwn && old !== undefined) {
      if (change !== undefined && old.origin !== undefined) {
        if (!this.#draft.isAllowed(old.origin, change.items)) return;
        container.change(node, old, change);
        this.#draft.notePaths(change.items, container.to);
      }
      return this.#visitChildren(node, home);
    }
    const items = itemsBelow(node, expected);
    const parent = expected.parentOf(node);
    if (container.origin.isOutside === true && !this.#draft.input.allowsOutside)
      return this.#draft.refuse(
        items,
        `${container.path} is outside of the project; --allow-outside allows to write there`,
      );
    container.add(node, parent === undefined ? undefined : expected.oldOf(parent), items);
    this.#draft.notePaths(items, container.to);
    this.#leaving.leaveOldPlaces(node, items);
  }

  #visitChildren(node: RojoNode, home: Home): void {
    for (const child of node.children) this.#visit(child, home);
  }
}

/** Whether the present files cannot hold what the Instance becomes, so that it is written anew. */
function needsAnotherForm({ node, old, origin }: Described, change: NodeChange | undefined): boolean {
  const { kind } = origin;
  const hasNewClass = change?.className === true;
  if (kind === "text") return hasNewClass || node.children.length > 0;
  if (kind === "csv") return hasNewClass;
  if (kind === "jsonModel") {
    const wasAlone = old.children.length === 0;
    return wasAlone && ((hasNewClass && isScript(node)) || node.children.some(holdsScript));
  }
  const isScriptFile = kind !== "folder" && kind !== "projectNode" && kind !== "rbxm" && kind !== "rbxmx";
  return isScriptFile && isScript(old) && hasNewClass && !isScript(node) && !DATA_MODULES.has(kind);
}
