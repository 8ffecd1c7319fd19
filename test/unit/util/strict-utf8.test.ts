import { expect, test } from "bun:test";
import { decodeStrictly } from "../../../src/util/strict-utf8.ts";

const bytes = (text: string, ...more: readonly number[]): Uint8Array =>
  Uint8Array.from([...new TextEncoder().encode(text), ...more]);

test("text is given as it is, without a byte order mark unless that is kept", () => {
  expect(decodeStrictly(bytes("é\n"))).toBe("é\n");
  expect(decodeStrictly(bytes("\ufeffa"))).toBe("a");
  expect(decodeStrictly(bytes("\ufeffa"), { keepsMark: true })).toBe("\ufeffa");
});

test.each([
  ["a byte that begins nothing", bytes("ab\ncd", 0xff, 0x65), { line: 2, column: 3 }],
  ["a character that is cut by the end", bytes("é\n", 0xe2, 0x82), { line: 2, column: 1 }],
  ["a character that is cut by another", bytes("", 0xe2, 0x82, 0x41), { line: 1, column: 1 }],
  ["half of a surrogate pair", bytes("x", 0xed, 0xa0, 0x80), { line: 1, column: 2 }],
])("%s is found", (_, given, place) => {
  expect(decodeStrictly(given)).toEqual(place);
});
