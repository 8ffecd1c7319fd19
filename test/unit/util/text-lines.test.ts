import { expect, test } from "bun:test";
import { bareLine, linesWithBreaks } from "../../../src/util/text-lines.ts";

test.each([
  ["", []],
  ["a", ["a"]],
  ["a\n", ["a\n"]],
  ["a\r\n\nb", ["a\r\n", "\n", "b"]],
  ["\n\n", ["\n", "\n"]],
])("%j has the lines %j", (text, lines) => {
  expect(linesWithBreaks(text)).toEqual(lines);
});

test("a line without its break", () => {
  expect(["a\r\n", "a\n", "a", "\r", "\n"].map(bareLine)).toEqual(["a", "a", "a", "\r", ""]);
});
