/** The kept revisions of a folder: one line, in which each knows the one that counted for its place before. */
import type { Look, Texts } from "./rules.ts";
import type { Key } from "./side.ts";

export type UndoneReason = "push_undone" | "pull_undone" | "studio_older";

export interface Revision {
  readonly name: string;
  /** The one that counted for the place before. */
  readonly from: string | undefined;
  /** The values on which both sides agreed or will agree; a key that is missing has none. */
  readonly tree: Texts;
  /** What of the tree this revision itself has written or found. */
  readonly own: ReadonlySet<Key>;
  readonly pushes: readonly Key[];
  /** What an undo left open. */
  readonly marks: ReadonlyMap<Key, UndoneReason>;
  /** What the tree held before, which an undo brings back. */
  readonly before: Texts;
  readonly kind: "plan" | "agreement" | "undo";
  /** What was left open before, of what it pushes. */
  readonly marksBefore: ReadonlyMap<Key, UndoneReason>;
  /** Written down before its pushes, and not looked at since. */
  readonly isUnfinished: boolean;
}

/** What bare names lack; each can be left out, which shows what it is for. */
export interface Guards {
  /** An unfinished revision counts, for what it meant to push, as if the place named the one before. */
  readonly unfinished?: boolean;
  /** The place keeps the last name outside of any undo step, too, so that Ctrl+Z is seen without the plugin's memory. */
  readonly lastName?: boolean;
  /** What was left open belongs to the revision that the place names, not to the newest one. */
  readonly marksOfPlace?: boolean;
  /** A place that names what an undo came after counts as naming the undo, which may not have reached it. */
  readonly followsUndo?: boolean;
  /** An undo builds on what the place names now, and takes over what a sync would have found. */
  readonly undoLooks?: boolean;
  /** What is left open as `studio_older` stays so, because the next base no longer says it. */
  readonly olderStays?: boolean;
  /** What is no source tells that Studio is older only where a sync was killed before its name was in the place. */
  readonly flagsProveNothing?: boolean;
}

/** What the state folder holds. */
export class History {
  readonly key: string;
  readonly line: readonly Revision[];

  constructor(key: string, line: readonly Revision[]) {
    this.key = key;
    this.line = line;
  }

  /** -1 for a name that is not kept. */
  indexOf(name: string | undefined): number {
    return this.line.findIndex((revision) => revision.name === name);
  }

  /** With a new revision, or with another content of the newest one. */
  with(revision: Revision): History {
    const line = this.line.filter(({ name }) => name !== revision.name);
    return new History(this.key, [...line, revision]);
  }
}

export const historyOf = ({ state, newName }: Look): History =>
  state instanceof History ? state : new History(newName(), []);

export interface Later {
  readonly texts: Texts;
  readonly tree: Texts;
  /** Whether Studio may hold them without naming the revision. */
  readonly isUnfinished: boolean;
}

/** Which values count as the base of a place, and what its undo has taken back. */
export interface Basis {
  readonly base: Texts | undefined;
  /** The values of those that came after the base in the line. */
  readonly later: readonly Later[];
  readonly undone: ReadonlySet<Key>;
  readonly marks: ReadonlyMap<Key, UndoneReason>;
  /** The revision that counts, or what the place names though it is not kept. */
  readonly name: string | undefined;
}

export const lastKey = (key: string): string => `${key} last`;

export function basisOf(history: History, { names, heldNames }: Look, guards: Guards): Basis {
  const named = names.get(history.key);
  const at = history.indexOf(named);
  const last = guards.lastName === true ? [names.get(lastKey(history.key))] : [];
  const known = [...(heldNames.get(history.key) ?? []), ...last];
  const held = Math.max(-1, ...known.map((name) => history.indexOf(name)));
  const isUndone = held > at && (named === undefined || at >= 0 || last.length > 0);
  const index = isUndone ? held : at;
  const base = followed(history, index, guards);
  const isUnfinished = guards.unfinished === true && base?.isUnfinished === true;
  const undone = isUndone ? pushesBetween(history, named, held) : [];
  return {
    base: isUnfinished ? beforePushes(base) : base?.tree,
    later: [
      ...(isUnfinished ? [{ texts: intended(base), tree: base.tree, isUnfinished }] : []),
      ...(base === undefined
        ? []
        : history.line.slice(index + 1).map((revision) => laterOf(revision, guards))),
    ],
    undone: new Set(undone),
    marks: new Map([
      ...(isUnfinished ? base.marksBefore : []),
      ...((guards.marksOfPlace === true ? base : history.line.at(-1))?.marks ?? []),
    ]),
    name: base?.name ?? named,
  };
}

/** From the revision that the place names to the one that it named last. */
function pushesBetween(history: History, named: string | undefined, held: number): readonly Key[] {
  const pushes: Key[] = [];
  for (let at = held; at >= 0;) {
    const revision = history.line[at];
    if (revision === undefined || revision.name === named) break;
    pushes.push(...revision.pushes);
    at = revision.from === named ? -1 : history.indexOf(revision.from);
  }
  return pushes;
}

/** What the undo took back in files holds for a place that has not heard of it; in Studio it may have taken back nothing. */
function followed({ line }: History, at: number, { followsUndo }: Guards): Revision | undefined {
  const named = line[at];
  const undo = line.findLast(
    ({ kind, from }, index) => kind === "undo" && index > at && from === named?.name,
  );
  if (followsUndo !== true || named === undefined || undo === undefined) return named;
  const tree = new Map(named.tree);
  const marks = new Map(named.marks);
  for (const [key, reason] of undo.marks) {
    if (reason !== "pull_undone") continue;
    marks.set(key, reason);
    const text = undo.tree.get(key);
    if (text === undefined) tree.delete(key);
    else tree.set(key, text);
  }
  return { ...named, tree, marks };
}

function beforePushes({ tree, before, pushes }: Revision): Texts {
  const texts = new Map(tree);
  for (const key of pushes) {
    const text = before.get(key);
    if (text === undefined) texts.delete(key);
    else texts.set(key, text);
  }
  return texts;
}

const intended = ({ tree, pushes }: Revision): Texts =>
  new Map([...tree].filter(([key]) => pushes.includes(key)));

/** What a later revision says about values that Studio may still hold: what it wrote or found, not what it carried on. */
const laterOf = ({ tree, own, isUnfinished }: Revision, { flagsProveNothing }: Guards): Later => ({
  tree,
  texts: new Map([...tree].filter(([key]) => own.has(key))),
  isUnfinished: isUnfinished || flagsProveNothing !== true,
});
