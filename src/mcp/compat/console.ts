/** The output of one Studio since a tool last ran code, as text, in order and from all its contexts. */
import type { SessionCommandContext } from "../../command-kit/context.ts";
import type { LogEntry, LogLevel } from "../../protocol/fields/log-lines.ts";
import type { SessionInfo } from "../../protocol/network.ts";
import { contextsAsync } from "../../play/play-test.ts";

const LINES = 1_000;

export class ConsoleReader {
  /** By Studio instance, in epoch milliseconds: lines older than this were read, or belong to an earlier run. */
  readonly #clearedAt = new Map<string, number>();

  clear({ session }: SessionCommandContext): void {
    this.#clearedAt.set(session.instanceId, Date.now());
  }

  async readAsync(context: SessionCommandContext): Promise<string> {
    const clearedAt = this.#clearedAt.get(context.session.instanceId) ?? 0;
    const sessions = await contextsAsync(context);
    const logs = await Promise.all(sessions.map((session) => linesAsync(session, sessions, context)));
    const told = logs
      .flat()
      .filter(({ time = Infinity }) => time >= clearedAt)
      .toSorted((a, b) => timeOf(a) - timeOf(b))
      .slice(-LINES)
      .map(({ from, level, body }) => `${from}${consoleLine(level, body)}`);
    return told.length === 0 ? "(nothing was printed since)" : told.join("\n");
  }
}

interface Line extends LogEntry {
  /** Which context it is from, where there are several. */
  readonly from: string;
}

/** The edit context keeps the lines of a play test beyond its end; the contexts that are still there tell their own. */
async function linesAsync(
  { sessionId, context: own }: SessionInfo,
  sessions: readonly SessionInfo[],
  { bridge, signal }: SessionCommandContext,
): Promise<Line[]> {
  const { entries } = await bridge.session(sessionId).callAsync("queryLogs", { count: LINES }, { signal });
  return entries
    .filter(({ context }) => sessions.every((session) => session.context !== context))
    .map((entry) => {
      const { context = sessions.length > 1 ? own : undefined } = entry;
      return { ...entry, from: context === undefined ? "" : `${context}: ` };
    });
}

/** An old plugin gives no time of day. */
function timeOf({ time, timestamp }: LogEntry): number {
  return time ?? timestamp;
}

const isMarked = (level: LogLevel): boolean => level === "Warning" || level === "Error";

const consoleLine = (level: LogLevel, body: string): string =>
  isMarked(level) ? markedLine(level, body) : body;

/** Each line of run_code says what it is. */
export const markedLine = (level: LogLevel, body: string): string =>
  `[${isMarked(level) ? level.toUpperCase() : "OUTPUT"}] ${body}`;
