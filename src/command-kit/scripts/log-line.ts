/** Log entries as people read them: `14:30:02 [Warning] Infinite yield possible …`. */
import type { LogEntry, LogLevel } from "../../protocol/fields/log-lines.ts";
import { visibleOnOneLine } from "../../util/visible-controls.ts";
import type { Style } from "../../util/style.ts";
import type { Emission } from "../../output/emission.ts";
import type { ScriptFiles } from "./script-files.ts";

const LEVEL_WIDTH = "[Warning]".length;

/** `file` is the file and line that the entry is about. */
export function logLine(entry: LogEntry & { readonly file?: string | undefined }, style: Style): string {
  const { level, body, time, timestamp, file } = entry;
  const clock = time === undefined ? `+${(timestamp / 1000).toFixed(3)}s` : clockText(new Date(time));
  const origin = entry.context === undefined ? "" : `${originMark(entry)} `;
  const lead = `${clock} ${`[${level}]`.padEnd(LEVEL_WIDTH)} ${origin}`;
  const note = file === undefined ? "" : ` ${style.dim(`(${visibleOnOneLine(file)})`)}`;
  const lines = style.body(body).split("\n");
  const shown = lines
    .map((line, index) =>
      index === 0
        ? `${style.dim(clock)}${paintLevel(level, lead.slice(clock.length), style)}${paintLevel(level, line, style)}`
        : `${" ".repeat(lead.length)}${paintLevel(level, line, style)}`,
    )
    .join("\n");
  return shown + note;
}

/** A line beside a script's own output: `[client 1] Infinite yield possible …`. */
export function markedLine(entry: Omit<LogEntry, "timestamp">, files?: ScriptFiles): Emission {
  const textOf = (style: Style) => {
    const mark = style.dim(originMark(entry));
    const lines = style.body(entry.body).split("\n");
    const painted = lines.map((line) => paintLevel(entry.level, line, style)).join("\n");
    const whole = painted + (files?.noteFor(entry.level, entry.body, style) ?? "");
    return whole
      .split("\n")
      .map((line) => `${mark} ${line}`)
      .join("\n");
  };
  return { stream: "stderr", text: textOf };
}

/** `[server]`, `[client 2]`. */
function originMark({ context = "edit", player }: Pick<LogEntry, "context" | "player">): string {
  return player === undefined ? `[${context}]` : `[${context} ${player.index}]`;
}

export function droppedNote(dropped: number): Emission {
  const lines = dropped === 1 ? "1 line was" : `${dropped} lines were`;
  return {
    stream: "stderr",
    text: (style) => style.dim(`(${lines} missed)`),
    json: { dropped },
  };
}

export function paintLevel(level: LogLevel, text: string, style: Style): string {
  if (level === "Warning") return style.yellow(text);
  return level === "Error" ? style.red(text) : text;
}

/** Local time of day, `14:30:02`. */
export function clockText(date: Date): string {
  return [date.getHours(), date.getMinutes(), date.getSeconds()]
    .map((part) => String(part).padStart(2, "0"))
    .join(":");
}
