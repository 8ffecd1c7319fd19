/** What a person reads of a run: each file that failed, and the counts at the end. */
import type { Style } from "../../util/style.ts";
import { fit } from "../../util/text-width.ts";
import { visibleOnOneLine } from "../../util/visible-controls.ts";
import { failureLines, type SourceOf } from "./failure-text.ts";
import {
  type CaseResult,
  type Counts,
  countsOf,
  failuresOf,
  fileCount,
  type FileResult,
  snapshotsOf,
  titleOf,
} from "./tally.ts";
import { titled } from "./text-failure.ts";

const FRAMEWORKS: Readonly<Record<string, string>> = {
  testez: "TestEZ",
  jest: "Jest",
  frktest: "frktest",
  "std-test": "@std/test",
  tiniest: "tiniest",
  "built-in": "built-in tests",
  functions: "functions",
  script: "script",
};
const USUAL_PLACE = "headless";
/** A case is named as slow from here on. */
const SLOW_MS = 100;

/** One file with all of its failures. */
export function fileText(file: FileResult, style: Style, sourceOf: SourceOf, showsOutput: boolean): string {
  const failures = failuresOf(file);
  const framework = FRAMEWORKS[file.framework] ?? file.framework;
  const mark = failures.length > 0 ? style.red("✗") : style.green("✓");
  const counts = countsText(countsOf([file]), style);
  const head = ` ${mark} ${style.bold(visibleOnOneLine(titleOf({ ...file, context: undefined })))}  ${counts}  ${style.dim(timeText(file.durationMs))}${placeText(file, style)}`;
  const view = { style, sourceOf, showsOutput, framework };
  const parts = failures.map((failure, index) =>
    failureLines(failure, `${index + 1}/${failures.length}`, view).join("\n"),
  );
  return [head, ...parts].join("\n");
}

/** Said where it is not the usual one. */
const placeText = ({ place }: FileResult, style: Style): string =>
  place === USUAL_PLACE ? "" : `   ${style.dim(visibleOnOneLine(place))}`;

export function countsText({ failed, flaky, passed, skipped, todo }: Counts, style: Style): string {
  const parts = [
    failed > 0 ? style.red(`${failed} failed`) : "",
    flaky > 0 ? style.yellow(`${flaky} flaky`) : "",
    passed > 0 || failed + skipped + todo === 0 ? style.green(`${passed} passed`) : `${passed} passed`,
    skipped > 0 ? style.yellow(`${skipped} skipped`) : "",
    todo > 0 ? style.yellow(`${todo} todo`) : "",
  ];
  return parts.filter((part) => part !== "").join(", ");
}

export interface SummaryFacts {
  readonly durationMs: number;
  /** How many of the slowest cases are named. */
  readonly slowest: number;
  /** The command that runs what failed once more; absent where there is none. */
  readonly again?: string | undefined;
  /** Of the random order. */
  readonly seed?: number | undefined;
  /** Why the run did not come to its end. */
  readonly breakOff?: string | undefined;
  /** What part of the project's files has run. */
  readonly coverage?: string | undefined;
}

export function summaryText(
  files: readonly FileResult[],
  { durationMs, slowest, again, seed, breakOff, coverage }: SummaryFacts,
  style: Style,
): string {
  const failed = fileCount(files.filter((file) => failuresOf(file).length > 0));
  const fileCounts = [
    ...(failed > 0 ? [style.red(`${failed} failed`)] : []),
    style.green(`${fileCount(files) - failed} passed`),
  ];
  const all = files.flatMap(({ cases }) => cases);
  const flaky = all.filter(({ isFlaky }) => isFlaky);
  const slow = slowestOf(all, slowest);
  const flakyText = flaky.map((each) => `${nameOf(each)} (try ${each.earlier.length + 1})`).join(" · ");
  const slowText = slow.map((each) => `${nameOf(each)} ${timeText(each.end.durationMs)}`).join(" · ");
  const lines = [
    ...(breakOff === undefined ? [] : [style.red(` ${breakOff}`)]),
    ...(flaky.length > 0 ? [` Flaky    ${flakyText}`] : []),
    ...files.flatMap((file) => (file.leaked.length === 0 ? [] : [style.yellow(leakedText(file, style))])),
    ...(seed === undefined ? [] : [` Seed     ${seed} (--random ${seed} runs in this order again)`]),
    ...snapshotLines(files, style),
    ...(failed > 0 && again !== undefined ? [` Again    ${again}`] : []),
    ...(slow.length > 0 ? [style.dim(fit(` Slowest  ${slowText}`, style.columns))] : []),
    ...(coverage === undefined ? [] : [` ${coverage}`]),
    ` Files  ${fileCounts.join(", ")}      Cases  ${countsText(countsOf(files), style)}      ${style.dim(timeText(durationMs))}`,
  ];
  return lines.join("\n");
}

/** More are counted only. */
const MAX_LEAKED = 5;

function leakedText(file: FileResult, style: Style): string {
  const { leaked } = file;
  const more = leaked.length > MAX_LEAKED ? ` and ${leaked.length - MAX_LEAKED} more` : "";
  const paths = leaked.slice(0, MAX_LEAKED).join(", ");
  return fit(` Left     by ${visibleOnOneLine(`${titleOf(file)}: ${paths}${more}`)}`, style.columns);
}

function snapshotLines(files: readonly FileResult[], style: Style): string[] {
  const { written, updated, removed, obsolete } = snapshotsOf(files);
  const parts = [
    written > 0 ? style.green(`${written} written`) : "",
    updated > 0 ? style.green(`${updated} updated`) : "",
    removed > 0 ? style.green(`${removed} removed`) : "",
    obsolete > 0 ? `${style.yellow(`${obsolete} obsolete`)} (sb test -u removes them)` : "",
  ].filter((part) => part !== "");
  return parts.length === 0 ? [] : [` Snapshots  ${parts.join(", ")}`];
}

const nameOf = ({ end }: CaseResult): string => visibleOnOneLine(titled(end.names.join(" › "), end));

function slowestOf(cases: readonly CaseResult[], count: number): readonly CaseResult[] {
  return cases
    .filter(({ end }) => end.durationMs >= SLOW_MS)
    .toSorted((left, right) => right.end.durationMs - left.end.durationMs)
    .slice(0, count);
}

export function timeText(ms: number): string {
  return ms < 1000 ? `${Math.round(ms)} ms` : `${(ms / 1000).toFixed(1)} s`;
}
