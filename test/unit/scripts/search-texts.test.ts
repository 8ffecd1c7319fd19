/** A search never holds up its process, and says what is wrong with a pattern. */
import { expect, test } from "bun:test";
import { checkPattern, searchTextsAsync } from "../../../src/scripts/search-texts.ts";

const regex = { isRegex: true, ignoreCase: false, contextLines: 0, limit: 10 };
const { signal } = new AbortController();

test("a regular expression finds what plain text would, with letters of any width", async () => {
  const texts = ["ä = 1\nprint('🎮')", "", "print(2)"];
  expect(await searchTextsAsync(texts, { ...regex, pattern: "print\\('?🎮|2\\)" }, signal)).toEqual({
    hits: [
      { text: 0, line: 2, content: "print('🎮')", before: [], after: [] },
      { text: 2, line: 1, content: "print(2)", before: [], after: [] },
    ],
    total: 2,
    texts: 2,
  });
});

test("a pattern that never ends is ended after two seconds, and the process goes on meanwhile", async () => {
  const texts = [`${"a".repeat(60)}!\n`.repeat(200)];
  let ticks = 0;
  const clock = setInterval(() => (ticks += 1), 20);
  const search = searchTextsAsync(texts, { ...regex, pattern: "^(a+)+$" }, signal);
  expect(search).rejects.toMatchObject({ code: "TIMEOUT" });
  await search.catch(() => undefined);
  clearInterval(clock);
  expect(ticks).toBeGreaterThan(10);
});

test("a search that is given up ends at once", async () => {
  const controller = new AbortController();
  const texts = [`${"a".repeat(60)}!\n`.repeat(200)];
  const search = searchTextsAsync(texts, { ...regex, pattern: "^(a+)+$" }, controller.signal);
  controller.abort(new Error("given up"));
  expect(search).rejects.toThrow("given up");
  await search.catch(() => undefined);
});

test("what is no regular expression is refused, and text is never one", () => {
  expect(() => checkPattern({ ...regex, pattern: "(a" })).toThrow(/^Not a regular expression: \(a: /);
  checkPattern({ ...regex, isRegex: false, pattern: "(a" });
});
