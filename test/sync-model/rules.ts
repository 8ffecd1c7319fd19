/**
 * What a set of rules for sync sees and does. It sees texts, names and facts of git, as `sb` does. It acts step by step, so
 * that it can be killed between any two of them.
 */
import type { Key } from "./side.ts";

/** The texts of one side; what it does not have is missing. */
export type Texts = ReadonlyMap<Key, string>;

/** What git says about the sources of a folder. */
export interface GitFacts {
  /** Shallow clones do not know all that is below HEAD. */
  readonly isShallow: boolean;
  /** The source at a path in the commit that is checked out. */
  head(path: number): string | undefined;
  /** The source at a path in the index. */
  index(path: number): string | undefined;
  /** Whether a commit below HEAD, itself included, has this source at this path. */
  isInHistory(path: number, source: string): boolean;
  /** Whether a commit below HEAD has this source at any path. */
  isBelowHead(source: string): boolean;
  /** Whether any object has it. */
  isKnown(source: string): boolean;
}

/** What one sync looks at. */
export interface Look {
  readonly paths: readonly number[];
  /** As they are at this moment. */
  readonly files: Texts;
  readonly studio: Texts;
  /** The names that syncs have left in the place, by the key of the state folder that left them. */
  readonly names: ReadonlyMap<string, string>;
  /** What the plugin has read first in its present life, and then has written, oldest first. */
  readonly heldNames: ReadonlyMap<string, readonly string[]>;
  /** Changes when the place is published, or is saved as another file. */
  readonly placeIdentity: string;
  readonly git: GitFacts | "failed" | undefined;
  /** Whether the settings say that compiled files only go to Studio. */
  readonly isOneWay: boolean;
  /** What the rules have saved in the state folder; undefined before the first sync. */
  readonly state: object | undefined;
  /** A random text that is never used twice. */
  newName(): string;
}

/** A difference that the rules leave to a person. */
export interface Open {
  readonly key: Key;
  readonly reason: string;
  /** What the same answer decides. */
  readonly also?: readonly Key[];
  /** No text can be made from both. */
  readonly isEitherOr?: boolean;
}
export type Answer = "files" | "studio" | "both";
/**
 * What was decided, by key; what is missing stays open. `both` is a new text made from both. Undefined where no person
 * decides and nothing is to be changed then.
 */
export type Ask = (
  open: readonly Open[],
) => ReadonlyMap<Key, { readonly answer: Answer; readonly text: string }> | undefined;

/** An aspect `exists` stands for the whole script; `told` are those that git decided and that the summary tells. */
export type Act =
  | { readonly act: "pull"; readonly keys: readonly Key[]; readonly told: ReadonlySet<Key> }
  /** One part; the parts of a sync are one step for Studio's undo. The name is part of that step. */
  | {
      readonly act: "push";
      readonly keys: readonly Key[];
      readonly told: ReadonlySet<Key>;
      readonly name?: Name;
      /** Left at the same moment, but outside of the step. */
      readonly lasting?: Name;
    }
  /** Outside of any step. */
  | { readonly act: "name"; readonly name: Name; readonly lasting?: Name }
  | { readonly act: "save"; readonly state: object }
  /** Only in an undo: Studio takes its newest step back. */
  | { readonly act: "undoStudio" }
  /** The files get back what the pulls of the last sync have replaced; also in a sync after an undo that was killed. */
  | { readonly act: "undoFiles" };
export interface Name {
  readonly key: string;
  readonly name: string;
}

/** Each act is answered by the keys that Studio refused. */
export type Acts = Generator<Act, void, ReadonlySet<Key>>;

/** The last plan, which is taken back. */
export interface DonePlan {
  readonly pulls: readonly Key[];
  readonly pushes: readonly Key[];
  /** Pushes stay then. */
  readonly isOfFilesOnly: boolean;
  /** A person has taken the pushes back in Studio already. */
  readonly isUndoneInStudio: boolean;
}

export interface Rules {
  readonly name: string;
  sync(look: Look, ask: Ask): Acts;
  undo(look: Look, plan: DonePlan): Iterable<Act>;
}
