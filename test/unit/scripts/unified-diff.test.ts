import { expect, test } from "bun:test";
import { diffText, unifiedDiff } from "../../../src/scripts/unified-diff.ts";
import { createStyle, plainStyle } from "../../../src/util/style.ts";

test("a difference has the lines around it, and says where the last line break is missing", () => {
  expect(unifiedDiff("A", "1\n2\n3\n4\n5\n", "1\n2\n3\n4\nfive")).toBe(
    "--- A\n+++ A\n@@ -2,4 +2,4 @@\n 2\n 3\n 4\n-5\n+five\n\\ No newline at end of file\n",
  );
  expect(unifiedDiff("A", "", "1\n")).toBe("--- A\n+++ A\n@@ -0,0 +1,1 @@\n+1\n");
  expect(unifiedDiff("A", "1", "1")).toBe("");
});

test("two long texts without anything in common are shown whole, soon", () => {
  const text = (word: string) => Array.from({ length: 20_000 }, (_, index) => `${word}${index}\n`).join("");
  const startedAt = performance.now();
  const lines = unifiedDiff("A", text("a"), text("b")).split("\n");
  expect(performance.now() - startedAt).toBeLessThan(5_000);
  expect(lines.slice(0, 4)).toEqual(["--- A", "+++ A", "@@ -1,20000 +1,20000 @@", "-a0"]);
  expect(lines).toHaveLength(40_004);
});

test("people see removed lines red and added ones green, and control characters as signs", () => {
  const diff = unifiedDiff("A", "-- 1\n", "\x1b2\n");
  expect(diffText(diff, plainStyle)).toBe(diff.trimEnd());
  const style = createStyle({ columns: 80, color: true, isScreen: true, prettyJson: true });
  expect(diffText(diff, style)).toContain("\x1b[31m--- 1\x1b[39m\n\x1b[32m+\\x1b2\x1b[39m");
});
