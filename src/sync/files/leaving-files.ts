/** Takes away the files that an Instance has had, because it is removed, has moved, or gets files of another form. */
import { join } from "node:path";
import type { RojoNode } from "../../roblox/rojo/node.ts";
import { type Items, KEEP_FILE, type LayoutDraft } from "./layout-draft.ts";

export class LeavingFiles {
  readonly #draft: LayoutDraft;

  constructor(draft: LayoutDraft) {
    this.#draft = draft;
  }

  /** Takes away the files of an Instance; with `isWhole` also those of everything below it. */
  removeFiles(old: RojoNode, items: Items, isWhole: boolean): void {
    const { origin } = old;
    const { input, removedFiles, removedFolders } = this.#draft;
    if (origin === undefined) return;
    if (origin.project !== undefined)
      return this.#draft.refuse(items, `${origin.project.file} names ${old.name}; take it out there`);
    if (!this.#draft.isAllowed(origin, items)) return;
    if (origin.kind === "part") return this.leaveContainer(old, items);
    this.#draft.notePaths(items, origin.path);
    const own = origin.kind === "folder" ? origin.init : origin.path;
    if (own !== undefined) removedFiles.push({ path: own, items });
    for (const { path } of this.#draft.metasOf(origin)) removedFiles.push({ path, items });
    if (origin.kind !== "folder") return;
    const keep = join(origin.path, KEEP_FILE);
    if (input.hasFile(keep)) removedFiles.push({ path: keep, items });
    for (const child of isWhole ? old.children : [])
      if (!this.#hasLeft(child)) this.removeFiles(child, items, true);
    removedFolders.push({ path: origin.path, items });
  }

  #hasLeft(old: RojoNode): boolean {
    const { expected } = this.#draft.input;
    const copy = expected.copyOf(old);
    return copy !== undefined && expected.changeOf(copy)?.isMoved === true;
  }

  /** What has moved into a file of several Instances leaves the files that it had. */
  leaveOldPlaces(node: RojoNode, items: Items): void {
    const old = this.#draft.input.expected.oldOf(node);
    if (old !== undefined) this.removeFiles(old, items, false);
    for (const child of node.children) this.leaveOldPlaces(child, items);
  }

  leaveContainer(old: RojoNode, items: Items): void {
    const { origin } = old;
    if (origin !== undefined) this.#draft.containerAt(origin).remove(old, items);
  }
}
