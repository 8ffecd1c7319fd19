import { expect, test } from "bun:test";
import { LostLocals } from "../../../src/terminal/lost-locals.ts";

const notes = (...lines: readonly string[]) => {
  const locals = new LostLocals();
  return lines.map((line) => locals.note(line)?.split(" ", 1)[0]);
};

test("a local of an earlier line is named once, where a later line uses it", () => {
  expect(notes("local x = 5", "print(x)", "print(x)")).toEqual([undefined, "x", undefined]);
  expect(notes("local a, b = 1, 2", "return a + b", "b")).toEqual([undefined, "a", undefined]);
  expect(notes("local function f() end", "f()")).toEqual([undefined, "f"]);
});

test("nothing is said where the line has a variable of its own, or does not mean the local", () => {
  expect(notes("local x = 5", "x = 6", "print(x)")).toEqual([undefined, undefined, undefined]);
  expect(notes("local x = 5", "local x = 1 print(x)")).toEqual([undefined, undefined]);
  expect(notes("local x = 5", "print('x', part.x, part:x()) -- x")).toEqual([undefined, undefined]);
  expect(notes("  local x = 5", "print(x)")).toEqual([undefined, undefined]);
  expect(notes("for i = 1, 2 do\n  local x = i\nend", "print(x)")).toEqual([undefined, undefined]);
});
