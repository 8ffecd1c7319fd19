/** The number of workers that a flag or a setting means. */
import { expect, test } from "bun:test";
import { workerCount } from "../../../../src/testing/run/run-words.ts";

test("a percentage gives at least one worker, and the default is all processors", () => {
  expect(workerCount("50%", 8)).toBe(4);
  expect(workerCount("1%", 8)).toBe(1);
  expect(workerCount("100%", 200)).toBe(64);
  expect(workerCount(undefined, 8)).toBe(8);
  expect(workerCount(3, 8)).toBe(3);
});
