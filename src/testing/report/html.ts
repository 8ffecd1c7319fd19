/**
 * The report as one HTML page: files with their cases, failures with the lines of their source, output and times. The page is whole
 * in itself, so that it can be sent to another person or kept by a CI server.
 */
import { htmlPage } from "../../pages/html-page.ts";
import style from "../../pages/test-run.css" with { type: "text" };
import program from "../../pages/test-run.page.js" with { type: "text" };
import { type PictureOf, shortened, type SourceOf } from "./failure-text.ts";
import { flakyText } from "./flaky-text.ts";
import { type CaseResult, countsOf, failuresOf, type FileResult, titleOf } from "./tally.ts";
import { casePosition, positionOf, shownFile, titled } from "./text-failure.ts";
import type { CaseEnd, Failure } from "../events.ts";

export interface HtmlRun {
  readonly files: readonly FileResult[];
  readonly target: string;
  readonly startedAt: number;
  readonly durationMs: number;
  readonly seed?: number | undefined;
  /** The sentence of breakOffText. */
  readonly breakOff?: string | undefined;
  /** The line of coverageLine. */
  readonly coverage?: string | undefined;
  readonly sourceOf: SourceOf;
  readonly pictureOf?: PictureOf | undefined;
}

/** Number of lines of source before and after the line that failed. */
const AROUND = 4;
const MOST_OUTPUT_CHARS = 100_000;
/** The output of the whole page; output of cases that passed is left out first. */
const MOST_CHARS = 8_000_000;
const MOST_MESSAGE_CHARS = 50_000;

/** The Base64 of all pictures of the page; of the others, it shows only where they are. */
const MOST_PICTURE_CHARS = 16_000_000;

/** How much room for output and for pictures is left on the page. */
interface Room {
  chars: number;
  cut: number;
  pictureChars: number;
}

export function htmlText(run: HtmlRun): string {
  const { files, target, startedAt, durationMs, seed, breakOff, coverage } = run;
  const room: Room = { chars: MOST_CHARS, cut: 0, pictureChars: MOST_PICTURE_CHARS };
  const rows = new Map(
    // Failed files take their room for output first.
    files
      .toSorted((one, other) => failuresOf(other).length - failuresOf(one).length)
      .map((file) => [file, fileRow(file, run, room)]),
  );
  const counts = countsOf(files);
  const about = [
    new Date(startedAt).toISOString().replace("T", " ").slice(0, 19) + " UTC",
    target,
    ...(seed === undefined ? [] : [`seed ${seed}`]),
    ...(coverage === undefined ? [] : [coverage]),
    ...(room.cut === 0 ? [] : [`output of ${room.cut} cases had no room`]),
  ];
  const failed = counts.failed > 0 || breakOff !== undefined;
  return htmlPage({
    title: `${failed ? "Failed" : "Passed"}: sb test`,
    style,
    program,
    data: {
      title: "Test run",
      about: about.join(" · "),
      ...(breakOff === undefined ? {} : { breakOff }),
      counts,
      ms: Math.round(durationMs),
      files: files.map((file) => rows.get(file)),
    },
  });
}

function fileRow(file: FileResult, run: HtmlRun, room: Room): object {
  const failed = failuresOf(file);
  const cases = new Map(
    [...failed, ...file.cases.filter((each) => !failed.includes(each))].map((each) => [
      each,
      caseRow(each, run, room),
    ]),
  );
  return {
    title: titleOf({ ...file, context: undefined }),
    framework: file.framework,
    ...(file.ranIn === run.target ? {} : { ranIn: file.ranIn }),
    ms: Math.round(file.durationMs),
    counts: countsOf([file]),
    cases: file.cases.map((each) => cases.get(each)),
    ...(file.isFinished ? {} : { isCut: true }),
    ...(file.leaked.length === 0 ? {} : { leaked: file.leaked.slice(0, 20) }),
    ...outputField(file.output, room),
  };
}

function caseRow(result: CaseResult, run: HtmlRun, room: Room): object {
  const { end, earlier, isFlaky, output } = result;
  const { path = shownFile(end), line } =
    end.status === "failed" ? positionOf(end) : (casePosition(end) ?? {});
  return {
    names: end.names.with(0, titled(end.names[0] ?? "", end)),
    status: isFlaky ? "flaky" : end.status,
    ms: Math.round(end.durationMs),
    place: line === undefined ? path : `${path}:${line}`,
    ...(end.reason === undefined ? {} : { reason: end.reason }),
    ...(isFlaky ? { flaky: flakyText(result) } : {}),
    ...(end.status === "failed" ? { failures: [failureRow(end, run, room)] } : {}),
    ...(earlier.length === 0 ? {} : { earlier: earlier.map(earlierRow) }),
    ...outputField(output, room),
  };
}

/** The last try shows the source; of an earlier one, the message and its place say what was different. */
function earlierRow(end: CaseEnd): object {
  const { path, line } = positionOf(end);
  const message = shortened(end.failure?.message ?? "failed", MOST_MESSAGE_CHARS);
  return { try: end.try, message, place: `${path}:${line}`, stack: [] };
}

function failureRow(end: CaseEnd, run: HtmlRun, room: Room): object {
  const { sourceOf } = run;
  const failure: Failure = end.failure ?? { message: "failed", frames: [] };
  const { message, expected, received, frames, pictures = [] } = failure;
  const own = frames.filter(({ path }) => sourceOf(path) !== undefined);
  const place = end.failure === undefined ? undefined : positionOf(end);
  return {
    message: shortened(message, MOST_MESSAGE_CHARS),
    ...(expected === undefined ? {} : { expected: shortened(expected, MOST_MESSAGE_CHARS) }),
    ...(received === undefined ? {} : { received: shortened(received, MOST_MESSAGE_CHARS) }),
    ...(pictures.length === 0 ? {} : { pictures: pictures.map((path) => pictureRow(path, run, room)) }),
    ...(end.try > 1 ? { try: end.try } : {}),
    ...(place === undefined
      ? {}
      : { place: `${place.path}:${place.line}`, source: excerpt(place, sourceOf) }),
    stack: own.map(({ path, line, name }) => ({
      name: name ?? "a function",
      place: `${path}:${line}`,
      text: sourceOf(path)?.[line - 1]?.trim() ?? "",
    })),
  };
}

/** The picture itself, if it is on this machine and the page has room for it. */
function pictureRow(path: string, { pictureOf }: HtmlRun, room: Room): object {
  const data = Buffer.from(pictureOf?.(path) ?? []).toString("base64");
  if (data === "" || data.length > room.pictureChars) return { path };
  room.pictureChars -= data.length;
  return { path, data };
}

/** The lines of source around a position; none for a file that is not there any more. */
function excerpt(
  { path, line }: { readonly path: string; readonly line: number },
  sourceOf: SourceOf,
): readonly object[] {
  const source = sourceOf(path) ?? [];
  const first = Math.max(1, line - AROUND);
  return source.slice(first - 1, line + AROUND).map((text, at) => ({
    line: first + at,
    text: text.replaceAll("\t", "    "),
    ...(first + at === line ? { isHere: true } : {}),
  }));
}

function outputField(output: readonly string[], room: Room): object {
  if (output.length === 0) return {};
  const text = shortened(output.join("\n"), MOST_OUTPUT_CHARS);
  if (text.length > room.chars) {
    room.cut += 1;
    return { output: "(no room)" };
  }
  room.chars -= text.length;
  return { output: text };
}
