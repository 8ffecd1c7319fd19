/** When a run of tests has passed. */
import { expect, test } from "bun:test";
import { verdictOf, type VerdictRules } from "../../../../src/testing/project/verdict.ts";
import { resultsOf, type SampleCase } from "../report/sample-run.ts";

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

test("a run of passed and skipped cases passes", () => {
  expect(verdict([good, { names: ["x"], status: "skipped" }])).toEqual({ hasPassed: true, remarks: [] });
});

test("a run with a failed case or an early end fails, without a remark", () => {
  expect(verdict([good, { names: ["x"], status: "failed" }])).toEqual({ hasPassed: false, remarks: [] });
  expect(verdict([good], {}, false)).toEqual({ hasPassed: false, remarks: [] });
});

test("a run without cases fails and says so, unless that is allowed", () => {
  expect(verdict([])).toMatchObject({ hasPassed: false, remarks: [expect.stringContaining("No case ran")] });
  expect(verdict([], { name: "tax" }).remarks[0]).toContain("-t tax");
  expect(verdict([], { passWithNoTests: true }).hasPassed).toBe(true);
});

test("a run in which all cases are skipped passes", () => {
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

test("a run fails because of obsolete snapshots if they are forbidden", () => {
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

test("in CI, expected pictures that no case uses fail the run", () => {
  const files = resultsOf({ "a.spec.luau": [good] }).map((file) => ({
    ...file,
    pictures: { written: 0, updated: 0, removed: 0, obsolete: 2, failed: 0 },
  }));
  expect(verdictOf(files, true, plain).hasPassed).toBe(true);
  const inCi = verdictOf(files, true, { ...plain, forbidsObsolete: true });
  expect(inCi).toEqual({
    hasPassed: false,
    remarks: [expect.stringContaining("2 expected pictures belong")],
  });
});
