/** The counts of flaky cases: which runs count for which case, and that the counts stay small. */
import { expect, test } from "bun:test";
import { type FlakeCounts, flakeCountsAfter } from "../../../src/testing/flake-rate.ts";
import type { FileResult } from "../../../src/testing/report/tally.ts";
import { resultsOf, type SampleCase } from "./report/sample-run.ts";

const flaky = (name: string): SampleCase => ({ names: [name], earlier: ["too early"] });
const steady = (name: string): SampleCase => ({ names: [name] });
const fileOf = (...cases: readonly SampleCase[]): FileResult[] => resultsOf({ "a.spec.luau": cases });
const countsOf = (runs: number, ...known: readonly (readonly [string, number, number])[]): FlakeCounts => ({
  runs,
  flaky: known.map(([id, flakyRuns, of]) => ({ id, flakyRuns, runs: of })),
});

test("a case has the runs of its file until it is flaky, and then runs of its own", () => {
  const first = flakeCountsAfter(fileOf(steady("a"), steady("b")), undefined, true);
  expect(first).toEqual(countsOf(1));
  const second = flakeCountsAfter(fileOf(flaky("a"), steady("b")), first, true);
  expect(second).toEqual(countsOf(2, ["a", 1, 2]));
  const failed: SampleCase = { names: ["a"], status: "failed", earlier: ["too early"] };
  expect(flakeCountsAfter(fileOf(failed, flaky("b")), second, true)).toEqual(
    countsOf(3, ["a", 1, 3], ["b", 1, 3]),
  );
});

test("a skipped case has not run, and a case that no longer exists is forgotten", () => {
  const before = countsOf(4, ["skipped", 1, 4], ["gone", 2, 4]);
  const results = fileOf({ names: ["skipped"], status: "skipped" }, steady("other"));
  expect(flakeCountsAfter(results, before, true)).toEqual(countsOf(5, ["skipped", 1, 4]));
});

test("a file that cannot be loaded forgets no case, and may be flaky itself", () => {
  const before = countsOf(4, ["a", 2, 4]);
  const broken = fileOf({ names: ["(file)"], status: "failed", earlier: ["too early"] });
  expect(flakeCountsAfter(broken, before, true)).toEqual(countsOf(5, ["a", 2, 4]));
  const loaded = flakeCountsAfter(fileOf(flaky("(file)"), steady("a")), before, true);
  expect(loaded).toEqual(countsOf(5, ["a", 2, 5], ["(file)", 1, 5]));
  // The case of the file is only reported if it has failed.
  expect(flakeCountsAfter(fileOf(steady("a")), loaded, true)).toEqual(
    countsOf(6, ["a", 2, 6], ["(file)", 1, 6]),
  );
});

test("each repetition is a run, and the clients of a play test are one run together", () => {
  const repeated = [1, 2, 3].flatMap((repeat) =>
    fileOf(repeat === 2 ? flaky("a") : steady("a")).map((file) => ({ ...file, repeat })),
  );
  expect(flakeCountsAfter(repeated, undefined, true)).toEqual(countsOf(3, ["a", 1, 3]));
  const clients = [flaky("a"), flaky("a")].flatMap((each, index) =>
    fileOf(each).map((file) => ({ ...file, context: `client ${index + 1}` })),
  );
  expect(flakeCountsAfter(clients, undefined, true)).toEqual(countsOf(1, ["a", 1, 1]));
});

test("counts stay below a hundred runs, keep their rates, and forget a case that has long been fixed", () => {
  let counts: FlakeCounts | undefined;
  for (let run = 0; run < 1000; run += 1) {
    const cases = [
      run % 4 === 0 ? flaky("often") : steady("often"),
      run === 0 ? flaky("once") : steady("once"),
    ];
    counts = flakeCountsAfter(fileOf(...cases), counts, true);
    expect(counts.runs).toBeLessThanOrEqual(100);
  }
  expect(counts?.flaky).toHaveLength(1);
  const [{ id, flakyRuns, runs } = { id: "", flakyRuns: 0, runs: 1 }] = counts?.flaky ?? [];
  expect(id).toBe("often");
  expect(flakyRuns / runs).toBeWithin(0.2, 0.3);
});
