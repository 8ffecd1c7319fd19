import { expect, test } from "bun:test";
import { LogMerge } from "../../../src/terminal/log-merge.ts";
import type { LineSource } from "../../../src/terminal/log-merge.ts";

function passedBy(merge: LogMerge, ...arrivals: readonly (readonly [LineSource, string])[]): string[] {
  return arrivals
    .filter(([source, body]) => merge.isNew(source, { level: "Print", body }))
    .map(([source, body]) => `${source}:${body}`);
}

test("a line that comes from both sources passes once, whichever is first", () => {
  expect(passedBy(new LogMerge(), ["script", "a"], ["log", "a"], ["log", "b"], ["script", "b"])).toEqual([
    "script:a",
    "log:b",
  ]);
});

test("equal lines pass as often as they were printed", () => {
  const arrivals = (["script", "log"] as const).flatMap((source) =>
    [1, 2, 3].map(() => [source, "tick"] as const),
  );
  expect(passedBy(new LogMerge(), ...arrivals)).toEqual(["script:tick", "script:tick", "script:tick"]);
});

test("levels are told apart", () => {
  const merge = new LogMerge();
  expect(merge.isNew("script", { level: "Print", body: "x" })).toBe(true);
  expect(merge.isNew("log", { level: "Warning", body: "x" })).toBe(true);
});

test("a line that only one source had does not swallow a later one", () => {
  const merge = new LogMerge();
  expect(passedBy(merge, ["script", "lost"])).toEqual(["script:lost"]);
  merge.forget();
  expect(passedBy(merge, ["log", "lost"])).toEqual(["log:lost"]);
});
