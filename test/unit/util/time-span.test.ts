/** Lengths of time as people type them. */
import { expect, test } from "bun:test";
import { parseTimeSpan, timeSpanText } from "../../../src/util/time-span.ts";

test.each([
  ["500ms", 500],
  ["30s", 30_000],
  ["1.5m", 90_000],
  ["2h", 7_200_000],
  ["0.4ms", 0],
] as const)("%p is %p milliseconds", (text, milliseconds) => {
  expect(parseTimeSpan(text)).toBe(milliseconds);
});

test.each(["", "5", "s", "5 s", "-5s", "5S", "1m30s", "5sec", "1e3s", ".5s"])("%p is no time", (text) => {
  expect(parseTimeSpan(text)).toBeUndefined();
});

test.each([
  [500, "500ms"],
  [5_000, "5s"],
  [120_000, "2m"],
  [90_000, "90s"],
  [7_200_000, "2h"],
] as const)("%p milliseconds are written %p", (milliseconds, text) => {
  expect(timeSpanText(milliseconds)).toBe(text);
});
