/** The coverage of a run: its thresholds and its answer for agents. */
import { expect, test } from "bun:test";
import { coverageAnswer, coverageResult } from "../../../../src/testing/project/coverage.ts";
import { coverageWishes } from "../../../../src/project/test-run/coverage-wishes.ts";
import { SAMPLE } from "../coverage/sample-coverage.ts";

const wishes = coverageWishes("/project", { thresholds: { lines: 90 } });

test("thresholds are checked only after a run of all tests", () => {
  expect(coverageResult(SAMPLE, true, wishes)).toMatchObject({
    missed: ["Coverage: 55.5 % of lines ran, and test.coverage.thresholds wants 90 %."],
    isUnchecked: false,
  });
  expect(coverageResult(SAMPLE, false, wishes)).toMatchObject({ missed: [], isUnchecked: true });
  expect(coverageResult(SAMPLE, false)).toMatchObject({ missed: [], isUnchecked: false });
});

test("an agent gets the files with the most lines that did not run first", () => {
  expect(coverageAnswer(coverageResult(SAMPLE, true))).toEqual({
    lines: 55.5,
    functions: 60,
    notRun: { "src/shop/Cart.luau": "6-9, 12", "src/Never & <odd>.luau": "1" },
  });
  const many = Array.from({ length: 30 }, (_, index) => ({
    path: `${index}.luau`,
    lines: Array.from({ length: index }, (__, line): [number, number] => [line + 1, 0]),
    functions: [],
  }));
  expect(Object.keys(coverageAnswer(coverageResult(many, true)).notRun)).toEqual(
    Array.from({ length: 10 }, (_, index) => `${29 - index}.luau`),
  );
});
