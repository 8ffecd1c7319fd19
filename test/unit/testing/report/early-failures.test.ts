/** Failures that are shown while their file still runs. */
import { expect, test } from "bun:test";
import type { CaseEnd, TestEvent } from "../../../../src/testing/events.ts";
import { EarlyFailures, earlyFailureText } from "../../../../src/testing/report/early-failures.ts";
import { createStyle } from "../../../../src/util/style.ts";
import { cells } from "../../../../src/util/text-width.ts";

const ended = (id: string, status: CaseEnd["status"] = "failed", tryNumber = 1): CaseEnd => ({
  type: "case-end",
  file: "src/shop/Cart.spec.luau",
  id,
  names: ["Cart", id],
  try: tryNumber,
  status,
  durationMs: 1,
  failure: {
    message: "expected the value to equal 2.38, but it is 2.2, which is far too little\nsecond line",
    frames: [{ path: "src/shop/Cart.spec.luau", line: 48 }],
  },
});
const FILE_END: TestEvent = { type: "file-end", file: "src/shop/Cart.spec.luau", try: 1, durationMs: 1 };
const run = (retries?: number): TestEvent => ({
  type: "run",
  id: "x",
  version: "0",
  target: "headless",
  startedAt: 0,
  files: [],
  ...(retries === undefined ? {} : { retries }),
});
/** The ids of the failures that are due after each time, given events at time 0. */
function dueAt(events: readonly TestEvent[], ...times: readonly number[]): string[][] {
  const early = new EarlyFailures();
  for (const event of events) early.add(event, 0);
  return times.map((time) => early.due(time).map(({ id }) => id));
}

test("a failure is shown once, if its file still runs a second later", () => {
  expect(dueAt([run(), ended("a"), ended("b", "passed")], 999, 1000, 2000)).toEqual([[], ["a"], []]);
  expect(dueAt([run(), ended("a"), FILE_END], 1000)).toEqual([[]]);
});

test("a case that will be tried again is not shown", () => {
  expect(dueAt([run(1), ended("a"), ended("b", "failed", 2)], 1000)).toEqual([["b"]]);
});

test("after ten failures, further ones wait for the report of their file", () => {
  const many = Array.from({ length: 12 }, (_, index) => ended(`case ${index}`));
  expect(dueAt([run(), ...many], 1000)[0]).toHaveLength(10);
});

test("the text has the position, the names and the first line of the message, in 60 columns", () => {
  const style = createStyle({ columns: 60, color: false, isScreen: true, prettyJson: false });
  const text = earlyFailureText(ended("adds the tax"), style);
  expect(text.split("\n")).toEqual([
    " ✗ src/shop/Cart.spec.luau:48  Cart › adds the tax",
    "     (its file still runs)",
    "     expected the value to equal 2.38, but it is 2.2, which…",
  ]);
  for (const line of text.split("\n")) expect(cells(line)).toBeLessThanOrEqual(60);
});
