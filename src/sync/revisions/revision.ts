/**
 * A revision is a state on which a sync has ended, with a name that is never used twice. The place carries the name of the
 * last one, so that a later sync knows what this very state of the place was made from. Revisions of a project form one line.
 */
import type { RojoNode } from "../../roblox/rojo/node.ts";
import { randomHex } from "../../util/random-hex.ts";

/** What one Instance held, apart from what is below it. */
export interface HeldItem {
  /** The number of the item above it; undefined for the top. */
  readonly parent: number | undefined;
  /** Without children and references. */
  readonly node: RojoNode;
  /** The items to which it refers, by the names of its properties. */
  readonly references: ReadonlyMap<string, number>;
}

/** The way from one revision to the next, written down so that it can be gone backwards. */
export interface Step {
  readonly revision: string;
  /** The revision before it; NO_REVISION for the first one. */
  readonly after: string;
  /** From which revision its plan was made, where that is not the one before; NO_REVISION for none. */
  readonly base?: string;
  /** Set where an undo has ended with it. */
  readonly isUndo?: true;
  readonly atMs: number;
  /** What each changed item held before; undefined for an item that did not exist. */
  readonly was: ReadonlyMap<number, HeldItem | undefined>;
  /** What the sync has brought to Studio. */
  readonly pushed: ItemAspects;
  /**
   * What it has brought to the files. `was` does not tell it where they got back what they had at the base. Empty for steps of
   * sources alone, whose pulls always differ from the base.
   */
  readonly pulled: ItemAspects;
  /** Set where what the revision before was to push had not been read back. */
  readonly isAfterUnsure?: true;
}

/** By item: aspects as `aspectKey` names them, or EXISTENCE. */
export type ItemAspects = ReadonlyMap<number, readonly string[]>;
export type DoneAspects = Pick<Step, "pushed" | "pulled">;

export const NOTHING_DONE: DoneAspects = { pushed: new Map(), pulled: new Map() };

/** Stands for the state before the first revision. */
export const NO_REVISION = "";

/** Stands for the Instance itself among the names of aspects. */
export const EXISTENCE = "existence";

const NAME_BYTES = 8;
export const newRevisionName = (): string => randomHex(NAME_BYTES);

const NAME_IN_PLACE = /^([0-9a-f]{16})(?: \d{4}-\d{2}-\d{2})?$/;

/** As the place carries it: with the day, by which the longest unused name of a place is found. */
export const textInPlace = (name: string, nowMs: number): string =>
  `${name} ${new Date(nowMs).toISOString().slice(0, 10)}`;

/** Undefined for what is no name of a revision. */
export const nameInPlace = (text: string | undefined): string | undefined =>
  NAME_IN_PLACE.exec(text ?? "")?.[1];
