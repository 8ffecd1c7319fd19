/** Small helpers for text that people read. */
import { describe, expect, test } from "bun:test";
import { durationText } from "../../../src/util/duration-text.ts";
import { editDistance, nearest } from "../../../src/util/nearest.ts";
import { textTable } from "../../../src/util/text-table.ts";
import { fit, pad, wrap, wrapLong } from "../../../src/util/text-width.ts";
import { visibleControls, visibleOnOneLine } from "../../../src/util/visible-controls.ts";

test.each([
  [0, "0s"],
  [59_999, "59s"],
  [150_000, "2m 30s"],
  [3_600_000, "1h 0m"],
  [90_000_000, "1d 1h"],
])("%d ms is %s", (milliseconds, text) => {
  expect(durationText(milliseconds)).toBe(text);
});

describe("the nearest word", () => {
  test.each([
    ["exce", "exec"],
    ["stat", "state"],
    ["querry", "query"],
    ["se", "sessions"],
    ["frobnicate", undefined],
    ["toString", undefined],
  ])("to %s is %p", (word, expected) => {
    expect(nearest(word, ["exec", "state", "query", "sessions"])).toBe(expected);
  });

  test("counts a swap of neighbours as one edit", () => {
    expect([
      editDistance("exce", "exec"),
      editDistance("", "abc"),
      editDistance("kitten", "sitting"),
    ]).toEqual([1, 3, 3]);
  });
});

test("control characters become visible; line breaks only in names", () => {
  expect(visibleControls("\x1b[31mred\x07\n\u202eabc\x9b")).toBe("\\x1b[31mred\\x07\n\\u{202e}abc\\x9b");
  expect(visibleOnOneLine("a\nb\tc\r\u2028")).toBe("a\\nb\\tc\\r\\u{2028}");
});

test("widths count cells, not characters", () => {
  expect(fit("日本語の場所", 7)).toBe("日本語…");
  expect(fit("plain", 5)).toBe("plain");
  expect(pad("日本", 6)).toBe("日本  ");
  expect(wrap("one two three", 7)).toEqual(["one two", "three"]);
});

test("only the lines that are too long break at spaces, and colours take no room", () => {
  expect(wrapLong("  as it is\none two three", 10)).toBe("  as it is\none two\nthree");
  expect(wrapLong("\u001b[31mone two\u001b[39m", 7)).toBe("\u001b[31mone two\u001b[39m");
  expect(wrapLong("one two three", Number.POSITIVE_INFINITY)).toBe("one two three");
});

test("a table drops what may go before it cuts what must stay", () => {
  const rows = [{ name: "A place with a name", id: "12345678-1234" }];
  const columns = [
    {
      title: "ID",
      value: ({ id }: { id: string }) => id,
      shortValue: ({ id }: { id: string }) => id.slice(0, 4),
    },
    { title: "NAME", value: ({ name }: { name: string }) => name, minWidth: 6 },
    { title: "EXTRA", value: () => "extra", dropRank: 1 },
  ];
  expect(textTable(columns, rows, 80)[1]).toBe("12345678-1234  A place with a name  extra");
  expect(textTable(columns, rows, 34)[1]).toBe("1234  A place with a name  extra");
  expect(textTable(columns, rows, 20)[1]).toBe("1234  A plac…  extra");
  expect(textTable(columns, rows, 15)[1]).toBe("1234  A place…");
});
