/** Which lines of the log are shown. */
import { describe, expect, test } from "bun:test";
import { logFilter } from "../../../../src/commands/logs/log-filter.ts";

const NOW_MS = new Date("2026-03-05T12:00:00").getTime();
const entry = (time: string | undefined, body = "line") => ({
  level: "Print" as const,
  body,
  timestamp: 0,
  ...(time === undefined ? {} : { time: new Date(time).getTime() }),
});
const shows = (wishes: object, ...line: Parameters<typeof entry>) =>
  logFilter({ includeInternal: false, ...wishes }, NOW_MS)(entry(...line));

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

describe("grep", () => {
  test("is a regular expression over the text of a line", () => {
    const bodies = ["Score: 5", "score: 5", "Score: many"];
    const found = bodies.filter((body) => shows({ grep: "^Score: \\d" }, undefined, body));
    expect(found).toEqual(["Score: 5"]);
  });

  test("that is none is refused", () => {
    expect(() => shows({ grep: "(" }, undefined)).toThrow('grep: "(" is no regular expression');
  });
});

test("internal lines and other levels stay out", () => {
  expect(shows({}, undefined, "[StudioBridge] x")).toBe(false);
  expect(shows({ includeInternal: true }, undefined, "[StudioBridge] x")).toBe(true);
  expect(shows({ levels: ["Error"] }, undefined)).toBe(false);
});
