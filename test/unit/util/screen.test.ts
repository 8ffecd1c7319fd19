/** Which terminals show more than ASCII. */
import { expect, test } from "bun:test";
import { showsUnicode } from "../../../src/util/screen.ts";

test("a terminal shows Unicode unless its name or its locale says otherwise", () => {
  const on = (variables: Readonly<Record<string, string>>) => showsUnicode(variables, "linux");
  expect(on({ TERM: "xterm-256color" })).toBe(true);
  expect(on({ TERM: "xterm-256color", LANG: "de_DE.UTF-8" })).toBe(true);
  expect(on({ TERM: "linux", LANG: "de_DE.UTF-8" })).toBe(false);
  expect(on({ TERM: "xterm", LANG: "C" })).toBe(false);
  // The first of these variables counts.
  expect(on({ TERM: "xterm", LC_ALL: "C", LANG: "de_DE.UTF-8" })).toBe(false);
  expect(on({ TERM: "xterm", LC_ALL: "", LANG: "C.UTF-8" })).toBe(true);
});

test("on Windows only newer consoles do", () => {
  expect(showsUnicode({}, "win32")).toBe(false);
  expect(showsUnicode({ WT_SESSION: "1" }, "win32")).toBe(true);
  expect(showsUnicode({ TERM_PROGRAM: "vscode" }, "win32")).toBe(true);
});
