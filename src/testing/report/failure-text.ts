/** How one failed case looks to people: where, an excerpt of the source, what was expected, the stack, the output. */
import type { Style } from "../../util/style.ts";
import { cells, fit, wrap } from "../../util/text-width.ts";
import { visibleControls, visibleOnOneLine } from "../../util/visible-controls.ts";
import { FILE_CASE, type Failure, type Frame, NOT_LOADED } from "../events.ts";
import { flow } from "./layout.ts";
import type { CaseResult } from "./tally.ts";
import { titled } from "./text-failure.ts";

/** The lines of a file of the project; undefined for what is none. */
export type SourceOf = (path: string) => readonly string[] | undefined;

export interface FailureView {
  readonly style: Style;
  readonly sourceOf: SourceOf;
  /** All of a case's output instead of its last lines. */
  readonly showsOutput: boolean;
  /** `TestEZ` behind the place. */
  readonly framework: string;
}

/** Lines of source before and behind the one that failed. */
const AROUND = 1;
const OUTPUT_LINES = 3;
const MESSAGE_LINES = 40;
const STACK_LINES = 8;
/** Between these, Studio logs the stack of an error. */
const [STACK_BEGIN, STACK_END] = ["Stack Begin", "Stack End"];
/** Of one line of a value. */
const VALUE_CHARS = 2000;
const MAX_COLUMNS = 160;

/** The frame that a person wants to see first: the first one in a file of the project. */
export function ownFrame(frames: readonly Frame[], sourceOf: SourceOf): Frame | undefined {
  return frames.find(({ path }) => sourceOf(path) !== undefined) ?? frames[0];
}

export function failureLines(result: CaseResult, index: string, view: FailureView): string[] {
  const { style, sourceOf, framework } = view;
  const { end } = result;
  const failure: Failure = end.failure ?? { message: "failed", frames: [] };
  const columns = Math.min(style.columns, MAX_COLUMNS);
  const title = titled(end.names.join(" › "), end);
  const own = failure.frames.filter(({ path }) => sourceOf(path) !== undefined);
  const place = specFrame(own, end.file, end.line) ?? own[0];
  const lead = `─ ${index} ─`;
  const [first = "", ...rest] = wrap(visibleOnOneLine(title), columns - lead.length - 1);
  const where = place === undefined ? end.file : `${place.path}:${place.line}`;
  return [
    `${style.dim(lead)} ${style.bold(first)}`,
    ...rest.map((line) => `${" ".repeat(lead.length)} ${style.bold(line)}`),
    flow([style.dim(`  ${visibleOnOneLine(where)}`), style.dim(` ${framework}`)], columns, "  "),
    ...(place === undefined ? [] : excerpt(place, view, columns)),
    ...messageLines(failure, style, columns),
    ...comparison(failure, style),
    ...stackLines(own, place, view, columns),
    ...outputLines(
      view.showsOutput ? result.output : outputBeside(failure, result),
      end.id === FILE_CASE,
      view,
      columns,
    ),
    "",
  ];
}

/** The line of the test itself, rather than of a helper that it calls. */
function specFrame(frames: readonly Frame[], file: string, line: number | undefined): Frame | undefined {
  return frames.find(({ path }) => path === file) ?? (line === undefined ? undefined : { path: file, line });
}

function excerpt({ path, line }: Frame, { style, sourceOf }: FailureView, columns: number): string[] {
  const source = sourceOf(path);
  if (source === undefined) return [];
  const first = Math.max(1, line - AROUND);
  const last = Math.min(source.length, line + AROUND);
  const width = String(last).length;
  const lines: string[] = [];
  for (let number = first; number <= last; number += 1) {
    const text = visibleControls((source[number - 1] ?? "").replaceAll("\t", "  "));
    if (text.trim() === "" && number !== line) continue;
    const head = `${number === line ? "▶" : " "} ${String(number).padStart(width)} │`;
    lines.push(`  ${number === line ? head : style.dim(head)} ${fit(text, columns - width - 8)}`);
  }
  return ["", ...lines];
}

function messageLines({ message, expected }: Failure, style: Style, columns: number): string[] {
  // The two values follow on lines of their own.
  const text = expected === undefined ? message : (message.split("\n")[0] ?? "");
  const lines = visibleControls(text.trimEnd()).split("\n");
  const more = lines.length - MESSAGE_LINES;
  const shown = lines
    .slice(0, MESSAGE_LINES)
    .map((line) => shortened(line))
    .flatMap((line) => (cells(line) > columns - 2 ? wrap(line, columns - 2) : [line]))
    .map((line) => (line.trim() === "" ? "" : `  ${painted(line, style)}`));
  return more > 0 ? ["", ...shown, `  ${style.dim(`(${more} more lines)`)}`] : ["", ...shown];
}

/** The lines of a diff. */
const painted = (line: string, style: Style): string =>
  /^\s*- /.test(line) ? style.green(line) : /^\s*\+ /.test(line) ? style.red(line) : line;

function comparison({ expected, received }: Failure, style: Style): string[] {
  if (expected === undefined || received === undefined) return [];
  if ([expected, received].some((value) => value.includes("\n")))
    return [...valueLines("expected", expected, style.green), ...valueLines("received", received, style.red)];
  const difference = Number(received) - Number(expected);
  const isNumber = expected.trim() !== "" && received.trim() !== "" && Number.isFinite(difference);
  const tail = isNumber ? style.dim(`   difference ${rounded(difference)}`) : "";
  return [
    `  expected  ${style.green(shortened(visibleControls(expected)))}`,
    `  received  ${style.red(shortened(visibleControls(received)))}${tail}`,
  ];
}

/** A value of several lines, below its name. */
function valueLines(name: string, value: string, paint: (text: string) => string): string[] {
  const lines = visibleControls(value).split("\n");
  const more = lines.length - MESSAGE_LINES;
  return [
    `  ${name}`,
    ...lines.slice(0, MESSAGE_LINES).map((line) => `    ${paint(shortened(line))}`),
    ...(more > 0 ? [`    (${more} more lines)`] : []),
  ];
}

/** With the number of characters that are left out. */
export function shortened(text: string, chars = VALUE_CHARS): string {
  const more = text.length - chars;
  return more > 0 ? `${text.slice(0, chars).toWellFormed()}… (${more} more characters)` : text;
}

const rounded = (value: number): string => String(Number(value.toPrecision(12)));

function stackLines(
  frames: readonly Frame[],
  place: Frame | undefined,
  { style, sourceOf }: FailureView,
  columns: number,
): string[] {
  const others = frames.filter((frame) => frame !== place);
  if (others.length === 0) return [];
  const lines = others.slice(0, STACK_LINES).map(({ path, line, name }) => {
    const source = sourceOf(path)?.[line - 1]?.trim() ?? "";
    const text = visibleOnOneLine(`at ${name ?? "a function"}  ${path}:${line}`);
    return `  ${text}  ${style.dim(fit(visibleControls(source), Math.max(0, columns - cells(text) - 6)))}`;
  });
  const more = others.length - lines.length;
  return [
    "",
    ...lines.map((line) => line.trimEnd()),
    ...(more > 0 ? [style.dim(`  (${more} more calls)`)] : []),
  ];
}

/**
 * What a case has printed, without the log of the very error that it failed with: Studio's Output has the message, and then
 * the stack, which the failure shows already. A module that cannot be loaded also lets those fail that require it.
 */
export function outputBeside({ message }: Failure, { output }: CaseResult): readonly string[] {
  let isStack = false;
  return output.filter((line) => {
    const isPart = isStack || line === STACK_BEGIN;
    isStack = isPart && line !== STACK_END;
    const [, error] = /^\[error\] (?:\S+:\d+: )?([\s\S]*)$/.exec(line) ?? [];
    return !isPart && (error === undefined || (error !== NOT_LOADED && !message.includes(error)));
  });
}

/** A file that cannot be loaded has printed the cause first, and then what followed from it. */
function outputLines(
  output: readonly string[],
  isOfFile: boolean,
  { style, showsOutput }: FailureView,
  columns: number,
): string[] {
  if (output.length === 0) return [];
  const lines = output.flatMap((text) => text.split("\n"));
  const part = isOfFile ? lines.slice(0, OUTPUT_LINES) : lines.slice(-OUTPUT_LINES);
  const shown = showsOutput ? lines : part;
  const which = isOfFile ? "first" : "last";
  const note = `(the ${which} of ${lines.length} lines; all with --show-output)`;
  return [
    "",
    ...shown.map((line, at) => {
      const text = fit(visibleControls(line), columns - 12);
      return `  ${at === 0 ? style.dim("output") : "      "}  ${text}`;
    }),
    ...(shown.length < lines.length ? [`          ${style.dim(note)}`] : []),
  ];
}
