/** The report for a coding agent: one line of counts, then the facts about each failure and flaky case, and nothing about other passed cases. */
import type { SourceOf } from "./failure-text.ts";
import { outputBeside, ownFrame, shortened } from "./failure-text.ts";
import { plainStyle } from "../../util/style.ts";
import { visibleControls, visibleOnOneLine } from "../../util/visible-controls.ts";
import { flakyText } from "./flaky-text.ts";
import { countsText, timeText } from "./screen.ts";
import { type CaseResult, countsOf, failuresOf, fileCount, type FileResult, flakyCases } from "./tally.ts";
import { casePosition, failureText, positionOf, shownFile, titled } from "./text-failure.ts";

const OUTPUT_LINES = 10;
const SOURCE_LINES = 3;
const MESSAGE_LINES = 20;
const SOURCE_CHARS = 200;
/** The length of all failures together. Few failures are shown nearly whole; of many, only the beginnings are shown. */
const ALL_CHARS = 12_000;

export interface AgentOptions {
  readonly sourceOf: SourceOf;
  readonly maxFailures: number;
}

/** `breakOff` is the sentence of breakOffText; `coverage` is the line of coverageLine. */
export function agentText(
  files: readonly FileResult[],
  durationMs: number,
  options: AgentOptions,
  breakOff?: string,
  coverage?: string,
): string {
  const { shown, more } = agentFailures(files, options);
  const flaky = flakyLines(files, options.maxFailures);
  const count = fileCount(files);
  const counts = countsText(countsOf(files), plainStyle);
  return [
    `${counts} in ${count} file${count === 1 ? "" : "s"}, ${timeText(durationMs)}`,
    ...(breakOff === undefined ? [] : [breakOff]),
    ...shown,
    ...(more > 0 ? [`${more} more failures`] : []),
    ...(flaky.length > 0 ? [flaky.join("\n")] : []),
    ...(coverage === undefined ? [] : [coverage]),
  ].join("\n\n");
}

/** A line for each of the first flaky cases, and one that counts the others. */
export function flakyLines(files: readonly FileResult[], max: number): string[] {
  const flaky = flakyCases(files);
  const lines = flaky.slice(0, max).map((result) => {
    const { id, end } = result;
    const { path, line } = casePosition(end) ?? { path: shownFile(end), line: 1 };
    return visibleOnOneLine(`FLAKY ${titled(id, end)}  ${path}:${line}  (${flakyText(result)})`);
  });
  return [...lines, ...(flaky.length > max ? [`${flaky.length - max} more flaky cases`] : [])];
}

/**
 * `shown` has a text for each of the first failures, and `more` is the number of the others. `isWhole` is true if no failure
 * was left out or shortened.
 */
export function agentFailures(files: readonly FileResult[], { sourceOf, maxFailures }: AgentOptions) {
  const failures = files.flatMap(failuresOf);
  const chosen = failures.slice(0, maxFailures);
  const chars = Math.floor(ALL_CHARS / Math.max(1, chosen.length));
  const shown = chosen.map((failure) => visibleControls(failureOf(failure, sourceOf, chars)));
  const isWhole =
    failures.length === shown.length && chosen.every((failure) => isShownWhole(failure, sourceOf, chars));
  return { shown, more: failures.length - shown.length, isWhole };
}

function isShownWhole(result: CaseResult, sourceOf: SourceOf, chars: number): boolean {
  const lines = result.end.failure?.message.split("\n") ?? [];
  if (lines.length > MESSAGE_LINES || result.output.length > OUTPUT_LINES) return false;
  return failureOf(result, sourceOf, chars) === failureOf(result, sourceOf, Infinity);
}

/** All failures with their whole messages, stacks and output. */
export function wholeText(files: readonly FileResult[]): string {
  const texts = files.flatMap(failuresOf).map(({ id, end, output }) => {
    const { path, line } = positionOf(end);
    const head = `FAILED ${titled(id, end)}  ${path}:${line}`;
    return [head, failureText(end), ...output.map((text) => `output: ${text}`)].join("\n");
  });
  return visibleControls(texts.join("\n\n"));
}

/** The text of a failure. It has about `chars` characters: half for the message, a quarter for values, a quarter for output. */
function failureOf(result: CaseResult, sourceOf: SourceOf, chars: number): string {
  const { id, end } = result;
  const output = end.failure === undefined ? result.output : outputBeside(end.failure, result);
  const frame = ownFrame(end.failure?.frames ?? [], sourceOf);
  const place = frame ?? casePosition(end) ?? { path: shownFile(end), line: 1 };
  const { message = "failed", expected, received, pictures = [] } = end.failure ?? {};
  const source = sourceOf(place.path) ?? [];
  const first = Math.max(1, place.line - 1);
  return [
    `FAILED ${titled(id, end)}  ${place.path}:${place.line}`,
    ...messageLines(message, chars / 2),
    ...(expected === undefined ? [] : [`expected ${shortened(expected, chars / 8)}`]),
    ...(received === undefined ? [] : [`received ${shortened(received, chars / 8)}`]),
    ...pictures.map((path) => `difference ${path}`),
    ...source.slice(first - 1, first - 1 + SOURCE_LINES).map((text, at) => {
      const mark = first + at === place.line ? ">" : " ";
      return `${mark} ${first + at} | ${shortened(text, SOURCE_CHARS)}`;
    }),
    ...lastLines(output, chars / 4).map((line) => `output: ${line}`),
  ].join("\n");
}

function messageLines(message: string, chars: number): readonly string[] {
  const lines = message.split("\n");
  const more = lines.length - MESSAGE_LINES;
  const text = shortened(lines.slice(0, MESSAGE_LINES).join("\n"), chars);
  return more > 0 ? [text, `(${more} more lines)`] : [text];
}

/** As many of the last lines as fit. If not even the very last line fits, its beginning. */
function lastLines(output: readonly string[], chars: number): readonly string[] {
  const lines: string[] = [];
  let left = chars;
  for (const line of output.slice(-OUTPUT_LINES).toReversed()) {
    if (lines.length > 0 && line.length > left) break;
    lines.unshift(shortened(line, chars));
    left -= line.length;
  }
  return lines;
}
