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

/** With a person at each Studio who is asked about every script; each takes about three times as long. */
const ASKED_SCHEDULES = 3_000;

const REMEMBERED_WHERE_ASKED: readonly (readonly [seed: number, defect: string])[] = [
  [23, "an answer that came while the link was gone did not serve the request that came again"],
  [1017, "a No that was lost with the link was asked about once more"],
];

describe("where a person is asked", () => {
  test.each(REMEMBERED_WHERE_ASKED)("%d: %s", (seed) => {
    expect(simulate(seed, { asks: true }).violations).toEqual([]);
  });

  test("every call ends within its deadline and the time it was held, and nothing runs without a Yes", async () => {
    const bad: object[] = [];
    const total = { calls: 0, replies: 0, holds: 0, refused: 0 };
    await eachSeedAsync(ASKED_SCHEDULES, (seed) => {
      const verdict = simulate(seed, { asks: true });
      total.calls += verdict.calls;
      total.replies += verdict.replies;
      total.holds += verdict.holds;
      total.refused += verdict.refused;
      if (verdict.violations.length > 0) bad.push(verdict);
    });
    expect(bad).toEqual([]);
    expect(total.holds / total.calls).toBeGreaterThan(0.5);
    expect(total.refused / total.calls).toBeGreaterThan(0.1);
    expect(total.replies / total.calls).toBeGreaterThan(0.6);
  }, 300_000);
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
