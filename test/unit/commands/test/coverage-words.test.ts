/** The words of `--coverage`: the formats that it names. */
import { expect, test } from "bun:test";
import { coverageSpelling, namedFormats } from "../../../../src/commands/test/coverage-words.ts";

test("the word after --coverage is its value only if it is a list of formats", () => {
  expect(["lcov", "text, JSON", "cobertura,"].map(coverageSpelling.isValue)).toEqual([true, true, false]);
  expect(["src", "lcov.spec.luau", ""].map(coverageSpelling.isValue)).toEqual([false, false, false]);
  expect(namedFormats([""])).toEqual([]);
  expect(namedFormats(["lcov", "json"])).toEqual(["lcov", "json"]);
});
