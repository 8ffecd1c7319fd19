/** The steps by which a pull changes files, as a plan lists them and as the record of a plan keeps them for undo. */
import type { PlanItem } from "../types.ts";

/** Paths are absolute. Hashes are those of `gitBlobHash`. */
export type FileOperation = (
  | { readonly type: "createFolder" | "removeFolder"; readonly path: string }
  /** `before` is the hash of what is replaced; without it nothing may be there. */
  | { readonly type: "write"; readonly path: string; readonly before?: string; readonly content: Uint8Array }
  /** `before` is the hash of a file; a folder has none. */
  | { readonly type: "rename"; readonly path: string; readonly to: string; readonly before?: string }
  | { readonly type: "remove"; readonly path: string; readonly before: string }
) & {
  /** The items that need this step. When one of them fails, the step is not done. */
  readonly items: readonly PlanItem[];
};

/** A step as the record of a plan keeps it. */
export interface RecordedOperation {
  readonly type: FileOperation["type"];
  readonly path: string;
  readonly to?: string;
  readonly before?: string;
  /** Of what was written. */
  readonly after?: string;
  /** Where a body lies that the step takes away or replaces, absolute. */
  readonly trash?: string;
  /** Where the new content lies until it takes its place, absolute. */
  readonly staging?: string;
  /** The ids of its items. */
  readonly items: readonly string[];
}
