/** The messages between the main thread, which owns sockets, and the thread that runs the VM. */
import type { DataChoice } from "../data/data-choice.ts";
import type { HeadlessHost } from "./host.ts";
import type { HostEvent } from "../bytes/host-ops.ts";
import type { Refusal } from "./refusal.ts";
import type { ScriptsUsed } from "../window/used-scripts.ts";

export interface StudioStart {
  readonly luau: WebAssembly.Module;
  readonly settings: Readonly<Record<string, string>>;
  /** What scripts that use data stores get; without it they are refused. */
  readonly data?: DataChoice;
  /** Changes are written into the folder that `data` names. */
  readonly isDataWritten?: boolean;
  /** What is different from a usual headless Studio. */
  readonly variants: readonly string[];
  readonly memoryLimitMb?: number;
  /** As plugin-tree-text.ts writes it. */
  readonly plugin: Uint8Array;
  /** As encodePlace of files/engine-bytes.ts writes it; without one, the place is new. */
  readonly place?: Uint8Array;
  /** Two Int32 cells: see SHARED. */
  readonly shared: SharedArrayBuffer;
}

/** Cells of the shared memory: the mark of the VM whose script is to be interrupted, and of the one that works; or 0. */
export const SHARED = { cancel: 0, busy: 1, cells: 2 } as const;

/** What stands for the VM of a DataModel in those cells. `player` is the index of a client's player. */
export function vmMark(context: string, player = 0): number {
  return context === "edit" ? 1 : context === "server" ? 2 : 2 + player;
}

/**
 * What a process may ask of a Studio that is idle: to note which scripts are used, to keep the edited place as it is, and
 * to return to that. Each answer tells which scripts were used since the one before.
 */
export const PLACE_ORDERS = ["note", "keep", "return"] as const;
export type PlaceOrder = (typeof PLACE_ORDERS)[number];
export type OrderAnswer = { readonly fault: string } | { readonly used: ScriptsUsed };

export type ToWorker =
  | { readonly kind: "start"; readonly start: StudioStart }
  /** Answered by `done`. */
  | { readonly kind: "order"; readonly order: PlaceOrder }
  /** Answered by `closed` when the plugin has said goodbye. */
  | { readonly kind: "close" }
  | {
      readonly kind: "event";
      readonly event: HostEvent;
      readonly number: number;
      readonly payload: string | Uint8Array;
    };

/** A call of one method of HeadlessHost, as a tuple of its name and arguments. */
export type HostCall = {
  [Method in keyof HeadlessHost]: readonly [method: Method, ...Parameters<HeadlessHost[Method]>];
}[keyof HeadlessHost];

export type FromWorker =
  | { readonly kind: "ready" }
  | { readonly kind: "closed" }
  | { readonly kind: "done"; readonly answer: OrderAnswer }
  /** As files/engine-bytes.ts reads it. */
  | { readonly kind: "placeSaved"; readonly place: Uint8Array }
  /** In their order. */
  | { readonly kind: "calls"; readonly calls: readonly HostCall[] }
  | { readonly kind: "dead"; readonly reason: string }
  /** It cannot start, for a reason that its user can mend. */
  | { readonly kind: "refused"; readonly refusal: Refusal };
