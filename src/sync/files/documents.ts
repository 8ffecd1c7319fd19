/** The files that a plan writes, each with the changes that its items make to its content. */
import type { PlanItem } from "../types.ts";

/** New content; undefined for a file that says nothing any more and goes. Or why it cannot be written. */
export type Edited = { readonly content: Uint8Array | undefined } | { readonly refused: string };

/** Makes new content of the old; undefined stands for a file that does not exist. */
export type Edit = (old: Uint8Array | undefined) => Edited;

interface TaggedEdit {
  readonly items: ReadonlySet<PlanItem>;
  readonly edit: Edit;
}

export interface Document {
  /** Where it will be. */
  readonly path: string;
  /** Where it is now; undefined for a new file. */
  readonly old: string | undefined;
  readonly edits: TaggedEdit[];
}

export class Documents {
  readonly #byPath = new Map<string, Document>();

  change(path: string, old: string | undefined, items: ReadonlySet<PlanItem>, edit: Edit): void {
    let document = this.#byPath.get(path);
    if (document === undefined) this.#byPath.set(path, (document = { path, old, edits: [] }));
    document.edits.push({ items, edit });
  }

  has(path: string): boolean {
    return this.#byPath.has(path);
  }

  [Symbol.iterator](): Iterator<Document> {
    return this.#byPath.values();
  }
}
