import { describe, expect, test } from "bun:test";
import { replaceIn } from "../../../src/scripts/apply-edits.ts";
import { replaceLines } from "../../../src/scripts/replace-lines.ts";
import type { ReplaceSearch } from "../../../src/scripts/replace-lines.ts";

const literal: ReplaceSearch = { pattern: "", with: "", isRegex: false, ignoreCase: false, isWord: false };

function replacedIn(text: string, search: Partial<ReplaceSearch>) {
  const { texts, total } = replaceLines([text], { ...literal, ...search });
  return { text: replaceIn(text, texts[0]?.replacements ?? []), total };
}

describe("a text", () => {
  test("means itself, and its replacement too", () => {
    const found = replacedIn("a.b(a.b)\naxb\n", { pattern: "a.b", with: "$&$1" });
    expect(found).toEqual({ text: "$&$1($&$1)\naxb\n", total: 2 });
  });

  test("as a word has no letter, digit or underscore beside it", () => {
    const found = replacedIn("wait waits _wait wait2\nx.wait()", {
      pattern: "wait",
      with: "hold",
      isWord: true,
    });
    expect(found).toEqual({ text: "hold waits _wait wait2\nx.hold()", total: 2 });
  });

  test("is found in any case where case is ignored", () => {
    expect(replacedIn("Ab aB", { pattern: "AB", with: "c", ignoreCase: true })).toEqual({
      text: "c c",
      total: 2,
    });
  });
});

describe("a regular expression", () => {
  test("is tried on each line by itself, and its groups are in the replacement", () => {
    const search = { pattern: "^wait\\((\\d*)\\)$", with: "task.wait($1)", isRegex: true };
    expect(replacedIn("wait(1)\nwait()\n wait(2)", search)).toEqual({
      text: "task.wait(1)\ntask.wait()\n wait(2)",
      total: 2,
    });
  });

  test("matches no line break, and nothing behind the last one", () => {
    expect(replacedIn("a\n\nb\n", { pattern: "\\s*$", with: ";", isRegex: true }).text).toBe("a;\n;\nb;\n");
  });

  test("looks around within its line", () => {
    const search = { pattern: "(?<=local )(?<name>\\w+)(?= =)", with: "my$<name>", isRegex: true };
    expect(replacedIn("local a = 1\nlocal b", search)).toEqual({ text: "local mya = 1\nlocal b", total: 1 });
  });
});

test("texts without a match are not listed", () => {
  const { texts } = replaceLines(["x", "y", "x"], { ...literal, pattern: "x", with: "z" });
  expect(texts.map(({ text }) => text)).toEqual([0, 2]);
});
