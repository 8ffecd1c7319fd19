/** The lines of a source on which statements begin are found without running it. */
import { expect, test } from "bun:test";
import { readLinesAsync } from "../../../../src/headless/vm/source-lines.ts";

const linesOfAsync = async (...sources: readonly string[]) =>
  readLinesAsync(sources.map((source) => new TextEncoder().encode(source)));

test("each line on which a statement begins is found, and each function with a statement", async () => {
  const [found] = await linesOfAsync(
    [
      "--!strict",
      "local value = call(", // 2
      "	1,",
      "	2",
      ")",
      "type Alias = number",
      "if value then", // 7
      "	return value", // 8
      "elseif other then", // 9
      "	do", // no statement of its own
      "		print(value)", // 11
      "	end",
      "else",
      "	local function named() return 1 end", // 14
      "	function Table.method() end",
      "end",
    ].join("\n"),
  );
  expect([...(found?.lines ?? [])].sort(([left], [right]) => left - right)).toEqual(
    [2, 7, 8, 9, 11, 14, 15].map((line) => [line, 0]),
  );
  expect(found?.functions).toEqual([{ name: "named", line: 14, hits: 0 }]);
});

test("words behind an instruction are not taken for counters", async () => {
  // The 70th constant has the number of the instruction that counts; each constant is named in a word behind its instruction.
  const fields = Array.from({ length: 100 }, (_, index) => `	table.field${index},`);
  const [found] = await linesOfAsync(["local table = {}", "use(", ...fields, "	nil", ")"].join("\n"));
  expect([...(found?.lines.keys() ?? [])].sort()).toEqual([1, 2]);
});

test("lines far apart keep their numbers", async () => {
  const [found] = await linesOfAsync(`local a = 1${"\n".repeat(70_000)}local b = 2`);
  expect([...(found?.lines.keys() ?? [])].sort((left, right) => left - right)).toEqual([1, 70_001]);
});

test("a source that does not compile has no lines, and harms no other", async () => {
  const [broken, whole] = await linesOfAsync("local = 1", "return 1");
  expect(broken).toBeUndefined();
  expect(whole?.lines).toEqual(new Map([[1, 0]]));
});
