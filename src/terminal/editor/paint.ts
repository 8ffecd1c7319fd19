/**
 * Turns what is on the screen into what should be there, as text with cursor movements. Only what changed is written.
 * Rows of one line are written without a break between them, so that the terminal keeps them together when it is
 * resized and when they are copied. Pure.
 */
import { cells } from "../../util/text-width.ts";
import { characters } from "./edited-text.ts";
import type { Frame, Place, Row } from "./layout.ts";

const CLEAR_ROW = "\x1b[K";
const CLEAR_BELOW = "\x1b[J";
/** From the end of a full row to the start of the next: a terminal wraps only when something more is written. */
const WRAP = " \r";

/** Nothing is there, and the cursor is at the start of a row. */
export const blank: Frame = { rows: [{ text: "", isWrapped: false }], cursor: { row: 0, column: 0 } };

/** `columns` is the width of the screen that both frames were laid out for. */
export function paint(before: Frame, after: Frame, columns: number): string {
  const start = startOf(before.rows, after.rows);
  if (start === undefined) return cleared(before, after, before.cursor);
  const written = after.rows.slice(start.row).map((row, index) => {
    const text = index === 0 ? row.text.slice(start.shared.length) : row.text;
    const lead = index === 0 ? "" : row.isWrapped ? (text === "" ? WRAP : "") : "\r\n";
    return lead + text + (cells(row.text) < columns ? CLEAR_ROW : "");
  });
  const from = { row: start.row, column: cells(start.shared) };
  const end = { row: after.rows.length - 1, column: 0 };
  return `${move(before.cursor, from)}${written.join("")}\r${cleared(before, after, end)}`;
}

/** From the first row of a frame to a place where nothing of it is left. */
export function erase({ cursor }: Frame): string {
  return move(cursor, { row: 0, column: 0 }) + CLEAR_BELOW;
}

/** Removes rows that are no longer needed, then puts the cursor, which is at `from`, in its place. */
function cleared(before: Frame, after: Frame, from: Place): string {
  const end = { row: after.rows.length, column: 0 };
  if (before.rows.length <= end.row) return move(from, after.cursor);
  return move(from, end) + CLEAR_BELOW + move(end, after.cursor);
}

interface Start {
  readonly row: number;
  /** What stays of that row. */
  readonly shared: string;
}

/** Where writing has to begin; undefined where no row changed. */
function startOf(before: readonly Row[], after: readonly Row[]): Start | undefined {
  const changed = after.findIndex((row, index) => !isSame(row, before[index]));
  const [was, is] = [before[changed], after[changed]];
  if (is === undefined) return undefined;
  const isNewlyWrapped = is.isWrapped && was?.isWrapped !== true;
  // A row that is not on the screen yet begins behind the one above it.
  if (changed > 0 && (was === undefined || isNewlyWrapped)) {
    const above = characters(after[changed - 1]?.text ?? "");
    return { row: changed - 1, shared: (is.isWrapped ? above.slice(0, -1) : above).join("") };
  }
  return { row: changed, shared: sharedStart(was?.text ?? "", is.text) };
}

function isSame(one: Row, other: Row | undefined): boolean {
  return other !== undefined && one.text === other.text && one.isWrapped === other.isWrapped;
}

/** In whole characters, because one that combines with the next is drawn as a whole. */
function sharedStart(one: string, other: string): string {
  const others = characters(other);
  const all = characters(one);
  const end = all.findIndex((character, index) => character !== others[index]);
  return (end === -1 ? all : all.slice(0, end)).join("");
}

function move(from: Place, to: Place): string {
  const rows = to.row - from.row;
  const vertical = rows === 0 ? "" : `\x1b[${Math.abs(rows)}${rows < 0 ? "A" : "B"}`;
  return vertical + (to.column === 0 ? "\r" : `\x1b[${to.column + 1}G`);
}
