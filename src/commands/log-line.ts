/** One log entry as people read it: `14:30:02 [Warning] Infinite yield possible …` (spec 2 §5). */
import type { LogEntry } from "../protocol/actions.ts";
import type { Style } from "../util/style.ts";
import { paintLevel } from "./execute-script.ts";

const LEVEL_WIDTH = "[Warning]".length;

export function logLine({ level, body, time, timestamp }: LogEntry, style: Style): string {
  const clock = time === undefined ? `+${(timestamp / 1000).toFixed(3)}s` : clockText(new Date(time));
  const lead = `${clock} ${`[${level}]`.padEnd(LEVEL_WIDTH)} `;
  const lines = style.body(body).split("\n");
  return lines
    .map((line, index) =>
      index === 0
        ? `${style.dim(clock)}${paintLevel(level, lead.slice(clock.length), style)}${paintLevel(level, line, style)}`
        : `${" ".repeat(lead.length)}${paintLevel(level, line, style)}`,
    )
    .join("\n");
}

/** Local time of day, `14:30:02`. */
export function clockText(date: Date): string {
  return [date.getHours(), date.getMinutes(), date.getSeconds()]
    .map((part) => String(part).padStart(2, "0"))
    .join(":");
}
