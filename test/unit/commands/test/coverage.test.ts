/** The coverage of a run: its thresholds, its answer for agents, and its formats. */
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

test("formats of the command line replace those of the settings, and the default is text", () => {
  const formatsOf = (...args: Parameters<typeof coverageWishes>) => coverageWishes(...args).formats;
  expect(formatsOf("/project")).toEqual(["text"]);
  expect(formatsOf("/project", { formats: ["lcov"] })).toEqual(["lcov"]);
  expect(formatsOf("/project", { formats: ["lcov"] }, ["json"])).toEqual(["json"]);
  expect(formatsOf("/project", { formats: ["lcov"] }, "none")).toEqual([]);
});

test("the word after --coverage is its value only if it is a list of formats", () => {
  expect(["lcov", "text, JSON", "cobertura,"].map(coverageSpelling.isValue)).toEqual([true, true, false]);
  expect(["src", "lcov.spec.luau", ""].map(coverageSpelling.isValue)).toEqual([false, false, false]);
  expect(namedFormats([""])).toEqual([]);
  expect(namedFormats(["lcov", "json"])).toEqual(["lcov", "json"]);
});
