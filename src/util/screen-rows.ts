/** Rows that text takes on a screen, and taking them away again. */
import { cells } from "./text-width.ts";

const CURSOR_UP = (rows: number) => `\x1b[${rows}A`;
const ERASE_SCREEN = "\x1b[H\x1b[J";
const ERASE_BELOW = "\r\x1b[J";

/** Lines that are wider than the screen take several rows. */
export function rowsOf(text: string, columns: number): number {
  return text.split("\n").reduce((rows, line) => rows + Math.max(1, Math.ceil(cells(line) / columns)), 0);
}

/**
 * What to print so that the next text begins where the last `rows` rows began. Rows that have left a screen of `height`
 * rows cannot be reached any more, and then the whole screen is erased.
 */
export function eraseRows(rows: number, height: number): string {
  if (rows === 0) return "";
  return rows < height ? `${CURSOR_UP(rows)}${ERASE_BELOW}` : ERASE_SCREEN;
}

export function screenRows(): number {
  const { rows } = process.stdout.isTTY ? process.stdout : process.stderr;
  return rows > 0 ? rows : 24;
}
