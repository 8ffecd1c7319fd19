/** Which lines of the log are shown. */
import { describe, expect, test } from "bun:test";
import type { LogLevel } from "../../../src/protocol/fields/log-lines.ts";
import type { SessionContext } from "../../../src/protocol/fields/contexts.ts";
import { isOfEarlierLog, logCursor, logFilter } from "../../../src/logs/log-filter.ts";

const NOW_MS = new Date("2026-03-05T12:00:00").getTime();
const entry = (time: string | undefined, body = "line") => ({
  level: "Print" as const,
  body,
  timestamp: 0,
  ...(time === undefined ? {} : { time: new Date(time).getTime() }),
});
interface TestedWishes {
  readonly since?: string | number;
  readonly match?: string;
  readonly includeInternal?: boolean;
  readonly levels?: readonly LogLevel[];
}
const shows = ({ since, ...wishes }: TestedWishes, ...line: Parameters<typeof entry>) => {
  const cursor = since === undefined ? undefined : logCursor(since, NOW_MS);
  return logFilter({ includeInternal: false, ...wishes, since: cursor })(entry(...line));
};

describe("since", () => {
  test.each([
    ["5m", "2026-03-05T11:55:00", "2026-03-05T11:54:59"],
    ["1.5h", "2026-03-05T10:30:00", "2026-03-05T10:29:59"],
    ["9:30", "2026-03-05T09:30:00", "2026-03-05T09:29:59"],
    ["12:00:01", "2026-03-04T12:00:01", "2026-03-04T12:00:00"],
    ["2026-03-01", "2026-03-01T00:00:00", "2026-02-28T23:59:59"],
    ["2026-03-01 10:00", "2026-03-01T10:00:00", "2026-03-01T09:59:59"],
    ["2026-03-01T10:00:00Z", "2026-03-01T10:00:00Z", "2026-03-01T09:59:59Z"],
  ])("%p shows a line of %p and leaves out one of %p", (since, first, before) => {
    expect([shows({ since }, first), shows({ since }, before)]).toEqual([true, false]);
  });

  test("shows a line whose time is not known", () => {
    expect(shows({ since: "1s" }, undefined)).toBe(true);
  });

  test.each(["yesterday", "25:00", "2026-13-01", "5", "-5m", ""])("%p is refused", (since) => {
    expect(() => shows({ since }, undefined)).toThrow("since: expected a time such as 30s");
  });
});

describe("match", () => {
  test("is a regular expression over the text of a line", () => {
    const bodies = ["Score: 5", "score: 5", "Score: many"];
    const found = bodies.filter((body) => shows({ match: "^Score: \\d" }, undefined, body));
    expect(found).toEqual(["Score: 5"]);
  });

  test("that is none is refused", () => {
    expect(() => shows({ match: "(" }, undefined)).toThrow('match: "(" is not a regular expression');
  });
});

describe("a cursor", () => {
  const lines = [1, 2, 3].map((seq) => ({
    ...entry(new Date(NOW_MS + seq).toISOString(), `line ${seq}`),
    seq,
  }));
  const after = (since: string | number) => {
    const passes = logFilter({ includeInternal: false, since: logCursor(since, NOW_MS) });
    return lines.filter(passes).map(({ seq }) => seq);
  };

  test("is the number of a line, after which they begin", () => {
    expect([after(1), after("#1"), after(0), after(3)]).toEqual([[2, 3], [2, 3], [1, 2, 3], []]);
  });

  test("is the time of a line, with which they begin", () => {
    expect([after(NOW_MS + 2), after(String(NOW_MS + 2))]).toEqual([
      [2, 3],
      [2, 3],
    ]);
  });

  test("of a log that ended is known by its number", () => {
    const isEarlier = (seq: number) => isOfEarlierLog({ afterSeq: seq }, { lastSeq: 3 });
    expect([isEarlier(3), isEarlier(4)]).toEqual([false, true]);
    expect(isOfEarlierLog({ sinceMs: NOW_MS }, { lastSeq: 3 })).toBe(false);
  });
});

test("the stack of an error has the level of the error, also where lines of others stand between", () => {
  const line = (level: LogLevel, body: string, context?: SessionContext) => ({
    ...entry(undefined, body),
    level,
    ...(context === undefined ? {} : { context }),
  });
  const all = [
    line("Info", "Stack Begin"),
    line("Info", "Stack End"),
    line("Error", "boom", "server"),
    line("Info", "Stack Begin", "server"),
    line("Print", "hello", "client"),
    line("Info", "Script 'X', Line 1", "server"),
    line("Info", "Stack End", "server"),
    line("Info", "told", "server"),
  ];
  const shown = (levels: readonly LogLevel[]) => {
    const passes = logFilter({ includeInternal: false, levels });
    return all.filter(passes).map(({ body }) => body);
  };
  expect(shown(["Error"])).toEqual(["boom", "Stack Begin", "Script 'X', Line 1", "Stack End"]);
  expect(shown(["Info"])).toEqual(["Stack Begin", "Stack End", "told"]);
});

test("internal lines and other levels stay out", () => {
  expect(shows({}, undefined, "[StudioBridge] x")).toBe(false);
  expect(shows({ includeInternal: true }, undefined, "[StudioBridge] x")).toBe(true);
  expect(shows({ levels: ["Error"] }, undefined)).toBe(false);
});
