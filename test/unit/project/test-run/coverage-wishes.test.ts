/** The formats of a run's coverage, from the command line and the settings. */
import { expect, test } from "bun:test";
import { coverageWishes } from "../../../../src/project/test-run/coverage-wishes.ts";

test("formats of the command line replace those of the settings, and the default is text", () => {
  const formatsOf = (...args: Parameters<typeof coverageWishes>) => coverageWishes(...args).formats;
  expect(formatsOf("/project")).toEqual(["text"]);
  expect(formatsOf("/project", { formats: ["lcov"] })).toEqual(["lcov"]);
  expect(formatsOf("/project", { formats: ["lcov"] }, ["json"])).toEqual(["json"]);
  expect(formatsOf("/project", { formats: ["lcov"] }, "none")).toEqual([]);
});
