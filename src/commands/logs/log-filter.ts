/** Filters log lines by level, by time and by text. */
import { badInput } from "../../command/input.ts";
import type { LogEntry, LogLevel } from "../../protocol/actions.ts";
import { words } from "../../protocol/words.ts";
import { parseTimeSpan } from "../../util/time-span.ts";

export interface Wishes {
  readonly levels?: readonly LogLevel[] | undefined;
  readonly includeInternal: boolean;
  /** As typed: a time span before now, a time of today, or a date. */
  readonly since?: string | undefined;
  /** A regular expression. */
  readonly grep?: string | undefined;
}

/** Throws INVALID_INPUT for a time or an expression that is none. */
export function logFilter(
  { levels, includeInternal, since, grep }: Wishes,
  nowMs = Date.now(),
): (entry: LogEntry) => boolean {
  const sinceMs = since === undefined ? undefined : instantIn(since, nowMs);
  const pattern = grep === undefined ? undefined : patternIn(grep);
  return ({ level, body, time }) => {
    if (!includeInternal && body.startsWith(words.logPrefix)) return false;
    if (levels !== undefined && !levels.includes(level)) return false;
    // A line without a time may be new, so it is shown.
    if (sinceMs !== undefined && time !== undefined && time < sinceMs) return false;
    return pattern === undefined || pattern.test(body);
  };
}

/** Milliseconds since the epoch. */
function instantIn(text: string, nowMs: number): number {
  const spanMs = parseTimeSpan(text);
  if (spanMs !== undefined) return nowMs - spanMs;
  const instantMs = clockTime(text, nowMs) ?? dateIn(text);
  if (instantMs !== undefined) return instantMs;
  const message = `expected a time such as 30s, 5m, 14:30 or 2026-01-31T14:30, got ${JSON.stringify(text)}`;
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
    const message = `${JSON.stringify(text)} is no regular expression; write \\( to look for a bracket`;
    throw badInput([{ key: "grep", message }]);
  }
}
