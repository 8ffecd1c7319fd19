/** Rows on a screen that are taken away again. */
import { expect, test } from "bun:test";
import { eraseRows, rowsOf } from "../../../src/util/screen-rows.ts";

test("a line takes as many rows as the screen needs for it", () => {
  expect([rowsOf("", 10), rowsOf("12345678901", 10), rowsOf("a\nb", 10)]).toEqual([1, 2, 2]);
});

test("what fits the screen is erased from where it began, and what has left it with the whole screen", () => {
  expect([eraseRows(0, 24), eraseRows(23, 24), eraseRows(24, 24)]).toEqual([
    "",
    "\x1b[23A\r\x1b[J",
    "\x1b[H\x1b[J",
  ]);
});
