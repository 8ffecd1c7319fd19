/** A text with a cursor in it, and the places in it that keys lead to. Pure; knows no keys and no screen. */

export interface EditedText {
  readonly text: string;
  /** Index into `text`, in UTF-16 units; never inside a character that is seen as one. */
  readonly cursor: number;
}

/** Where a key leads to from here. */
export type Target = (edited: EditedText) => number;

const WORD_BEFORE = /(?:[\p{L}\p{N}_]+|[^\p{L}\p{N}_\s]+)?\s*$/u;
const WORD_AFTER = /^\s*(?:[\p{L}\p{N}_]+|[^\p{L}\p{N}_\s]+)?/u;
const graphemes = new Intl.Segmenter();

export function characters(text: string): string[] {
  return Array.from(graphemes.segment(text), ({ segment }) => segment);
}

export const characterBefore: Target = ({ text, cursor }) => {
  const start = lineStart({ text, cursor });
  if (start === cursor) return Math.max(0, cursor - 1);
  return cursor - (characters(text.slice(start, cursor)).at(-1)?.length ?? 0);
};

export const characterAfter: Target = ({ text, cursor }) => {
  const end = lineEnd({ text, cursor });
  if (end === cursor) return Math.min(text.length, cursor + 1);
  const [first] = graphemes.segment(text.slice(cursor, end));
  return cursor + (first?.segment.length ?? 0);
};

export const wordBefore: Target = ({ text, cursor }) =>
  cursor - (WORD_BEFORE.exec(text.slice(0, cursor))?.[0].length ?? 0);

export const wordAfter: Target = ({ text, cursor }) =>
  cursor + (WORD_AFTER.exec(text.slice(cursor))?.[0].length ?? 0);

export const lineStart: Target = ({ text, cursor }) => text.lastIndexOf("\n", cursor - 1) + 1;

export const lineEnd: Target = ({ text, cursor }) => {
  const end = text.indexOf("\n", cursor);
  return end === -1 ? text.length : end;
};

/** The same column in the line above or below; undefined where there is no such line. */
export function inNeighbourLine(edited: EditedText, direction: "above" | "below"): number | undefined {
  const { text } = edited;
  const [start, end] = [lineStart(edited), lineEnd(edited)];
  const inside = direction === "above" ? start - 1 : end + 1;
  if (inside < 0 || inside > text.length) return undefined;
  const neighbour = { text, cursor: inside };
  const column = characters(text.slice(start, edited.cursor)).length;
  const first = lineStart(neighbour);
  const before = characters(text.slice(first, lineEnd(neighbour))).slice(0, column);
  return first + before.join("").length;
}

export function insert({ text, cursor }: EditedText, piece: string): EditedText {
  return { text: text.slice(0, cursor) + piece + text.slice(cursor), cursor: cursor + piece.length };
}

/** Removes what is between two places, which may come in either order. */
export function remove({ text }: EditedText, one: number, other: number): EditedText {
  const [start, end] = [Math.min(one, other), Math.max(one, other)];
  return { text: text.slice(0, start) + text.slice(end), cursor: start };
}
