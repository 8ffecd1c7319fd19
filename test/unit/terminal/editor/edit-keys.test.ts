import { describe, expect, test } from "bun:test";
import { emptyEdit, pressEditKey } from "../../../../src/terminal/editor/edit-keys.ts";
import type { EditState } from "../../../../src/terminal/editor/edit-keys.ts";
import type { Key } from "../../../../src/terminal/editor/key.ts";
import { barred, key, typed, withBar } from "./pressed-keys.ts";

const pressed = (keys: readonly Key[], state: EditState) =>
  keys.reduce((edited, each) => pressEditKey(edited, each) ?? edited, state);
/** What becomes of a text with a bar at its cursor. */
const after = (shown: string, ...chords: string[]) =>
  withBar(pressed(chords.map(key), { ...emptyEdit, ...barred(shown) }));

describe("a key", () => {
  test.each([
    ["ab|c", "left", "a|bc"],
    ["a|bc", "right", "ab|c"],
    ["|abc", "left", "|abc"],
    ["abc|", "right", "abc|"],
    ["one\n|two", "left", "one|\ntwo"],
    ["one|\ntwo", "right", "one\n|two"],
    ["local x = workspace.Par|t", "ctrl+left", "local x = workspace.|Part"],
    ["local x = |workspace.Part", "meta+f", "local x = workspace|.Part"],
    ["größe = 1|", "meta+b", "größe = |1"],
    ["one\ntw|o", "home", "one\n|two"],
    ["on|e\ntwo", "end", "one|\ntwo"],
    ["one\ntw|o", "ctrl+home", "|one\ntwo"],
    ["on|e\ntwo", "ctrl+end", "one\ntwo|"],
    ["one\n|two", "backspace", "one|two"],
    ["on|e", "delete", "on|"],
    ["one\ntw|o", "ctrl+u", "one\n|o"],
    ["o|ne\ntwo", "ctrl+k", "o|\ntwo"],
    ["print workspace|", "ctrl+w", "print |"],
    ["|print workspace", "meta+d", "| workspace"],
    ["ab|c", "ctrl+t", "acb|"],
    ["abc|", "ctrl+t", "acb|"],
    ["a|", "ctrl+t", "a|"],
    ["one|", "meta+return", "one\n|"],
  ])("makes %j with %s to %j", (before, chord, expected) => {
    expect(after(before, chord)).toBe(expected);
  });

  test("moves over and removes a character of several code points as one", () => {
    const family = "👨‍👩‍👧";
    expect(after(`a${family}|b`, "left")).toBe(`a|${family}b`);
    expect(after(`a|${family}b`, "right")).toBe(`a${family}|b`);
    expect(after(`é${family}|`, "backspace", "backspace")).toBe("|");
  });

  test("that types is inserted, and one that edits nothing is left to others", () => {
    expect(withBar(pressed(typed("é🎮"), { ...emptyEdit, ...barred("a|b") }))).toBe("aé🎮|b");
    expect(pressEditKey(emptyEdit, key("f5"))).toBeUndefined();
    expect(pressEditKey(emptyEdit, { typed: "\x1b", name: "escape", meta: true })).toBeUndefined();
  });
});

describe("what was removed", () => {
  test("comes back with Ctrl+Y, as one piece where it was removed without a break", () => {
    expect(after("one two three|", "ctrl+w", "ctrl+w", "home", "ctrl+y")).toBe("two three|one ");
    expect(after("|one two", "meta+d", "meta+d", "ctrl+y")).toBe("one two|");
  });

  test("earlier comes in its place with Alt+Y", () => {
    const apart = ["ctrl+w", "left", "ctrl+w"];
    expect(after("one two|", ...apart, "ctrl+y")).toBe("one| ");
    expect(after("one two|", ...apart, "ctrl+y", "meta+y")).toBe("two| ");
    expect(after("one two|", ...apart, "ctrl+y", "meta+y", "meta+y")).toBe("one| ");
  });

  test("a key for a single character does not keep", () => {
    expect(after("one|", "backspace", "ctrl+y")).toBe("on|");
  });
});

test("Ctrl+_ takes back one change after the other", () => {
  expect(after("one two|", "ctrl+w", "ctrl+w", "ctrl+_")).toBe("one |");
  expect(after("one two|", "ctrl+w", "ctrl+w", "ctrl+_", "ctrl+_", "ctrl+_")).toBe("one two|");
});
