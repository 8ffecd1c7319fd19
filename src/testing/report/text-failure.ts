/** A failure as plain text, for reports that other programs read. */
import type { CaseEnd } from "../events.ts";

/** The first line of the failure's message. */
export const headline = ({ failure }: CaseEnd): string => failure?.message.split("\n")[0] ?? "failed";

/** The name of a case, with the client in which it ran: `[client 2] Cart › total`. */
export const titled = (name: string, { context }: CaseEnd): string =>
  context?.startsWith("client") === true ? `[${context}] ${name}` : name;

/** The message, the two values and the stack, each frame as `at NAME (PATH:LINE:1)`. */
export function failureText({ failure }: CaseEnd): string {
  if (failure === undefined) return "failed";
  const { message, expected, received, frames } = failure;
  return [
    message,
    ...(expected === undefined ? [] : [`expected: ${expected}`]),
    ...(received === undefined ? [] : [`received: ${received}`]),
    ...frames.map(({ path, line, name }) => `    at ${name ?? "function"} (${path}:${line}:1)`),
  ].join("\n");
}

/** The position in the test file at which other programs show the failure. */
export function positionOf({ file, line, failure }: CaseEnd): {
  readonly path: string;
  readonly line: number;
} {
  const own = failure?.frames.find(({ path }) => path === file);
  return { path: file, line: own?.line ?? line ?? 1 };
}
