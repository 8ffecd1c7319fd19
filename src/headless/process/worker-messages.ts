/** The messages between the main thread, which owns sockets, and the thread that runs the VM. */
import type { DataChoice } from "../data/data-choice.ts";
import type { HeadlessHost } from "./host.ts";
import type { HostEvent } from "../bytes/host-ops.ts";
import type { Refusal } from "./refusal.ts";
import type { ClockOrder } from "../window/held-clock.ts";
import type { ScreenChoice } from "../window/screen.ts";
import type { ScriptsUsed } from "../window/used-scripts.ts";
import type { WorldChoice } from "../window/world-choice.ts";

export interface StudioStart {
  readonly luau: WebAssembly.Module;
  readonly settings: Readonly<Record<string, string>>;
  /** The choice of data stores; without it, scripts that use data stores get an error. */
  readonly data?: DataChoice;
  readonly world?: WorldChoice;
  /** True if changes are written into the folder that `data` names. */
  readonly isDataWritten?: boolean;
  /** The names of variants, in which headless Studio differs from the usual one. */
  readonly variants: readonly string[];
  /** The place's id at Roblox. */
  readonly placeId?: number;
  /** Notes whether the place changes. */
  readonly watchesPlace: boolean;
  readonly memoryLimitMb?: number;
  /** The screen of the edited place and of each client. */
  readonly screen?: ScreenChoice;
  /** The plugin in the form of plugin-tree-text.ts. */
  readonly plugin: Uint8Array;
  /** The place in the form of encodePlace in files/engine-bytes.ts; undefined for a new place. */
  readonly place?: Uint8Array;
  /** Two Int32 cells: see SHARED. */
  readonly shared: SharedArrayBuffer;
}

/** Cells of the shared memory. `cancel`: the mark of the VM whose script shall be interrupted. `busy`: that of the working VM. 0: none. */
export const SHARED = { cancel: 0, busy: 1, cells: 2 } as const;

/** The mark that stands for the VM of a DataModel in these cells. `player` is the index of a client's player. */
export function vmMark(context: string, player = 0): number {
  return context === "edit" ? 1 : context === "server" ? 2 : 2 + player;
}

/**
 * The orders that a process may give to a Studio: note which scripts are used, keep the present state, return to it, return to it
 * as soon as the next script has completed, answer after the next frame, or hold the clock of the place, move it by seconds and let it
 * run on. The Studio has to be idle, except for the last four. Each answer of the others has the scripts that were used since the
 * last such order.
 */
export const PLACE_ORDERS = [
  "note",
  "keep",
  "return",
  "returnAfterScript",
  "frame",
  "hold",
  "advance",
  "release",
] as const;
export type PlaceOrder = (typeof PLACE_ORDERS)[number];
/** The orders that a Studio follows at once. */
export type PromptOrder = Exclude<PlaceOrder, "returnAfterScript" | "frame" | ClockOrder>;
export type OrderAnswer = { readonly fault: string } | { readonly used: ScriptsUsed };

export type ToWorker =
  | { readonly kind: "start"; readonly start: StudioStart }
  /** Answered by `done` with the same id. `detail`: the source of the harness for `hold`, seconds for `advance`. */
  | { readonly kind: "order"; readonly id: number; readonly order: PlaceOrder; readonly detail: string }
  /** Answered by `closed` when the plugin has said goodbye. */
  | { readonly kind: "close" }
  | {
      readonly kind: "event";
      /**
       * For an event of a connection that a script made: how often the Studio had returned to the kept state. The event is dropped if
       * the Studio has returned since then.
       */
      readonly life?: number;
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
  | { readonly kind: "done"; readonly id: number; readonly answer: OrderAnswer }
  /** As files/engine-bytes.ts reads it. */
  | { readonly kind: "placeSaved"; readonly place: Uint8Array }
  | { readonly kind: "unsavedTold"; readonly isUnsaved: boolean }
  /** In their order. */
  | { readonly kind: "calls"; readonly calls: readonly HostCall[] }
  | { readonly kind: "dead"; readonly reason: string }
  /** The Studio cannot start, for a reason that the user can fix. */
  | { readonly kind: "refused"; readonly refusal: Refusal };
