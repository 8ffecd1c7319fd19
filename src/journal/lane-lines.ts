/** Kept lines with the sessions that printed them. */
import type { JournaledLine, JournaledSession } from "./format.ts";
import { readLines } from "./read.ts";

export interface LaneLine {
  readonly time: number;
  readonly session: JournaledSession | undefined;
  readonly level: JournaledLine[0];
  readonly body: string;
  readonly context: JournaledLine[3];
}

export function laneLines(sinceMs: number): LaneLine[] {
  const { lines, sessions } = readLines();
  return lines.flatMap(({ sessionId, lines: kept }) =>
    kept.flatMap(([level, body, time, context]) =>
      time < sinceMs ? [] : [{ time, session: sessions.get(sessionId), level, body, context }],
    ),
  );
}
