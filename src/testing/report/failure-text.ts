/** The text of one failed case for people: its position, an excerpt of the source, the values, the stack, the output. */
import type { Style } from "../../util/style.ts";
import { cells, fit, wrap, wrapLong } from "../../util/text-width.ts";
import { visibleControls, visibleOnOneLine } from "../../util/visible-controls.ts";
import {
  type CaseEnd,
  FILE_CASE,
  type Failure,
  type Frame,
  NOT_LOADED,
  UNHANDLED_REJECTION,
} from "../events.ts";
import { flow } from "./layout.ts";
import type { CaseResult } from "./tally.ts";
import { casePosition, isInTest, shownFile, titled } from "./text-failure.ts";

/** Gives the lines of a file of the project; undefined for any other path. */
export type SourceOf = (path: string) => readonly string[] | undefined;

/** Gives the PNG of a difference in the project; undefined where it is not on this machine. */
export type PictureOf = (path: string) => Uint8Array | undefined;

export interface FailureView {
  readonly style: Style;
  readonly sourceOf: SourceOf;
  /** Shows the whole output of a case instead of its last lines. */
  readonly showsOutput: boolean;
  /** Shows the lines of compiled files beside those of their sources. */
  readonly showsCompiled: boolean;
  /** The name of the framework, such as `TestEZ`, which follows the position. */
  readonly framework: string;
}

/** Number of lines of source before and after the line that failed. */
const AROUND = 1;
const OUTPUT_LINES = 3;
const MESSAGE_LINES = 40;
const STACK_LINES = 8;
/** Studio's Output has these lines before and after the stack of an error. */
const [STACK_BEGIN, STACK_END] = ["Stack Begin", "Stack End"];
/** With this the Promise library warns of a rejection, whose text and stack follow. */
const REJECTION = "[warn] Unhandled Promise rejection:";
/** The longest line of a value that is shown whole, in characters. */
const VALUE_CHARS = 2000;
const MAX_COLUMNS = 160;

/** The first frame in a file of the project, else the first frame. */
export function ownFrame(frames: readonly Frame[], sourceOf: SourceOf): Frame | undefined {
  return frames.find(({ path }) => sourceOf(path) !== undefined) ?? frames[0];
}

/** The lines about one failed case. `index` counts it among the failures of its file, as `1/2`. */
export function failureLines(result: CaseResult, index: string, view: FailureView): string[] {
  const { style, sourceOf, framework } = view;
  const { end } = result;
  const failure: Failure = end.failure ?? { message: "failed", frames: [] };
  const columns = Math.min(style.columns, MAX_COLUMNS);
  const title = titled(end.names.join(" › "), end);
  const own = failure.frames.filter(({ path }) => sourceOf(path) !== undefined);
  const position = testFrame(own, end) ?? own[0];
  const lead = `─ ${index} ─`;
  const [first = "", ...rest] = wrap(visibleOnOneLine(title), columns - lead.length - 1);
  const where = position === undefined ? shownFile(end) : placeText(position, view);
  return [
    `${style.dim(lead)} ${style.bold(first)}`,
    ...rest.map((line) => `${" ".repeat(lead.length)} ${style.bold(line)}`),
    flow([style.dim(`  ${visibleOnOneLine(where)}`), style.dim(` ${framework}`)], columns, "  "),
    ...(position === undefined ? [] : excerpt(position, view, columns)),
    ...messageLines(failure, style, columns),
    ...comparison(failure, style),
    ...pictureLines(failure, columns),
    ...stackLines(own, position, view, columns),
    ...outputLines(
      view.showsOutput ? result.output : outputBeside(failure, result),
      end.id === FILE_CASE,
      view,
      columns,
    ),
    "",
  ];
}

/** The frame in the test file itself, which is preferred to one in a helper that the test calls. */
function testFrame(frames: readonly Frame[], end: CaseEnd): Frame | undefined {
  const inTest = frames.find((frame) => isInTest(frame, end));
  if (inTest !== undefined) return inTest;
  const place = casePosition(end);
  const { file: path, line, source } = end;
  return place === undefined || line === undefined || source?.line === undefined
    ? place
    : { ...place, compiled: { path, line } };
}

/** `src/cart.ts:12`, and with the compiled file `src/cart.ts:12 (out/cart.luau:48)`. */
function placeText(
  { path, line, compiled }: Frame,
  { showsCompiled }: Pick<FailureView, "showsCompiled">,
): string {
  const more = compiled === undefined || !showsCompiled ? "" : ` (${compiled.path}:${compiled.line})`;
  return `${path}:${line}${more}`;
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
  // If there are two values, they follow on lines of their own, so that the message's first line is enough.
  const text = expected === undefined ? message : (message.split("\n")[0] ?? "");
  const lines = visibleControls(text.trimEnd()).split("\n");
  const more = lines.length - MESSAGE_LINES;
  const shown = lines
    .slice(0, MESSAGE_LINES)
    .map((line) => shortened(line))
    .flatMap((line) => wrapLong(line, columns - 2).split("\n"))
    .map((line) => (line.trim() === "" ? "" : `  ${painted(line, style)}`));
  return more > 0 ? ["", ...shown, `  ${style.dim(`(${more} more lines)`)}`] : ["", ...shown];
}

/** Colours a line of a diff, such as Jest's: green for expected lines, red for received ones. */
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

/** Where the pictures are that show what was expected, what there is, and where they differ. */
function pictureLines({ pictures = [] }: Failure, columns: number): string[] {
  return pictures.map((path) => wrapLong(`  difference  ${visibleOnOneLine(path)}`, columns));
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

/** The first `chars` characters of a text, and how many more it has. */
export function shortened(text: string, chars = VALUE_CHARS): string {
  const more = text.length - chars;
  return more > 0 ? `${text.slice(0, chars).toWellFormed()}… (${more} more characters)` : text;
}

const rounded = (value: number): string => String(Number(value.toPrecision(12)));

function stackLines(
  frames: readonly Frame[],
  shown: Frame | undefined,
  view: FailureView,
  columns: number,
): string[] {
  const { style, sourceOf } = view;
  const others = frames.filter((frame) => frame !== shown);
  if (others.length === 0) return [];
  const lines = others.slice(0, STACK_LINES).map((frame) => {
    const source = sourceOf(frame.path)?.[frame.line - 1]?.trim() ?? "";
    const text = visibleOnOneLine(`at ${frame.name ?? "a function"}  ${placeText(frame, view)}`);
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
 * The output of a case without the lines that Studio logs for the failure itself, the message and then the stack, because the
 * failure shows both already. The error of a `require` is left out too, because the error of the module says the cause.
 */
export function outputBeside({ message }: Failure, { output }: CaseResult): readonly string[] {
  let isStack = false;
  return output.filter((line) => {
    const isPart = isStack || line === STACK_BEGIN;
    isStack = isPart && line !== STACK_END;
    const [, error] = /^\[error\] (?:\S+:\d+: )?([\s\S]*)$/.exec(line) ?? [];
    if (line.startsWith(REJECTION) && message.startsWith(UNHANDLED_REJECTION)) return false;
    return !isPart && (error === undefined || (error !== NOT_LOADED && !message.includes(error)));
  });
}

/**
 * The last lines of the output, or all lines with `showsOutput`. For a file that cannot be loaded (`isOfFile`), these are the
 * first lines, because the output has the cause first and then its consequences.
 */
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
