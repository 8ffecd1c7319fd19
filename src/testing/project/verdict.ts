/** Decides whether a run has passed, and explains a failure that no failed case explains. */
import { countsOf, type FileResult, storedOf } from "../report/tally.ts";

export interface VerdictRules {
  /** Focused cases that leave others out fail the run. In CI they are a mistake, because they were forgotten. */
  readonly forbidsFocus: boolean;
  /** Stored snapshots that no case uses fail the run. */
  readonly forbidsObsolete: boolean;
  /** Files of stored snapshots whose test is gone, unless the run removes them. Like obsolete snapshots, they can fail the run. */
  readonly obsoleteFiles: readonly string[];
  readonly failsOnFlaky: boolean;
  readonly passWithNoTests: boolean;
  /** One sentence for each threshold of coverage that was missed. */
  readonly missed: readonly string[];
  /** The pattern of `-t`. */
  readonly name?: string | undefined;
}

export interface Verdict {
  readonly hasPassed: boolean;
  readonly remarks: readonly string[];
}

/** `isWhole` is false if the run ended early. */
export function verdictOf(files: readonly FileResult[], isWhole: boolean, rules: VerdictRules): Verdict {
  const { failed, passed, skipped, todo, flaky } = countsOf(files);
  const hasCases = failed + passed + flaky + skipped + todo > 0;
  const focused = rules.forbidsFocus ? files.filter(({ hasFocus }) => hasFocus) : [];
  const obsolete = rules.forbidsObsolete ? storedOf(files, "snapshots").obsolete : 0;
  const unused = rules.forbidsObsolete ? storedOf(files, "pictures").obsolete : 0;
  const obsoleteFiles = rules.forbidsObsolete ? rules.obsoleteFiles : [];
  const isEmpty = !hasCases && isWhole;
  const isFlaky = rules.failsOnFlaky && flaky > 0;
  const aboutFocus = `Only focused cases ran in ${focused.map(({ path }) => path).join(", ")}. In CI that fails, because the other cases were left out; --allow-only allows it.`;
  const aboutFlaky = `${flaky} ${flaky === 1 ? "case is" : "cases are"} flaky, and --fail-on-flaky was given.`;
  const aboutObsolete = `${obsolete} stored ${obsolete === 1 ? "snapshot belongs" : "snapshots belong"} to no case. In CI that fails; sb test -u removes them.`;
  const aboutUnused = `${unused} expected ${unused === 1 ? "picture belongs" : "pictures belong"} to no case. In CI that fails; sb test -u removes them.`;
  const aboutObsoleteFiles = `${obsoleteFiles.join(", ")} ${obsoleteFiles.length === 1 ? "has" : "have"} stored snapshots of a test that is gone. In CI that fails; sb test -u removes them.`;
  const isFaultless =
    failed === 0 &&
    focused.length === 0 &&
    obsolete === 0 &&
    unused === 0 &&
    obsoleteFiles.length === 0 &&
    !isFlaky &&
    rules.missed.length === 0;
  return {
    hasPassed: isFaultless && isWhole && (hasCases || rules.passWithNoTests),
    remarks: [
      ...(isEmpty ? [files.length === 0 ? "No test file ran." : noCases(rules.name)] : []),
      ...(focused.length > 0 ? [aboutFocus] : []),
      ...(obsolete > 0 ? [aboutObsolete] : []),
      ...(unused > 0 ? [aboutUnused] : []),
      ...(obsoleteFiles.length > 0 ? [aboutObsoleteFiles] : []),
      ...(isFlaky ? [aboutFlaky] : []),
      ...rules.missed,
    ],
  };
}

function noCases(name: string | undefined): string {
  return name === undefined
    ? "No case ran: the files have none."
    : `No case ran: none of these files has one whose name matches -t ${name}.`;
}
