/**
 * The report in JUnit's XML, for CI servers. The format has no schema. All its readers expect unique names, one `<failure>`
 * for a case, and times in seconds. Stacks have a column, because one reader finds files only with it.
 */
import { countsOf, type CaseResult, type FileResult, titleOf } from "./tally.ts";
import { shortened } from "./failure-text.ts";
import { casePosition, failureText, headline, shownFile } from "./text-failure.ts";
import { xmlAttribute, xmlContent } from "./xml.ts";

/** The longest output of one case. More is left out, because some readers refuse large texts. */
const MAX_OUTPUT_CHARS = 100_000;

/** `breakOff` is the sentence of breakOffText. It becomes a case with an error, because every reader shows that. */
export function junitText(
  files: readonly FileResult[],
  durationMs: number,
  startedAt: number,
  breakOff?: string,
): string {
  const timestamp = new Date(startedAt).toISOString().replace(/\.\d+Z$/, "");
  const suites = files.map((file, index) => suiteText(file, index, timestamp));
  const totals = totalsOf(files, breakOff === undefined ? 0 : 1);
  if (breakOff !== undefined) suites.push(breakOffSuite(breakOff, files.length, timestamp));
  return `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites name="sb test" ${totals} time="${seconds(durationMs)}">\n${suites.join("")}</testsuites>\n`;
}

const RUN = "(run)";

function breakOffSuite(breakOff: string, id: number, timestamp: string): string {
  const message = xmlAttribute(breakOff);
  return `  <testsuite name="${RUN}" id="${id}" ${totalsOf([], 1)} time="0.000" timestamp="${timestamp}">\n    <testcase classname="${RUN}" name="${RUN}" time="0.000">\n      <error message="${message}" type="error"/>\n    </testcase>\n  </testsuite>\n`;
}

function totalsOf(files: readonly FileResult[], errors = 0): string {
  const { passed, failed, flaky, skipped, todo } = countsOf(files);
  const tests = passed + failed + flaky + skipped + todo + errors;
  return `tests="${tests}" failures="${failed}" errors="${errors}" skipped="${skipped + todo}"`;
}

function suiteText(file: FileResult, id: number, timestamp: string): string {
  const name = xmlAttribute(titleOf(file));
  const cases = file.cases.map((result) => caseText(result, name)).join("");
  return `  <testsuite name="${name}" id="${id}" ${totalsOf([file])} time="${seconds(file.durationMs)}" timestamp="${timestamp}">\n${cases}  </testsuite>\n`;
}

function caseText({ id, end, earlier, output, isFlaky }: CaseResult, suite: string): string {
  const { path = shownFile(end), line: number } = casePosition(end) ?? {};
  const line = number === undefined ? "" : ` line="${number}"`;
  const head = `    <testcase classname="${suite}" name="${xmlAttribute(id)}" time="${seconds(end.durationMs)}" file="${xmlAttribute(path)}"${line}`;
  const failure = (tag: string, failed: typeof end): string =>
    `      <${tag} message="${xmlAttribute(headline(failed))}" type="failure">${xmlContent(failureText(failed))}</${tag}>\n`;
  const parts = [
    ...(end.status === "skipped" || end.status === "todo"
      ? [`      <skipped${end.reason === undefined ? "" : ` message="${xmlAttribute(end.reason)}"`}/>\n`]
      : []),
    ...(end.status === "failed" ? [failure("failure", end)] : []),
    ...earlier.map((failed) => failure(isFlaky ? "flakyFailure" : "rerunFailure", failed)),
    ...(end.status === "failed" && output.length > 0
      ? [`      <system-out>${xmlContent(shortened(output.join("\n"), MAX_OUTPUT_CHARS))}</system-out>\n`]
      : []),
  ];
  return parts.length === 0 ? `${head}/>\n` : `${head}>\n${parts.join("")}    </testcase>\n`;
}

const seconds = (ms: number): string => (ms / 1000).toFixed(3);
