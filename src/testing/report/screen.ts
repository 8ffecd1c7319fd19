/** The report for people: a text for each file, and the summary at the end of the run. */
import type { Style } from "../../util/style.ts";
import { cells, fit } from "../../util/text-width.ts";
import { visibleOnOneLine } from "../../util/visible-controls.ts";
import { ONLY_HEADLESS, type ObsoleteSnapshots, type SnapshotCounts } from "../events.ts";
import { flow } from "./layout.ts";
import { failureLines, type FailureView } from "./failure-text.ts";
import { flakyText } from "./flaky-text.ts";
import {
  type CaseResult,
  type Counts,
  countsOf,
  failuresOf,
  fileCount,
  type FileResult,
  flakyCases,
  storedOf,
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
  adapter: "own framework",
};
const DEFAULT_TARGET = "headless";
/** Faster cases are not named in the list of the slowest. */
const SLOW_MS = 100;

/** The time of a file this slow or slower is yellow. */
const SLOW_FILE_MS = 1000;

/** The head line of a file and the texts of its failures. */
export function fileText(
  file: FileResult,
  style: Style,
  options: Pick<FailureView, "sourceOf" | "showsOutput" | "showsCompiled">,
): string {
  const failures = failuresOf(file);
  const framework = FRAMEWORKS[file.framework] ?? file.framework;
  const mark = failures.length > 0 ? style.red("✗") : style.green("✓");
  const path = visibleOnOneLine(titleOf({ ...file, context: undefined }));
  const paintTime = file.durationMs >= SLOW_FILE_MS ? style.yellow : style.dim;
  const parts = [
    ` ${mark} ${failures.length > 0 ? style.bold(path) : path}`,
    countsText(countsOf([file]), style),
    paintTime(timeText(file.durationMs)),
    ranInText(file, style),
  ];
  const head = flow(parts, style.columns, "     ");
  const view = { ...options, style, framework };
  const texts = failures.map((failure, index) =>
    failureLines(failure, `${index + 1}/${failures.length}`, view).join("\n"),
  );
  return [head, ...texts].join("\n");
}

/** The target and context in which a file ran; empty for the default, headless Studio's edited place. */
const ranInText = ({ ranIn }: FileResult, style: Style): string =>
  ranIn === DEFAULT_TARGET ? "" : style.dim(visibleOnOneLine(ranIn));

export function countsText({ failed, flaky, passed, skipped, todo }: Counts, style: Style): string {
  const parts = [
    failed > 0 ? style.red(`${failed} failed`) : "",
    flaky > 0 ? style.yellow(`${flaky} flaky`) : "",
    passed > 0 || failed + flaky + skipped + todo === 0
      ? style.green(`${passed} passed`)
      : `${passed} passed`,
    skipped > 0 ? style.yellow(`${skipped} skipped`) : "",
    todo > 0 ? style.yellow(`${todo} todo`) : "",
  ];
  return parts.filter((part) => part !== "").join(", ");
}

export interface SummaryOptions {
  readonly durationMs: number;
  /** The number of slowest cases to name. */
  readonly slowest: number;
  /** The command that runs the failed cases once more; absent if there is none. */
  readonly again?: string | undefined;
  /** The seed of the random order; absent if the order is not random. */
  readonly seed?: number | undefined;
  /** The sentence of breakOffText. */
  readonly breakOff?: string | undefined;
  /** The line of coverageLine. */
  readonly coverage?: string | undefined;
  /** Files of stored snapshots whose test is gone. */
  readonly obsolete?: ObsoleteSnapshots | undefined;
  /** The circumstances on which the time depends: `2 workers, load 0.3`. */
  readonly machine?: string | undefined;
}

export function summaryText(
  results: readonly FileResult[],
  { durationMs, slowest, again, seed, breakOff, coverage, obsolete, machine }: SummaryOptions,
  style: Style,
): string {
  const files = results.filter((file) => !hasOnlyHooks(file));
  const failed = fileCount(files.filter((file) => failuresOf(file).length > 0));
  const cut = fileCount(files.filter((file) => failuresOf(file).length === 0 && !file.isFinished));
  const silent = files.filter((file) => file.cases.length === 0 && file.isFinished);
  const leftOut = fileCount(silent.filter(({ isLeftOut }) => isLeftOut));
  const empty = silent.filter(({ isLeftOut }) => !isLeftOut);
  const emptyCount = fileCount(empty);
  const fileCounts = [
    ...(failed > 0 ? [style.red(`${failed} failed`)] : []),
    ...(cut > 0 ? [style.yellow(`${cut} cut off`)] : []),
    style.green(`${fileCount(files) - failed - cut - leftOut - emptyCount} passed`),
    ...(leftOut > 0 ? [style.dim(`${leftOut} without a chosen case`)] : []),
    ...(emptyCount > 0 ? [style.dim(`${emptyCount} without a case`)] : []),
  ];
  const all = files.flatMap(({ cases }) => cases);
  const flaky = flakyCases(files);
  const slow = slowestOf(all, slowest);
  const flakyNames = flaky.map((result) => `${nameOf(result)} (${flakyText(result)})`);
  const slowText = slow.map((result) => `${nameOf(result)} ${timeText(result.end.durationMs)}`).join(" · ");
  const lines = [
    ...(breakOff === undefined ? [] : [style.red(` ${breakOff}`)]),
    ...(flaky.length > 0 ? [namesText(" Flaky    ", flakyNames, style.columns)] : []),
    ...skippedTexts(all, style.columns),
    ...(emptyCount > 0 ? [emptyText(empty, style.columns)] : []),
    ...files.flatMap((file) => (file.leaked.length === 0 ? [] : [style.yellow(leakedText(file, style))])),
    ...(seed === undefined ? [] : [` Seed     ${seed} (--random ${seed} runs in this order again)`]),
    ...snapshotLines(files, obsolete, style),
    ...(failed > 0 && again !== undefined ? [` Again    ${again}`] : []),
    ...(slow.length > 0 ? [style.dim(fit(` Slowest  ${slowText}`, style.columns))] : []),
    ...(coverage === undefined ? [] : [` ${coverage}`]),
    countsLine(
      {
        files: fileCounts.join(", "),
        cases: countsText(countsOf(files), style),
        time: style.dim(`${timeText(durationMs)}${machine === undefined ? "" : ` (${machine})`}`),
      },
      style.columns,
    ),
  ];
  return lines.join("\n");
}

/** True for an `init.spec` of TestEZ without a case. Its hooks count for the files below its folder. */
const hasOnlyHooks = ({ path, framework, cases, isFinished }: FileResult): boolean =>
  framework === "testez" && cases.length === 0 && isFinished && /(?:^|\/)init\.spec\.luau?$/.test(path);

/** The counts on one line, or on three lines if one is too narrow. */
function countsLine(
  { files, cases, time }: { readonly files: string; readonly cases: string; readonly time: string },
  columns: number,
): string {
  const line = ` Files  ${files}      Cases  ${cases}      ${time}`;
  return cells(line) <= columns ? line : ` Files  ${files}\n Cases  ${cases}\n Time   ${time}`;
}

/** All names on one line, or each on its own line if one is too narrow. */
function namesText(label: string, names: readonly string[], columns: number): string {
  const line = `${label}${names.join(" · ")}`;
  return cells(line) <= columns ? line : `${label}${names.join(`\n${" ".repeat(label.length)}`)}`;
}

/** The number of files that are named. Further ones are only counted. */
const MAX_NAMED = 5;

/** Names the files without a case, because a person who wrote a test there would look for it. */
function emptyText(files: readonly FileResult[], columns: number): string {
  return namedPaths(" No case  ", [...new Set(files.map(({ path, source = path }) => source))], columns);
}

/** Names a few files, and counts the others. */
function namedPaths(label: string, paths: readonly string[], columns: number): string {
  const more = paths.length > MAX_NAMED ? [`and ${paths.length - MAX_NAMED} more`] : [];
  return namesText(label, [...paths.slice(0, MAX_NAMED).map(visibleOnOneLine), ...more], columns);
}

/** Names the cases that their target could not run, with the reason. Cases that the file itself leaves out have none. */
function skippedTexts(cases: readonly CaseResult[], columns: number): string[] {
  const skipped = cases.filter(({ end }) => end.reason?.startsWith(ONLY_HEADLESS) === true);
  return [...new Set(skipped.map(({ end }) => end.reason ?? ""))].flatMap((reason) => {
    const names = skipped.filter(({ end }) => end.reason === reason).map(nameOf);
    const more = names.length > MAX_NAMED ? [`and ${names.length - MAX_NAMED} more`] : [];
    return [
      namesText(" Skipped  ", [...names.slice(0, MAX_NAMED), ...more], columns),
      `          ${visibleOnOneLine(reason)}`,
    ];
  });
}

/** The number of Instances that are named. Further ones are only counted. */
const MAX_LEAKED = 5;

function leakedText(file: FileResult, style: Style): string {
  const { leaked } = file;
  const more = leaked.length > MAX_LEAKED ? ` and ${leaked.length - MAX_LEAKED} more` : "";
  const paths = leaked.slice(0, MAX_LEAKED).join(", ");
  return fit(` Left     by ${visibleOnOneLine(`${titleOf(file)}: ${paths}${more}`)}`, style.columns);
}

function obsoleteText({ files, areRemoved }: ObsoleteSnapshots, style: Style): string {
  const count = files.length === 1 ? "1 file" : `${files.length} files`;
  return areRemoved
    ? style.green(`${count} removed`)
    : `${style.yellow(`${count} obsolete`)} (sb test -u removes obsolete files)`;
}

function storedParts(
  { written, updated, removed, obsolete, failed }: SnapshotCounts,
  style: Style,
): readonly string[] {
  return [
    written > 0 ? style.green(`${written} written`) : "",
    updated > 0 ? style.green(`${updated} updated`) : "",
    removed > 0 ? style.green(`${removed} removed`) : "",
    failed > 0 ? `${style.red(`${failed} failed`)} (sb test -u writes them)` : "",
    obsolete > 0 ? `${style.yellow(`${obsolete} obsolete`)} (sb test -u removes them)` : "",
  ].filter((part) => part !== "");
}

function snapshotLines(
  files: readonly FileResult[],
  gone: ObsoleteSnapshots | undefined,
  style: Style,
): string[] {
  const pictures = storedParts(storedOf(files, "pictures"), style);
  const parts = [
    ...storedParts(storedOf(files, "snapshots"), style),
    ...(gone === undefined ? [] : [obsoleteText(gone, style)]),
  ];
  return [
    ...(pictures.length === 0 ? [] : [` Pictures   ${pictures.join(", ")}`]),
    ...(parts.length === 0 ? [] : [` Snapshots  ${parts.join(", ")}`]),
    ...(gone === undefined ? [] : [namedPaths("            of no test: ", gone.files, style.columns)]),
  ];
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
