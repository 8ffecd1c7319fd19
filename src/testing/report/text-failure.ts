/** A failure as plain text, for reports that other programs read. */
import type { CaseEnd, Frame } from "../events.ts";

/** The first line of the failure's message. */
export const headline = ({ failure }: CaseEnd): string => failure?.message.split("\n")[0] ?? "failed";

/** The name of a case, with the suite and the client in which it ran: `[client 2] Cart › total`. */
export const titled = (name: string, { suite, context }: CaseEnd): string => {
  const marks = [suite, context?.startsWith("client") === true ? context : undefined];
  return [...marks.flatMap((mark) => (mark === undefined ? [] : `[${mark}]`)), name].join(" ");
};

/** The message, the two values, the pictures of differences and the stack, each frame as `at NAME (PATH:LINE:1)`. */
export function failureText({ failure }: CaseEnd): string {
  if (failure === undefined) return "failed";
  const { message, expected, received, frames, pictures = [] } = failure;
  return [
    message,
    ...(expected === undefined ? [] : [`expected: ${expected}`]),
    ...(received === undefined ? [] : [`received: ${received}`]),
    ...pictures.map((path) => `difference: ${path}`),
    ...frames.map(({ path, line, name }) => `    at ${name ?? "function"} (${path}:${line}:1)`),
  ].join("\n");
}

interface Position {
  readonly path: string;
  readonly line: number;
}

/** True for a call in the test file itself, also if its source is shown. */
export const isInTest = (
  { path, compiled = { path, line: 0 } }: Frame,
  { file }: Pick<CaseEnd, "file">,
): boolean => compiled.path === file;

/** The test file of a case as people know it: its source, if a source map leads there. */
export const shownFile = ({ file, source }: Pick<CaseEnd, "file" | "source">): string =>
  source?.line === undefined ? file : source.path;

/** The position of a case; undefined if its line is not known. */
export function casePosition({ file, line, source }: CaseEnd): Position | undefined {
  if (source?.line !== undefined) return { path: source.path, line: source.line };
  return line === undefined ? undefined : { path: file, line };
}

/** The position in the test file at which other programs show the failure. */
export function positionOf(end: CaseEnd): Position {
  const own = end.failure?.frames.find((frame) => isInTest(frame, end));
  const { path, line } = own ?? casePosition(end) ?? { path: end.file, line: 1 };
  return { path, line };
}
