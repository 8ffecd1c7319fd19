/** What a person who queried is told when there is no such path: their own words, and what was probably meant. */
import { StudioBridgeError } from "../../protocol/errors.ts";
import { invalidInput } from "../../protocol/messages.ts";
import { nearest } from "../../util/nearest.ts";
import { visibleOnOneLine } from "../../util/visible-controls.ts";

/** Where the plugin stopped. */
interface Stop {
  readonly resolvedTo: string;
  readonly failedSegment: string;
  readonly suggestions: readonly string[];
}

/**
 * `wirePath` is what was sent for `expression`; `childNamesAsync` gives the names below a path from `game`. Anything that
 * is not about the path comes back as it is.
 */
export async function queryFailureAsync(
  error: unknown,
  expression: string,
  wirePath: string,
  childNamesAsync: (path: string) => Promise<readonly string[]>,
): Promise<unknown> {
  if (!(error instanceof StudioBridgeError)) return error;
  const fault = /^payload\.path: (.+)/s.exec(error.message)?.[1];
  if (error.code === "INVALID_PAYLOAD" && fault !== undefined)
    return noPath(expression, fault, wirePath.length - expression.length);
  const stop = stopIn(error.data["details"]);
  if (error.code !== "INSTANCE_NOT_FOUND" || stop === undefined) return error;
  return notFound(error, stop, await childNamesAsync(stop.resolvedTo).catch(() => []));
}

/** `added` characters stand before the expression in the path that the plugin counts in. */
function noPath(expression: string, fault: string, added: number): StudioBridgeError {
  const reason = fault.replace(/(?<=at character )\d+/, (position) => String(Number(position) - added));
  return invalidInput(
    `Not a path: ${visibleOnOneLine(expression)}: ${visibleOnOneLine(reason)}`,
    'Names are joined by dots; a name with a dot or bracket is written ["a.b"].',
  );
}

function notFound(error: StudioBridgeError, stop: Stop, names: readonly string[]): StudioBridgeError {
  const { resolvedTo, failedSegment } = stop;
  const guess = nearest(failedSegment, names);
  const suggestions = stop.suggestions.length > 0 || guess === undefined ? stop.suggestions : [guess];
  const meant = suggestions.map(visibleOnOneLine).join(" or ");
  const sentences = [
    `${visibleOnOneLine(resolvedTo)} has no ${visibleOnOneLine(failedSegment)}.`,
    ...(meant === "" ? [] : [`Did you mean ${meant}?`]),
    `\`sb query ${shellWord(resolvedTo)} --children\` lists what is there.`,
  ];
  return new StudioBridgeError(error.code, error.message, {
    hint: sentences.join(" "),
    data: { ...error.data, details: { ...stop, suggestions } },
    cause: error,
    ...(error.outcome === undefined ? {} : { outcome: error.outcome }),
  });
}

function shellWord(path: string): string {
  const shown = visibleOnOneLine(path);
  return /^[\w.]+$/.test(shown) ? shown : `'${shown.replaceAll("'", "'\\''")}'`;
}

function stopIn(details: unknown): Stop | undefined {
  if (typeof details !== "object" || details === null) return undefined;
  const { resolvedTo, failedSegment, suggestions = [] }: Record<string, unknown> = { ...details };
  if (typeof resolvedTo !== "string" || typeof failedSegment !== "string") return undefined;
  const names = Array.isArray(suggestions) ? suggestions.filter((name) => typeof name === "string") : [];
  return { resolvedTo, failedSegment, suggestions: names };
}
