/**
 * Where each character of a text is on a screen of a given width: lines that wrap, characters that take two cells,
 * control characters as escapes. Pure.
 */
import { cells } from "../../util/text-width.ts";
import { visibleControls } from "../../util/visible-controls.ts";
import { characters } from "./edited-text.ts";
import type { EditedText } from "./edited-text.ts";

export interface Row {
  readonly text: string;
  /** It goes on where the row above was full, without a line break. */
  readonly isWrapped: boolean;
}

export interface Frame {
  readonly rows: readonly Row[];
  readonly cursor: Place;
}

export interface Place {
  readonly row: number;
  readonly column: number;
}

const FURTHER_PROMPT = "| ";
const TAB = "  ";
/** Text whose characters take one cell each, so that it can be cut by counting. */
const SIMPLE = /^[\x20-\x7e]*$/;

/** The text behind its prompt; each further line has a prompt of its own. */
export function layOut(prompt: string, { text, cursor }: EditedText, columns: number): Frame {
  const rows: Row[] = [];
  let place: Place = { row: 0, column: 0 };
  let start = 0;
  for (const [index, line] of text.split("\n").entries()) {
    const lead = index === 0 ? prompt : FURTHER_PROMPT;
    const offset = cursor - start;
    const isHere = offset >= 0 && offset <= line.length;
    const wrapped = wrapLine(lead + line, isHere ? lead.length + offset : undefined, columns);
    if (wrapped.cursor !== undefined) place = { ...wrapped.cursor, row: rows.length + wrapped.cursor.row };
    rows.push(...wrapped.rows.map((row, nth) => ({ text: row, isWrapped: nth > 0 })));
    start += line.length + 1;
  }
  return { rows, cursor: place };
}

/** As many rows as the screen has, around the cursor; `top` is the first row that was shown before. */
export function cutToHeight(frame: Frame, height: number, top: number): { frame: Frame; top: number } {
  const { rows, cursor } = frame;
  const last = Math.max(0, rows.length - height);
  const first = Math.min(last, Math.max(cursor.row - height + 1, Math.min(top, cursor.row)));
  const shown = { rows: rows.slice(first, first + height), cursor: { ...cursor, row: cursor.row - first } };
  return { frame: shown, top: first };
}

/** How far below the first row the cursor is once a screen of another width has wrapped the rows anew. */
export function rowsAboveCursor({ rows, cursor }: Frame, columns: number): number {
  let above = 0;
  let width = 0;
  for (const [index, row] of rows.slice(0, cursor.row + 1).entries()) {
    if (index > 0 && !row.isWrapped) {
      above += heightOf(width, columns);
      width = 0;
    }
    width += index === cursor.row ? cursor.column : cells(row.text);
  }
  return above + Math.floor(width / columns);
}

function heightOf(width: number, columns: number): number {
  return Math.max(1, Math.ceil(width / columns));
}

interface Wrapped {
  readonly rows: readonly string[];
  readonly cursor?: Place;
}

/** `cursor` is an index into `line`. A cursor behind a full row stands at the start of the next one. */
function wrapLine(line: string, cursor: number | undefined, columns: number): Wrapped {
  const { rows, cursor: place } = SIMPLE.test(line)
    ? wrapSimple(line, cursor, columns)
    : wrapCharacters(line, cursor, columns);
  if (place === undefined) return { rows };
  return { rows: place.row === rows.length ? [...rows, ""] : rows, cursor: place };
}

function wrapSimple(line: string, cursor: number | undefined, columns: number): Wrapped {
  const rows: string[] = [];
  for (let start = 0; start === 0 || start < line.length; start += columns)
    rows.push(line.slice(start, start + columns));
  if (cursor === undefined) return { rows };
  return { rows, cursor: { row: Math.floor(cursor / columns), column: cursor % columns } };
}

function wrapCharacters(line: string, cursor: number | undefined, columns: number): Wrapped {
  const rows: string[] = [];
  let [row, width, index] = ["", 0, 0];
  let place: Place | undefined;
  for (const character of characters(line)) {
    const shown = visible(character);
    const size = cells(shown);
    if (width + size > columns) {
      // A blank fills the cell that is too small for a wide character.
      rows.push(row + " ".repeat(columns - width));
      [row, width] = ["", 0];
    }
    if (index === cursor) place = { row: rows.length, column: width };
    row += shown;
    width += size;
    index += character.length;
  }
  if (index === cursor)
    place = width < columns ? { row: rows.length, column: width } : { row: rows.length + 1, column: 0 };
  rows.push(row);
  return place === undefined ? { rows } : { rows, cursor: place };
}

function visible(character: string): string {
  return character === "\t" ? TAB : visibleControls(character);
}
