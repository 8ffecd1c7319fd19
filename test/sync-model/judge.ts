/**
 * The law of sync: it may replace a value only by one that was made from it, or after a question. Everything here looks at
 * where values come from and at nothing that the rules say about themselves.
 */
import type { GitFacts } from "./rules.ts";
import { isExistence, type Key, keyOf, keysOf, NO, pathOf, type Side, YES } from "./side.ts";
import { descends, type Value, type Values } from "./values.ts";

/**
 * A fault of the rules:
 * `lost`: a value whose text the new value has never had;
 * `return`: a value that went back to an earlier text, so that only the decision to go back is lost;
 * `mark`: what was left open by an undo was decided without a question;
 * `half`: half of a killed push was taken for an edit of Studio;
 * `different`: a sync that left nothing open left both sides different;
 * `restless`: a second sync had something to do;
 * `written`: a file of a one-way folder took what Studio has;
 * `kept`: an undo did not bring back what a push had replaced in a one-way folder.
 */
export type FaultKind = "lost" | "return" | "mark" | "half" | "different" | "restless" | "written" | "kept";
export interface Fault {
  readonly kind: FaultKind;
  readonly text: string;
}

/** What is allowed by name, or is no loss, and is counted apart. */
export type Remark =
  | "back to the base"
  | "replaced a text as committed or staged"
  | "replaced a text of HEAD's history"
  | "replaced a source that the files have had"
  | "replaced an edit in a one-way folder"
  | "undo forgotten with the life of the plugin"
  | "came back after a removal";

export interface Tally {
  readonly faults: Fault[];
  readonly remarks: Map<Remark, number>;
  readonly questions: Map<string, number>;
  /** Questions in which one side was made from the other. */
  readonly needless: Map<string, number>;
  syncs: number;
}

export const newTally = (): Tally => ({
  faults: [],
  remarks: new Map(),
  questions: new Map(),
  needless: new Map(),
  syncs: 0,
});

export const count = <Name>(counts: Map<Name, number>, name: Name, more = 1): void => {
  counts.set(name, (counts.get(name) ?? 0) + more);
};

export interface Replacement {
  readonly key: Key;
  readonly to: "files" | "studio";
  readonly target: Side;
  readonly source: Side;
  /** Whether the summary tells it, with its reason. */
  readonly isTold: boolean;
  /** Whether the settings say that files only go to Studio there. */
  readonly isOneWay: boolean;
  readonly git: GitFacts | undefined;
  /** Whether an undo has left it open, which is judged apart. */
  isUndone(key: Key): boolean;
  /** The values on which this folder and this place last agreed, by key. */
  agreed(key: Key): readonly Value[];
}

/**
 * Judges one replacement without a question. What is allowed by name counts from now on as made from both, so
 * that it is counted once.
 */
export function judgeReplacement(replacement: Replacement, values: Values, tally: Tally): void {
  const { key, source, target } = replacement;
  const path = pathOf(key);
  const value = source.get(key);
  const held = target.get(key);
  if (value === undefined || held === undefined) return;
  if (replacement.isOneWay && replacement.to === "files")
    tally.faults.push({ kind: "written", text: `${key} in a one-way folder became ${value.text}` });
  if (!isExistence(key)) return judgeValue(held, value, replacement, values, tally);
  if (value.text === YES) {
    if (held.text === NO && !descends(value, held)) count(tally.remarks, "came back after a removal");
    return;
  }
  for (const each of keysOf(path)) {
    const lost = target.get(each);
    if (lost !== undefined) judgeValue(lost, value, { ...replacement, key: each }, values, tally);
  }
}

function judgeValue(held: Value, value: Value, replacement: Replacement, values: Values, tally: Tally): void {
  if (descends(value, held) || replacement.isUndone(replacement.key)) return;
  const remark = remarkOn(held, value, replacement, values);
  if (remark !== undefined) return count(tally.remarks, remark);
  const { key, to } = replacement;
  const kind = values.knowsText(value, held.text) ? "return" : "lost";
  tally.faults.push({ kind, text: `${key} = ${held.text} in ${to} gave way to ${value.text}` });
}

function remarkOn(
  held: Value,
  value: Value,
  { key, to, git, isTold, isOneWay, agreed }: Replacement,
  values: Values,
): Remark | undefined {
  if (agreed(key).some((base) => base.text === held.text && descends(value, base))) return "back to the base";
  if (!isTold) return undefined;
  if (isOneWay && to === "studio") return "replaced an edit in a one-way folder";
  // A removal takes the flag of a script along, whose source tells that it is older.
  const isRemoval = value.text === NO;
  if (to === "studio" && (isRemoval || key.endsWith("source")) && values.knowsText(value, held.text))
    return "replaced a source that the files have had";
  if (!key.endsWith("source")) return undefined;
  if (git === undefined) return undefined;
  const path = pathOf(key);
  if (to === "files" && [git.head(path), git.index(path)].includes(held.text))
    return "replaced a text as committed or staged";
  if (to === "files") return undefined;
  return git.isInHistory(path, held.text) ? "replaced a text of HEAD's history" : undefined;
}

/** Whether one side was made from the other, so that no question was needed. */
export function isNeedless(key: Key, files: Side, studio: Side): boolean {
  const path = pathOf(key);
  return isMadeFrom(files, studio, path, key) || isMadeFrom(studio, files, path, key);
}

function isMadeFrom(later: Side, earlier: Side, path: number, key: Key): boolean {
  const value = later.get(key) ?? later.get(keyOf(path, "exists"));
  const keys = isExistence(key) ? keysOf(path) : [key];
  return keys.every((each) => {
    const before = earlier.get(each);
    const after = later.get(each) ?? value;
    return before === undefined || (after !== undefined && descends(after, before));
  });
}
