/** The keys of a watch: each in the help has a meaning, and the help fits a narrow terminal. */
import { expect, test } from "bun:test";
import { keysHelp, meaningOf } from "../../../../../src/testing/project/watch/watch-keys.ts";

test("each key that the help shows has a meaning of its own, and other keys have none", () => {
  const lines = keysHelp().split("\n").slice(0, -1);
  const keys = lines.map((line) => line.trim().split(/\s+/)[0]?.toLowerCase() ?? "");
  const meanings = keys.map(meaningOf);
  expect(meanings).not.toContain(undefined);
  expect(new Set(meanings).size).toBe(11);
  expect(meaningOf("r")).toBe("again");
  expect(meaningOf("x")).toBeUndefined();
});

test("the help fits 60 columns", () => {
  for (const line of keysHelp().split("\n")) expect(line.length).toBeLessThanOrEqual(60);
});
