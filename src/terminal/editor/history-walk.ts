/** The way through earlier texts with the arrows: to older ones, and back to what was being typed. Pure. */
import type { EditedText } from "./edited-text.ts";

export interface Walk {
  /** What was typed before the first step. */
  readonly draft: string;
  /** What stood before the cursor at the first step; only entries that begin with it are offered. */
  readonly start: string;
  /** The entry that is shown; -1 is the draft. */
  readonly index: number;
}

export interface Walked {
  readonly walk: Walk;
  readonly edited: EditedText;
}

/** `entries` are newest first. Undefined at either end of the history. */
export function stepInHistory(
  walk: Walk | undefined,
  { text, cursor }: EditedText,
  entries: readonly string[],
  direction: "older" | "newer",
): Walked | undefined {
  const { draft, start, index: from } = walk ?? { draft: text, start: text.slice(0, cursor), index: -1 };
  const step = direction === "older" ? 1 : -1;
  let index = from + step;
  while (entries[index]?.startsWith(start) === false || entries[index] === text) index += step;
  if (index >= entries.length || index < -1) return undefined;
  const shown = entries[index] ?? draft;
  return { walk: { draft, start, index }, edited: { text: shown, cursor: shown.length } };
}
