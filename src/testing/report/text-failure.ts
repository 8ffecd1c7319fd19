/** A failure as plain text, for reports that other programs read. */
import type { CaseEnd } from "../events.ts";

/** The first line of what went wrong. */
export const headline = ({ failure }: CaseEnd): string => failure?.message.split("\n")[0] ?? "failed";

/** The name of a case; a file runs in several clients, so that their cases are told apart. */
export const titled = (name: string, { context }: CaseEnd): string =>
  context?.startsWith("client") === true ? `[${context}] ${name}` : name;

/** What went wrong, the values and the stack, each frame as `at NAME (PATH:LINE:1)`. */
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

/** The place that an annotation points at. */
export function placeOf({ file, line, failure }: CaseEnd): { readonly path: string; readonly line: number } {
  const own = failure?.frames.find(({ path }) => path === file);
  return { path: file, line: own?.line ?? line ?? 1 };
}
