/**
 * The words and shapes of sync. Three trees of `RojoNode` are compared: what the files say, what Studio (or a place file)
 * holds, and the base, which is what both held after the last sync. A plan is a list of items with a verdict each.
 */
import type { SerializedValue } from "../protocol/values.ts";
import type { FileValue } from "../roblox/model.ts";
import type { RojoNode } from "../roblox/rojo/node.ts";
import type { PlaceNames } from "./revisions/lineage.ts";

export type SyncMode = "standard" | "manual" | "fastfail" | "dryrun";
/** `push` is files to Studio, `pull` is Studio to files. */
export type Direction = "push" | "pull";
export type Verdict = Direction | "skip" | "merge" | "none" | "unresolved";
export type Reason =
  | "file_changed"
  | "studio_changed"
  | "both_changed"
  | "delete_vs_edit"
  | "ambiguous_match"
  | "no_base"
  | "studio_older"
  | "push_undone"
  | "pull_undone"
  | "git_elsewhere"
  | "foreign_place"
  | "many_overwrites"
  | "mass_removal"
  | "unwritable"
  | "left_out"
  | "one_way"
  | "refused";
export type ChangeKind = "add" | "edit" | "remove" | "move";
/** Which properties take part: those that files state, also those that changed in Studio, or all that differ from defaults. */
export type PropertyChoice = "listed" | "changed" | "all";

/** One side's value of an aspect; undefined where that side has none. */
export type AspectValue =
  | { readonly type: "text"; readonly value: string }
  | { readonly type: "value"; readonly value: FileValue }
  | { readonly type: "instance"; readonly value: RojoNode | null }
  | { readonly type: "flag"; readonly value: boolean };

/** What is merged apart from everything else. A tag's value is a flag; the parent's and a reference's an Instance. */
export interface AspectChange {
  readonly aspect:
    "name" | "className" | "parent" | "source" | "property" | "reference" | "attribute" | "tag";
  /** Of the property, reference, attribute or tag. */
  readonly name?: string;
  readonly file: AspectValue | undefined;
  readonly studio: AspectValue | undefined;
  readonly base: AspectValue | undefined;
}

/**
 * One change of one Instance in one direction. An Instance of which different properties changed on either side has two
 * items, one for each direction. The added Instance of an `add` brings its whole subtree with items of their own.
 */
export interface PlanItem {
  /** `@17` in a session; `@` and the number of the Instance in the plan where Studio gave none. */
  readonly id: string;
  /** The Instance's path as everywhere, without `game.`. */
  readonly path: string;
  /** The file that is, or would be, written or read; relative to the project's folder, with slashes. */
  fsPath?: string;
  readonly className: string;
  readonly change: ChangeKind;
  verdict: Verdict;
  reason?: Reason;
  /** What the item becomes once a mass removal is confirmed. */
  proposed?: Verdict;
  /** Why the plan has left it open before any choice was made. */
  readonly openedAs?: Reason;
  /** The sentence for people behind `unwritable`, `refused` and `ambiguous_match`. */
  detail?: string;
  readonly file?: RojoNode;
  readonly studio?: RojoNode;
  readonly base?: RojoNode;
  readonly aspects: readonly AspectChange[];
  /** The merged source, where a three-way merge has no conflict. */
  readonly merged?: string;
}

export interface Plan {
  readonly items: PlanItem[];
  /** The pairs that are one Instance, whether or not they differ: the files' node first. */
  readonly pairs: ReadonlyMap<RojoNode, RojoNode>;
  /** Set where the plan removes so much that a person must confirm it. */
  massRemoval?: { readonly count: number; readonly detail: string };
  /** Set where the plan replaces so many files that a person must confirm it. */
  manyOverwrites?: { readonly count: number; readonly detail: string };
}

/** What a caller chose for an item. `to` is an id (`@17`), the path of an Instance, or a file's path. */
export interface Override {
  readonly to: string;
  readonly direction: "push" | "pull" | "skip" | "merge";
  readonly studioHash?: string;
  readonly fileHash?: string;
  readonly expectedProperties?: Readonly<Record<string, SerializedValue>>;
}
export type OverrideAnswer =
  "applied" | "unknown_id" | "hash_mismatch" | "property_mismatch" | "not_applicable" | "invalid";

/** How a place is known again: its placeId where it has one, else its file, else the id that a sync left in it. */
export type PlaceIdentity =
  | { readonly by: "placeId"; readonly value: string }
  | { readonly by: "file"; readonly value: string }
  | { readonly by: "mark"; readonly value: string }
  | { readonly by: "unknown" };

export const isSamePlace = (one: PlaceIdentity, other: PlaceIdentity): boolean =>
  one.by === "unknown" || other.by === "unknown"
    ? one.by === other.by
    : one.by === other.by && one.value === other.value;

/** What became of one item when a plan was applied. */
export interface ItemResult {
  readonly item: PlanItem;
  readonly applied: boolean;
  readonly reason?: string;
  /** Whether the person at Studio has not allowed it, so that it can be tried again when they decide otherwise. */
  readonly isHeldBack?: boolean;
}

/** How many changes a sync has left to a person: those that wait for an answer, and those that could not be made. */
export interface LeftOpen {
  readonly open: number;
  readonly failed: number;
}

/** The other side of a sync: an open Studio, or a place or model file. */
/** What an undo step of the other side says about the sync that made it, so that the sync is found again. */
export interface SyncStep {
  /** Key of the project in the state folder. */
  readonly project: string;
  readonly plan: string;
}

export interface Counterpart {
  /** For people: `Lobby (edit)`, `game.rbxl`. */
  readonly label: string;
  readonly place: PlaceIdentity;
  /** Names the life of the plugin, in which a `studioId` means one Instance. Absent where nothing has such ids. */
  readonly generation?: string;
  /** False for files given by `--from`, which are only read. */
  readonly isWritable: boolean;
  /** The revisions of this project that the place and the life of its plugin name. Absent where places cannot be given names. */
  readonly names?: PlaceNames;
  /** Writes the name of a revision into the place, apart from any undo step; false where the place takes none. */
  nameAsync?(name: string): Promise<boolean>;
  /** Begins to read what the project is likely to be about, while its files are read. Absent where that saves no time. */
  foresee?(projectFile: string): void;
  /** The tree below the nodes that the files describe. `files` says which roots and which properties are wanted. */
  readAsync(files: RojoNode, properties: PropertyChoice, signal: AbortSignal): Promise<RojoNode>;
  /**
   * Applies pushes as one undo step, which carries `step`, each with its precondition. The place takes the name of the revision
   * with the last part.
   */
  applyAsync(
    items: readonly PlanItem[],
    plan: Plan,
    signal: AbortSignal,
    names: { readonly step: SyncStep; readonly revision: string },
  ): Promise<readonly ItemResult[]>;
  /** What the Luau compiler has against sources, by their positions. Absent where no compiler can be asked. */
  compileAsync?(sources: readonly string[]): Promise<ReadonlyMap<number, string>>;
  /** Tells the person at the other side what a sync leaves to them. Absent where no person sees it. */
  leave?(left: LeftOpen): void;
}
