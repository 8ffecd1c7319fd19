/** The report for an agent: one line of counts, then what it needs to mend each failure, and nothing about what passed. */
import type { SourceOf } from "./failure-text.ts";
import { outputBeside, ownFrame } from "./failure-text.ts";
import { plainStyle } from "../../util/style.ts";
import { visibleControls } from "../../util/visible-controls.ts";
import { countsText, timeText } from "./screen.ts";
import { type CaseResult, countsOf, failuresOf, fileCount, type FileResult } from "./tally.ts";
import { titled } from "./text-failure.ts";

const OUTPUT_LINES = 10;
const SOURCE_LINES = 3;
const MESSAGE_LINES = 20;

export interface AgentOptions {
  readonly sourceOf: SourceOf;
  readonly maxFailures: number;
}

/** `breakOff`: why the run did not come to its end. `coverage`: what part of the project's files has run. */
export function agentText(
  files: readonly FileResult[],
  durationMs: number,
  options: AgentOptions,
  breakOff?: string,
  coverage?: string,
): string {
  const { shown, more } = agentFailures(files, options);
  const count = fileCount(files);
  const counts = countsText(countsOf(files), plainStyle);
  return [
    `${counts} in ${count} file${count === 1 ? "" : "s"}, ${timeText(durationMs)}`,
    ...(breakOff === undefined ? [] : [breakOff]),
    ...shown,
    ...(more > 0 ? [`${more} more failures`] : []),
    ...(coverage === undefined ? [] : [coverage]),
  ].join("\n\n");
}

/** A text for each failure, and how many have none. */
export function agentFailures(files: readonly FileResult[], { sourceOf, maxFailures }: AgentOptions) {
  const failures = files.flatMap(failuresOf);
  const shown = failures.slice(0, maxFailures).map((each) => visibleControls(failureOf(each, sourceOf)));
  return { shown, more: failures.length - shown.length };
}

function failureOf(result: CaseResult, sourceOf: SourceOf): string {
  const { file, id, end } = result;
  const output = end.failure === undefined ? result.output : outputBeside(end.failure, result);
  const frame = ownFrame(end.failure?.frames ?? [], sourceOf);
  const place = frame ?? { path: file, line: end.line ?? 1 };
  const { message = "failed", expected, received } = end.failure ?? {};
  const source = sourceOf(place.path) ?? [];
  const first = Math.max(1, place.line - 1);
  return [
    `FAILED ${titled(id, end)}  ${place.path}:${place.line}`,
    ...message.split("\n").slice(0, MESSAGE_LINES),
    ...(expected === undefined ? [] : [`expected ${expected}`]),
    ...(received === undefined ? [] : [`received ${received}`]),
    ...source
      .slice(first - 1, first - 1 + SOURCE_LINES)
      .map((text, at) => `${first + at === place.line ? ">" : " "} ${first + at} | ${text}`),
    ...output.slice(-OUTPUT_LINES).map((line) => `output: ${line}`),
  ].join("\n");
}
