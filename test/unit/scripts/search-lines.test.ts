/** Searching texts line by line, tried against a search that splits every text into its lines. */
import { expect, test } from "bun:test";
import { searchLines } from "../../../src/scripts/search-lines.ts";
import type { Search } from "../../../src/scripts/search-lines.ts";

const plain: Search = { pattern: "", isRegex: false, ignoreCase: false, contextLines: 0, limit: 100 };
const shown = (texts: readonly string[], search: Partial<Search>) =>
  searchLines(texts, { ...plain, ...search }).hits.map(({ text, line, content }) => [text, line, content]);

test("a line counts once, however often the text is on it, and lines count from 1", () => {
  const texts = ["a\nwait() wait()\n\nwait()", "none", "wait()\n"];
  expect(shown(texts, { pattern: "wait(" })).toEqual([
    [0, 2, "wait() wait()"],
    [0, 4, "wait()"],
    [2, 1, "wait()"],
  ]);
  expect(searchLines(texts, { ...plain, pattern: "wait(", limit: 1 })).toMatchObject({ total: 3, texts: 2 });
});

test("text is found as it stands, in any letter case where that is asked for", () => {
  const texts = ["x = a.b(c)", "x = A.B(C)", "x = aXb(c)"];
  expect(shown(texts, { pattern: "a.b(" })).toEqual([[0, 1, "x = a.b(c)"]]);
  expect(shown(texts, { pattern: "a.b(", ignoreCase: true })).toEqual([
    [0, 1, "x = a.b(c)"],
    [1, 1, "x = A.B(C)"],
  ]);
});

test("a regular expression is tried on each line by itself, without the line break", () => {
  const texts = ["print(1)\r\n\r\nprint(2)", "\nlast"];
  expect(shown(texts, { pattern: "^print\\(\\d\\)$", isRegex: true })).toEqual([
    [0, 1, "print(1)"],
    [0, 3, "print(2)"],
  ]);
  expect(shown(texts, { pattern: "^$", isRegex: true })).toEqual([
    [0, 2, ""],
    [1, 1, ""],
  ]);
  expect(shown(texts, { pattern: "LAST", isRegex: true, ignoreCase: true })).toEqual([[1, 2, "last"]]);
});

test("lines around a hit are given as far as there are any", () => {
  const [hit] = searchLines(["\none\ntwo\nthree\r\nfour"], {
    ...plain,
    pattern: "two",
    contextLines: 2,
  }).hits;
  expect(hit).toMatchObject({ line: 3, before: ["", "one"], after: ["three", "four"] });
});

test("a very long line is shown around its hit", () => {
  const [hit] = searchLines([`${"x".repeat(5_000)}needle${"y".repeat(5_000)}`], {
    ...plain,
    pattern: "needle",
  }).hits;
  expect(hit?.content).toHaveLength(402);
  expect(hit?.content).toMatch(/^…x+needley+…$/);
});

test("random texts give what splitting them into lines gives", () => {
  let seed = 7;
  const random = (below: number) => (seed = (seed * 48_271) % 2_147_483_647) % below;
  for (let round = 0; round < 500; round += 1) {
    const text = Array.from({ length: random(30) }, () => ["a", "b", "\n", "A"][random(4)]).join("");
    const lines = text.split("\n");
    if (lines.at(-1) === "") lines.pop();
    for (const search of [
      { pattern: "ab", matches: (line: string) => line.includes("ab") },
      { pattern: "ab", ignoreCase: true, matches: (line: string) => /ab/i.test(line) },
      { pattern: "^a*$", isRegex: true, matches: (line: string) => /^a*$/.test(line) },
    ]) {
      const expected = lines.flatMap((line, index) => (search.matches(line) ? [[0, index + 1, line]] : []));
      expect({ text, found: shown([text], search) }).toEqual({ text, found: expected });
    }
  }
});
