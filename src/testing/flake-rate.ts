/**
 * Counts how often a case is flaky: in how many runs it passed only when it was tried again. Only runs that try failed cases
 * again can find that out, so that other runs do not count.
 */
import { defineSchema, type OutputOf } from "../protocol/schema.ts";
import { FILE_CASE, flakeRateFields } from "./events.ts";
import type { FileResult } from "./report/tally.ts";

export const flakeCountsSchema = defineSchema((z) =>
  z.object({
    /** The number of runs of the whole file. It is the number of runs of each case that has not been flaky yet. */
    runs: z.int().nonnegative(),
    /** The cases that have been flaky. */
    flaky: z.array(z.object({ id: z.string(), ...flakeRateFields(z) })),
  }),
);
/** The counts of one test file. */
export type FlakeCounts = OutputOf<typeof flakeCountsSchema>;
type FlakyCase = FlakeCounts["flaky"][number];

/** Counts of so many runs are halved, so that recent runs weigh more, and a case that is fixed is forgotten some day. */
const MAX_RUNS = 100;

/**
 * The counts of a file after a run, made from all results of the file. Each repetition of the file counts as a run; in several
 * clients at once, the file runs once. `isWhole` is false if only some cases of the file ran.
 */
export function flakeCountsAfter(
  results: readonly FileResult[],
  before: FlakeCounts | undefined,
  isWhole: boolean,
): FlakeCounts {
  const repetitions = [...new Set(results.map(({ repeat }) => repeat))];
  return repetitions.reduce<FlakeCounts>(
    (counts, repetition) =>
      afterOneRun(
        counts,
        results.filter(({ repeat }) => repeat === repetition),
        isWhole,
      ),
    before ?? { runs: 0, flaky: [] },
  );
}

function afterOneRun(before: FlakeCounts, results: readonly FileResult[], isWhole: boolean): FlakeCounts {
  const { runs, flaky } = halved(before);
  const cases = results.flatMap((result) => result.cases);
  const idsOf = (chosen: typeof cases): ReadonlySet<string> => new Set(chosen.map(({ id }) => id));
  const present = idsOf(cases);
  const ran = idsOf(cases.filter(({ end }) => end.status === "passed" || end.status === "failed"));
  const nowFlaky = idsOf(cases.filter(({ isFlaky }) => isFlaky));
  // A file that cannot be loaded has no cases, and the case of the file itself is reported only if it fails.
  const isLoaded = !cases.some(({ id, end }) => id === FILE_CASE && end.status === "failed");
  const isGone = (id: string): boolean => isWhole && isLoaded && id !== FILE_CASE && !present.has(id);
  const hasRun = (id: string): boolean => ran.has(id) || (id === FILE_CASE && isWhole);
  const counted = (each: FlakyCase): FlakyCase =>
    hasRun(each.id)
      ? { ...each, flakyRuns: each.flakyRuns + (nowFlaky.has(each.id) ? 1 : 0), runs: each.runs + 1 }
      : each;
  const known = new Set(flaky.map(({ id }) => id));
  return {
    runs: runs + (isWhole ? 1 : 0),
    flaky: [
      ...flaky.filter(({ id }) => !isGone(id)).map(counted),
      ...[...nowFlaky].filter((id) => !known.has(id)).map((id) => ({ id, flakyRuns: 1, runs: runs + 1 })),
    ],
  };
}

function halved({ runs, flaky }: FlakeCounts): FlakeCounts {
  const half = (each: FlakyCase): FlakyCase =>
    each.runs < MAX_RUNS
      ? each
      : { ...each, flakyRuns: Math.floor(each.flakyRuns / 2), runs: Math.floor(each.runs / 2) };
  return {
    runs: runs < MAX_RUNS ? runs : Math.floor(runs / 2),
    flaky: flaky.map(half).filter(({ flakyRuns }) => flakyRuns > 0),
  };
}
