/** Thresholds of coverage are for all files together, or for each file. */
import { expect, test } from "bun:test";
import { missedThresholds } from "../../../../src/testing/coverage/thresholds.ts";
import { SAMPLE } from "./sample-coverage.ts";

test("each missed threshold is reported with the percentage that was reached", () => {
  expect(missedThresholds(SAMPLE, {})).toEqual([]);
  expect(missedThresholds(SAMPLE, { lines: 55.5, functions: 60 })).toEqual([]);
  expect(missedThresholds(SAMPLE, { lines: 55.6, functions: 60.1 })).toEqual([
    "Coverage: 55.5 % of lines ran, and test.coverage.thresholds wants 55.6 %.",
    "Coverage: 60.0 % of functions ran, and test.coverage.thresholds wants 60.1 %.",
  ]);
});

test("with perFile, each file has to reach the thresholds", () => {
  expect(missedThresholds(SAMPLE, { lines: 40, perFile: true })).toEqual([
    "Coverage: 0.0 % of lines in src/Never & <odd>.luau ran, and test.coverage.thresholds wants 40 %.",
  ]);
});
