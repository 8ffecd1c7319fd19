/** The facts that are told about a script that ran. */
import { expect, test } from "bun:test";
import { roundedMs } from "../../../../src/command-kit/scripts/execute-script.ts";

test("rounds a duration to the microsecond", () => {
  expect([0.3906610000000228, 0.1 + 0.2, 12].map(roundedMs)).toEqual([0.391, 0.3, 12]);
});
