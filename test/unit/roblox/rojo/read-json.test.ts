/** Numbers in the JSON of projects: all digits of whole ones count, and files without such are read the fast way. */
import { expect, test } from "bun:test";
import { parseJsonAsync } from "../../../../src/roblox/rojo/read-json.ts";

test("whole numbers that a double cannot hold keep all of their digits", async () => {
  const source = '{ "id": 9007199254740993, "low": -9007199254740993, "list": [1, 12345678901234567890] }';
  expect(await parseJsonAsync(source)).toEqual({
    id: 9007199254740993n,
    low: -9007199254740993n,
    list: [1, 12345678901234567890n],
  });
});

test("beside a long whole number, fractions and digits in texts stay what they are", async () => {
  const source = '{ "third": 0.3333333333333333, "id": 9007199254740993, "text": "9007199254740993" }';
  expect(await parseJsonAsync(source)).toEqual({
    third: 0.3333333333333333,
    id: 9007199254740993n,
    text: "9007199254740993",
  });
});

test.each([
  ["0.3333333333333333", 1 / 3],
  ["12345678901234567.5", 12345678901234567.5],
  ["1234567890123456789e2", 1234567890123456789e2],
  ["9007199254740991", 9007199254740991],
])("%s is a number", async (source, number) => {
  expect(await parseJsonAsync(source)).toBe(number);
});
