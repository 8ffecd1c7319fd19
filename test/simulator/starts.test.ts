/** Many processes that start at once, in virtual time, with the real search and the real claim. */
import { expect, test } from "bun:test";
import { eachSeedAsync } from "./seeds.ts";
import { simulateStarts } from "./starts.ts";

/** Ten seconds on one slow core. */
const SCHEDULES = 6_000;

/** Schedules that once led to two hosts, when a stranger gave up a port. */
const REMEMBERED = [58, 144, 325, 602] as const;

test.each(REMEMBERED)("schedule %d makes one host", (seed) => {
  expect(simulateStarts(seed).violations).toEqual([]);
});

test("processes that start at once make one host, and all are its clients or know why not", async () => {
  const bad: object[] = [];
  let [starters, failures] = [0, 0];
  await eachSeedAsync(SCHEDULES, (seed) => {
    const verdict = simulateStarts(seed);
    starters += verdict.starters;
    failures += verdict.failures;
    if (verdict.violations.length > 0) bad.push(verdict);
  });
  expect(bad).toEqual([]);
  // The schedules must contain many faults, or they prove little; and most processes must find a host despite them.
  expect(failures / starters).toBeGreaterThan(0.05);
  expect(failures / starters).toBeLessThan(0.25);
}, 300_000);
