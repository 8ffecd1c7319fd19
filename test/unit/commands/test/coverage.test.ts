/** What becomes of the coverage of a run: which thresholds count, what an agent is told, and which formats are written. */
import { expect, test } from "bun:test";
import {
  coverageAnswer,
  coverageResult,
  coverageSpelling,
  coverageWishes,
  namedFormats,
} from "../../../../src/commands/test/coverage.ts";
import { SAMPLE } from "../../testing/coverage/sample-coverage.ts";

const wishes = coverageWishes("/project", { thresholds: { lines: 90 } });

test("thresholds are for runs of all tests", () => {
  expect(coverageResult(SAMPLE, true, wishes)).toMatchObject({
    missed: ["Coverage: 55.5 % of lines ran, and test.coverage.thresholds wants 90 %."],
    isUnchecked: false,
  });
  expect(coverageResult(SAMPLE, false, wishes)).toMatchObject({ missed: [], isUnchecked: true });
  expect(coverageResult(SAMPLE, false)).toMatchObject({ missed: [], isUnchecked: false });
});

test("an agent is told the files with the most lines that did not run first", () => {
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

test("the formats of the command line go before those of the settings, and text is written without either", () => {
  const formatsOf = (...args: Parameters<typeof coverageWishes>) => coverageWishes(...args).formats;
  expect(formatsOf("/project")).toEqual(["text"]);
  expect(formatsOf("/project", { formats: ["lcov"] })).toEqual(["lcov"]);
  expect(formatsOf("/project", { formats: ["lcov"] }, ["json"])).toEqual(["json"]);
  expect(formatsOf("/project", { formats: ["lcov"] }, "none")).toEqual([]);
});

test("the word behind the flag is its value only if it is a list of formats", () => {
  expect(["lcov", "text, JSON", "cobertura,"].map(coverageSpelling.isValue)).toEqual([true, true, false]);
  expect(["src", "lcov.spec.luau", ""].map(coverageSpelling.isValue)).toEqual([false, false, false]);
  expect(namedFormats([""])).toEqual([]);
  expect(namedFormats(["lcov", "json"])).toEqual(["lcov", "json"]);
});
