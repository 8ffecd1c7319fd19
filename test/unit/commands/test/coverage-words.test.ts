/** The words of `--coverage`: the formats that it names. */
import { expect, test } from "bun:test";
import {
  coverageSpelling,
  coverageWishes,
  namedFormats,
} from "../../../../src/commands/test/coverage-words.ts";

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
