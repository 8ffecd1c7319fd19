/** Lines of Studio's log as people read them. */
import { describe, expect, test } from "bun:test";
import { logLine } from "../../../../src/command-kit/scripts/log-line.ts";
import { createStyle, plainStyle } from "../../../../src/util/style.ts";

const columns = (width: number) =>
  createStyle({ columns: width, color: false, isScreen: true, prettyJson: true });

describe("a log line", () => {
  const time = new Date(2026, 0, 2, 14, 30, 2).getTime();

  test("has the time of day, the level and the body", () => {
    const line = logLine({ level: "Print", body: "Hello", timestamp: 12_340, time }, plainStyle);
    expect(line).toBe("14:30:02 [Print]   Hello");
  });

  test("without a clock counts from the connection, and aligns further lines", () => {
    const line = logLine({ level: "Warning", body: "a\nb", timestamp: 12_340 }, plainStyle);
    expect(line).toBe("+12.340s [Warning] a\n                   b");
  });

  test("shows control characters on a screen and keeps them in a pipe", () => {
    const entry = { level: "Print", body: "\x1b[2Jgone\r", timestamp: 0, time } as const;
    expect(logLine(entry, columns(80))).toEndWith("\\x1b[2Jgone\\r");
    expect(logLine(entry, plainStyle)).toEndWith("\x1b[2Jgone\r");
  });
});
