/** The kept lines of sessions that are gone, as lines of a log. */
import type { LogEntry } from "../protocol/fields/log-lines.ts";
import { readLines } from "./read.ts";

/** The oldest first. */
export function endedLines(): LogEntry[] {
  const { lines, sessions, connected } = readLines();
  const entries = lines
    .filter(({ sessionId }) => !connected.has(sessionId))
    .flatMap(({ sessionId, lines: kept }) => {
      const own = sessions.get(sessionId)?.context ?? "edit";
      return kept.map(([level, body, time, context]) => ({
        ...{ level, body, time, timestamp: 0 },
        ...(own === "edit" && context === undefined ? {} : { context: context ?? own }),
      }));
    });
  return entries.sort((one, other) => one.time - other.time);
}
