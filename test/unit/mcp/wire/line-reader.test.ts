/** Bytes into lines: what counts as a line, what is dropped, what is named a fault. */
import { describe, expect, test } from "bun:test";
import { LineReader } from "../../../../src/mcp/wire/line-reader.ts";
import type { Line } from "../../../../src/mcp/wire/line-reader.ts";

function linesOf(pieces: readonly (string | number[])[], limitBytes?: number): Line[] {
  const reader = new LineReader(limitBytes);
  const lines = pieces.flatMap((piece) => [
    ...reader.push(typeof piece === "string" ? Buffer.from(piece) : Uint8Array.from(piece)),
  ]);
  return [...lines, ...reader.end()];
}

const texts = (lines: readonly Line[]) => lines.map((line) => (line.kind === "text" ? line.text : line.kind));

describe("a line", () => {
  test("may come in pieces, and several in one", () => {
    expect(texts(linesOf(["on", "e\ntwo\nthr", "ee\n"]))).toEqual(["one", "two", "three"]);
  });

  test("may lack its newline at the very end", () => {
    expect(texts(linesOf(["one\ntwo"]))).toEqual(["one", "two"]);
  });

  test("loses its carriage return and a byte order mark, and blank ones are skipped", () => {
    expect(texts(linesOf(["\ufeffone\r\n", "\r\n", " \t\n", "\n", "two\r\n"]))).toEqual(["one", "two"]);
  });

  test("may be cut within a character", () => {
    expect(texts(linesOf([[0xc3], [0xa4, 0x0a]]))).toEqual(["ä"]);
  });

  test("that is not UTF-8 is named, and the next is read", () => {
    expect(texts(linesOf([[0xff, 0x0a], "ok\n"]))).toEqual(["not-utf-8", "ok"]);
  });

  test.each([
    ["in one piece", ["123456\nok\n"]],
    ["in many", ["1234", "56", "789\nok\n"]],
    ["with its newline far behind", ["123456", "7".repeat(100), "8\n", "ok\n"]],
  ])("that is too long is named once, %s, and the next is read", (_how, pieces) => {
    expect(texts(linesOf(pieces, 5))).toEqual(["too-long", "ok"]);
  });

  test("of exactly the limit is not too long", () => {
    expect(texts(linesOf(["12345\n"], 5))).toEqual(["12345"]);
  });
});
