import { expect, test } from "bun:test";
import { readRange } from "../../../src/scripts/line-range.ts";

test.each([
  ["10:20", 10, 20],
  ["10:", 10, Number.POSITIVE_INFINITY],
  [":20", 1, 20],
  ["7", 7, 7],
])("%p is a range of lines", (text, first, last) => {
  expect(readRange(text)).toEqual({ first, last });
});

test.each(["", ":", "0:3", "5:4", "a:b", "1-3", "1:2:3"])("%p is none", (text) => {
  expect(() => readRange(text)).toThrow(`Not a range of lines: ${text}`);
});
