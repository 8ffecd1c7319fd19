/** Seeded schedules of the real cores in virtual time. More of them: `bun scripts/simulate.ts --seeds N`. */
import { describe, expect, test } from "bun:test";
import { eachSeedAsync } from "./seeds.ts";
import { simulate } from "./simulate.ts";

/** Less than a minute on one slow core. */
const SCHEDULES = 20_000;

/** Schedules that once showed a defect, each with the defect. */
const REMEMBERED: readonly (readonly [seed: number, defect: string])[] = [
  [9, "lines that were said while a plugin had no link were not counted as missed"],
  [10, "a plugin that was loaded anew denied a script that its copy before had run"],
  [14, "a script overtook one that was lost with the link of its plugin"],
  [195, "a script overtook one whose client had changed its link"],
  [463, "lines that followed a gap were taken for the next ones"],
  [844, "a Studio that came back late was followed no more"],
  [1159, "a look at a silent host was due again at the moment it was taken, for ever"],
  [2890, "the reply of a script came before lines that had to be repeated"],
];

describe("a schedule that once failed", () => {
  test.each(REMEMBERED)("%d: %s", (seed) => {
    expect(simulate(seed).violations).toEqual([]);
  });
});

describe("the cores under faults", () => {
  test("answer every call once and in time, run no script twice, and end up whole", async () => {
    const bad: object[] = [];
    let calls = 0;
    let replies = 0;
    await eachSeedAsync(SCHEDULES, (seed) => {
      const verdict = simulate(seed);
      calls += verdict.calls;
      replies += verdict.replies;
      if (verdict.violations.length > 0) bad.push(verdict);
    });
    expect(bad).toEqual([]);
    // The schedules must contain many faults, or they prove little; and most calls must succeed despite them.
    expect(replies / calls).toBeGreaterThan(0.8);
    expect(replies / calls).toBeLessThan(0.99);
  }, 300_000);
});
