/**
 * Places and the Studios that have them open. What a place holds is never changed, only replaced, so that a saved file, an
 * older version and a copy are the same thing: an earlier content.
 */
import { type Changes, type Key, keysOf, pathOf, type Side, withChanges } from "./side.ts";
import type { Value, Values } from "./values.ts";

/** A push that Studio took back, or a pull that `sync undo` took back, which no person has decided since. */
export interface UndoneMark {
  /** The life of the folder's memory in which it was made; a folder that lost its memory owes nothing. */
  readonly memory: number;
  /** The life of the plugin in which it was made. */
  readonly life: number;
  /** Whether a sync has seen it. */
  readonly isSeen: boolean;
}

export interface Agreed {
  readonly values: readonly Value[];
  /** How many of the last ones may be the base: one, and one more for each sync that was killed. */
  readonly doubtful: number;
}

export interface Content {
  readonly scripts: Side;
  /** What syncs left, by the key of a state folder. */
  readonly names: ReadonlyMap<string, string>;
  /** What only the judge knows, by folder and key: the values on which both sides agreed, the last one last. */
  readonly agreed: ReadonlyMap<string, Agreed>;
  /** What only the judge knows, by folder and key. */
  readonly undone: ReadonlyMap<string, UndoneMark>;
  /** What only the judge knows, by folder and key: what a sync pushed before it was killed. */
  readonly half: ReadonlyMap<string, { readonly value: Value; readonly memory: number }>;
  /** What only the judge knows: the plans that have met this content or what it was made from. */
  readonly plans: ReadonlySet<number>;
}

export const EMPTY: Content = {
  scripts: new Map(),
  names: new Map(),
  agreed: new Map(),
  undone: new Map(),
  half: new Map(),
  plans: new Set(),
};

export interface Place {
  readonly number: number;
  live: Content;
  /** Saved files or versions, newest last. */
  readonly saved: Content[];
  isTeam: boolean;
  isPublished: boolean;
}

/** A recorded step of Studio's undo. */
export interface Step {
  readonly changes: {
    readonly key: Key;
    readonly before: Value | undefined;
    readonly after: Value | undefined;
  }[];
  readonly names: { readonly key: string; readonly before: string | undefined; readonly after: string }[];
  /** Whose push it is; undefined for an edit. */
  readonly push?: { readonly folder: number; readonly memory: number };
  /** A push that was not killed in the middle. */
  isWhole: boolean;
  /** Set once a later sync was whole. */
  isSettled?: boolean;
  wasUndone?: boolean;
}

export interface Studio {
  readonly machine: number;
  readonly place: Place;
  life: number;
  /** The names that the plugin has written or read in this life, by key, oldest first. */
  held: Map<string, readonly string[]>;
  undo: Step[];
  redo: Step[];
}

export const changedContent = (content: Content, changes: Changes): Content => ({
  ...content,
  scripts: withChanges(content.scripts, changes),
});

export function namedContent(content: Content, key: string, name: string | undefined): Content {
  const names = new Map(content.names);
  if (name === undefined) names.delete(key);
  else names.set(key, name);
  return { ...content, names };
}

/** The plugin begins anew, with the place or without it. */
export function beginLife(studio: Studio, life: number, isReopened: boolean): void {
  studio.life = life;
  studio.held = new Map();
  if (!isReopened) return;
  studio.undo = [];
  studio.redo = [];
}

/** A step with what it has changed, as Studio's undo remembers it. */
export function stepOf(before: Side, changes: Changes, more: Partial<Step> = {}): Step {
  return {
    changes: changes.map(([key, after]) => ({ key, before: before.get(key), after })),
    names: [],
    isWhole: true,
    ...more,
  };
}

/** What undoing (or redoing) a step changes. A script that another sync or person has changed since stays as it is. */
export function changesOfUndo(
  step: Step,
  scripts: Side,
  values: Values,
  direction: "undo" | "redo",
): { key: Key; before: Value | undefined; value: Value | undefined }[] {
  const paths = new Set(step.changes.map(({ key }) => pathOf(key)));
  return [...paths].flatMap((path) => {
    const own = step.changes.filter(({ key }) => pathOf(key) === path);
    const [from, to] = direction === "undo" ? (["after", "before"] as const) : (["before", "after"] as const);
    const isAsLeft = own.every((change) => scripts.get(change.key)?.text === change[from]?.text);
    if (!isAsLeft) return [];
    const present = keysOf(path).map((key) => scripts.get(key));
    // A killed sync has not told anybody about its half of a push: taking it back leads to what was there before.
    const isPlain =
      direction === "undo" && step.push !== undefined && !step.isWhole && step.isSettled !== true;
    return own.map((change) => {
      const target = change[to];
      const made = target && (isPlain ? target : values.make(target.text, [target, ...present]));
      return { key: change.key, before: scripts.get(change.key), value: made };
    });
  });
}

export function noteHeld(
  studio: Studio,
  { key, name }: { readonly key: string; readonly name: string },
): void {
  const known = studio.held.get(key) ?? [];
  if (known.at(-1) !== name) studio.held.set(key, [...known, name]);
}
