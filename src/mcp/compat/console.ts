/** What Studio printed, as text: of every context of one Studio, in order, since somebody last ran something. */
import type { SessionCommandContext } from "../../commands/define.ts";
import type { LogEntry, LogLevel } from "../../protocol/actions.ts";
import { contextsAsync } from "./play-test.ts";

const LINES = 1_000;

export class ConsoleReader {
  /** By Studio instance, in epoch milliseconds: what is older was read, or belongs to an earlier run. */
  readonly #clearedAt = new Map<string, number>();

  clear({ session }: SessionCommandContext): void {
    this.#clearedAt.set(session.instanceId, Date.now());
  }

  async readAsync(context: SessionCommandContext): Promise<string> {
    const { bridge, session, signal } = context;
    const clearedAt = this.#clearedAt.get(session.instanceId) ?? 0;
    const sessions = await contextsAsync(context);
    const logs = await Promise.all(
      sessions.map(async ({ sessionId, context: name }) => {
        const { entries } = await bridge
          .session(sessionId)
          .callAsync("queryLogs", { count: LINES }, { signal });
        return entries.map((entry) => ({ ...entry, from: sessions.length === 1 ? "" : `${name}: ` }));
      }),
    );
    return logs
      .flat()
      .filter(({ time = Infinity }) => time >= clearedAt)
      .toSorted((a, b) => timeOf(a) - timeOf(b))
      .slice(-LINES)
      .map(({ from, level, body }) => `${from}${consoleLine(level, body)}`)
      .join("\n");
  }
}

/** An old plugin gives no time of day. */
function timeOf({ time, timestamp }: LogEntry): number {
  return time ?? timestamp;
}

export function consoleLine(level: LogLevel, body: string): string {
  return level === "Warning" || level === "Error" ? `[${level.toUpperCase()}] ${body}` : body;
}
