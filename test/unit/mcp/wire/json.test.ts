/** What goes out is one line to every reader. */
import { expect, test } from "bun:test";
import { jsonLine } from "../../../../src/mcp/wire/json.ts";

test.each(["\n", "\r", "\u000b", "\u000c", "\u001c", "\u0085", "\u2028", "\u2029"])(
  "%j ends no line",
  (end) => {
    const value = { text: `a${end}b${end}c`, [end]: "\u00e9\u{1f600}" };
    const line = jsonLine(value);
    expect(line.slice(0, -1)).not.toContain(end);
    expect(line.endsWith("\n")).toBe(true);
    expect(JSON.parse(line)).toEqual(value);
  },
);
