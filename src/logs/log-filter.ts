/** Filters log lines by level, by time and by text. */
import { badInput } from "../protocol/input.ts";
import type { LogEntry, LogLevel } from "../protocol/fields/log-lines.ts";
import { words } from "../protocol/words.ts";
import type { Zod } from "../protocol/schema.ts";
import { parseTimeSpan } from "../util/time-span.ts";

export interface Wishes {
  readonly levels?: readonly LogLevel[] | undefined;
  readonly includeInternal: boolean;
  /** Where the lines begin; all of them without it. */
  readonly since?: LogCursor | undefined;
  /** A regular expression. */
  readonly match?: string | undefined;
}

export const sinceSchema = (z: Zod) => z.union([z.string().min(1, "expected a time"), z.number()]);

/** Whether a plugin that was loaded before has given the number of a line; the numbers begin anew with each one. */
export function isOfEarlierLog(
  since: LogCursor | undefined,
  { lastSeq }: { readonly lastSeq?: number | undefined },
): boolean {
  return since !== undefined && "afterSeq" in since && lastSeq !== undefined && since.afterSeq > lastSeq;
}

/** The lines since a moment, in milliseconds since the epoch, or those after the line of a number. */
export type LogCursor = { readonly sinceMs: number } | { readonly afterSeq: number };

/** Throws INVALID_INPUT for an expression that is none. The lines must come in their order. */
export function logFilter({ levels, includeInternal, since, match }: Wishes): (entry: LogEntry) => boolean {
  const pattern = match === undefined ? undefined : patternIn(match);
  const levelOf = levelsInOrder();
  return (entry) => {
    const level = levelOf(entry);
    if (!includeInternal && entry.body.startsWith(words.logPrefix)) return false;
    if (levels !== undefined && !levels.includes(level)) return false;
    if (since !== undefined && !isSince(entry, since)) return false;
    return pattern === undefined || pattern.test(entry.body);
  };
}

/** A line that does not say when it came may be new, so it is shown. */
function isSince({ time, seq }: LogEntry, since: LogCursor): boolean {
  if ("afterSeq" in since) return seq === undefined || seq > since.afterSeq;
  return time === undefined || time >= since.sinceMs;
}

const [STACK_BEGIN, STACK_END] = ["Stack Begin", "Stack End"];

/** The stack of an error belongs to the error, though Studio prints it as information. */
function levelsInOrder(): (entry: LogEntry) => LogLevel {
  const states = new Map<string, { above: LogLevel; isInStack: boolean }>();
  return ({ level, body, context = "", player }) => {
    const source = `${context} ${player?.index ?? ""}`;
    const state = states.get(source) ?? { above: "Print", isInStack: false };
    states.set(source, state);
    const isStack = level === "Info" && (state.isInStack || body === STACK_BEGIN);
    state.isInStack = isStack && body !== STACK_END;
    if (isStack && state.above === "Error") return "Error";
    state.above = level;
    return level;
  };
}

/** Times of an entry have more digits than its number ever gets. */
const LEAST_TIME_MS = 1e11;

/**
 * What `since` says: `seq` or `time` of a line as a number, and as a text `#812` for the number of a line, a time span
 * before now, a time of today, or a date. Throws INVALID_INPUT.
 */
export function logCursor(since: string | number, nowMs = Date.now()): LogCursor {
  const text = String(since);
  const [, mark = "", digits] = /^(#?)(\d+)$/.exec(text) ?? [];
  const number = Number(digits);
  if (digits !== undefined && mark === "" && number >= LEAST_TIME_MS) return { sinceMs: number };
  if (digits !== undefined && (mark !== "" || typeof since === "number")) return { afterSeq: number };
  const spanMs = parseTimeSpan(text);
  if (spanMs !== undefined) return { sinceMs: nowMs - spanMs };
  const instantMs = clockTime(text, nowMs) ?? dateIn(text);
  if (instantMs !== undefined) return { sinceMs: instantMs };
  const message = `expected a time such as 30s, 5m, 14:30 or 2026-01-31T14:30, or the number of a line such as #812, got ${JSON.stringify(since)}`;
  throw badInput([{ key: "since", message }]);
}

/** `14:30` and `14:30:05` are the latest such moment in local time, which may have been yesterday. */
function clockTime(text: string, nowMs: number): number | undefined {
  const match = /^([01]?\d|2[0-3]):([0-5]\d)(?::([0-5]\d))?$/.exec(text);
  if (match === null) return undefined;
  const [, hours, minutes, seconds = 0] = match;
  const instant = new Date(nowMs);
  instant.setHours(Number(hours), Number(minutes), Number(seconds), 0);
  if (instant.getTime() > nowMs) instant.setDate(instant.getDate() - 1);
  return instant.getTime();
}

function dateIn(text: string): number | undefined {
  const isDate = /^\d{4}-\d\d-\d\d([T ]\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d)?)?$/.test(text);
  // A date alone would be read as the start of the day in another time zone.
  const instantMs = isDate ? Date.parse(text.length === 10 ? `${text}T00:00` : text.replace(" ", "T")) : NaN;
  return Number.isNaN(instantMs) ? undefined : instantMs;
}

function patternIn(text: string): RegExp {
  try {
    return new RegExp(text);
  } catch {
    const message = `${JSON.stringify(text)} is not a regular expression; write \\( to look for a bracket`;
    throw badInput([{ key: "match", message }]);
  }
}
