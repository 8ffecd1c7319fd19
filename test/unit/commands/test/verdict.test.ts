/** When a run of tests has passed. */
import { expect, test } from "bun:test";
import { verdictOf, type VerdictRules } from "../../../../src/commands/test/verdict.ts";
import { resultsOf, type SampleCase } from "../../testing/report/sample-run.ts";

const plain: VerdictRules = {
  forbidsFocus: false,
  forbidsObsolete: false,
  obsoleteFiles: [],
  failsOnFlaky: false,
  passWithNoTests: false,
  missed: [],
};
const verdict = (cases: readonly SampleCase[], rules: Partial<VerdictRules> = {}, isWhole = true) =>
  verdictOf(resultsOf({ "a.spec.luau": cases }), isWhole, { ...plain, ...rules });

const good: SampleCase = { names: ["good"] };
const flaky: SampleCase = { names: ["late"], earlier: ["once"] };

test("cases that passed and that were skipped are a run that passed", () => {
  expect(verdict([good, { names: ["x"], status: "skipped" }])).toEqual({ hasPassed: true, remarks: [] });
});

test("a failed case and an early end are not, and need no remark", () => {
  expect(verdict([good, { names: ["x"], status: "failed" }])).toEqual({ hasPassed: false, remarks: [] });
  expect(verdict([good], {}, false)).toEqual({ hasPassed: false, remarks: [] });
});

test("a run without cases fails and says so, unless that is allowed", () => {
  expect(verdict([])).toMatchObject({ hasPassed: false, remarks: [expect.stringContaining("No case ran")] });
  expect(verdict([], { name: "tax" }).remarks[0]).toContain("-t tax");
  expect(verdict([], { passWithNoTests: true }).hasPassed).toBe(true);
});

test("a run in which all cases are left out has cases, and passes", () => {
  const skipped: SampleCase = { names: ["x"], status: "skipped" };
  expect(verdict([skipped, { names: ["y"], status: "todo" }])).toEqual({ hasPassed: true, remarks: [] });
});

test("a flaky case passes, unless that is forbidden", () => {
  expect(verdict([flaky]).hasPassed).toBe(true);
  expect(verdict([flaky], { failsOnFlaky: true })).toEqual({
    hasPassed: false,
    remarks: ["1 case is flaky, and --fail-on-flaky was given."],
  });
});

test("stored snapshots that no case asks for fail a run where they are forbidden", () => {
  const [file] = resultsOf({ "a.spec.luau": [good] });
  if (file === undefined) throw new Error("the sample has a file");
  const files = [{ ...file, snapshots: { written: 0, updated: 0, removed: 0, obsolete: 2, failed: 0 } }];
  expect(verdictOf(files, true, plain).hasPassed).toBe(true);
  expect(verdictOf(files, true, { ...plain, forbidsObsolete: true })).toEqual({
    hasPassed: false,
    remarks: ["2 stored snapshots belong to no case. In CI that fails; sb test -u removes them."],
  });
  const obsoleteFiles = ["a.snap.luau"];
  expect(verdict([good], { obsoleteFiles }).hasPassed).toBe(true);
  expect(verdict([good], { obsoleteFiles, forbidsObsolete: true })).toEqual({
    hasPassed: false,
    remarks: [
      "a.snap.luau has stored snapshots of a test that is gone. In CI that fails; sb test -u removes them.",
    ],
  });
});
