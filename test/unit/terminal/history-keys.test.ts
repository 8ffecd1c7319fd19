import { beforeEach, describe, expect, test } from "bun:test";
import { HistoryKeys } from "../../../src/terminal/history-keys.ts";

const BLOCK = "for i = 1, 2 do\n  print(i)\nend";
const entries = ["print('new')", BLOCK, "x = 5", "print('old')"];

/** What is edited: its prompt, and its text with a bar at the cursor. */
class Line {
  text = "";
  cursor = 0;
  prompt = "> ";
  setPrompt(prompt = "> "): void {
    this.prompt = prompt;
  }
  show(text: string, cursor = text.length): void {
    [this.text, this.cursor] = [text, cursor];
  }
  toString(): string {
    return `${this.prompt}${this.text.slice(0, this.cursor)}|${this.text.slice(this.cursor)}`;
  }
}

let line: Line;
let keys: HistoryKeys;
beforeEach(() => {
  line = new Line();
  keys = new HistoryKeys(line, { entries });
});

const press = (...names: string[]) => names.map((name) => keys.press(undefined, { name }));
const ctrl = (name: string) => keys.press(undefined, { name, ctrl: true });
const type = (text: string) => Array.from(text, (typed) => keys.press(typed, { name: typed }));

describe("arrows", () => {
  test("lead to older texts and back to what was typed", () => {
    line.show("draft", 0);
    press("up");
    expect(String(line)).toBe("> print('new')|");
    press("up");
    expect(line.text).toBe(BLOCK);
    // Through the lines of the text first.
    press("up", "up", "up");
    expect(line.text).toBe("x = 5");
    press("up", "up", "up");
    expect(line.text).toBe("print('old')");
    press("down", "down", "down", "down", "down");
    expect(line.text).toBe("draft");
  });

  test("lead only to texts that begin with what stands before the cursor", () => {
    line.show("print");
    press("up", "up");
    expect(line.text).toBe("print('old')");
    press("up");
    expect(line.text).toBe("print('old')");
    press("down", "down");
    expect(String(line)).toBe("> print|");
  });

  test("keep their column in a text of several lines, as far as there is one", () => {
    line.show(BLOCK, BLOCK.indexOf("t(i)"));
    press("down");
    expect(String(line)).toBe(`> ${BLOCK}|`);
    press("up", "up");
    expect(line.cursor).toBe(3);
  });

  test("with Ctrl+P and Ctrl+N pass over whole texts", () => {
    ctrl("p");
    ctrl("p");
    ctrl("p");
    expect(line.text).toBe("x = 5");
    ctrl("n");
    expect(line.text).toBe(BLOCK);
  });
});

describe("Ctrl+R", () => {
  test("finds the newest text with what is typed, in whichever of its lines", () => {
    ctrl("r");
    expect(String(line)).toBe("(search '') |");
    type("pri");
    expect(String(line)).toBe("(search 'pri') |print('new')");
    ctrl("r");
    expect(String(line)).toBe("(search 'pri') for i = 1, 2 do\n  |print(i)\nend");
    ctrl("r");
    expect(line.text).toBe("print('old')");
    ctrl("s");
    expect(line.text).toBe(BLOCK);
  });

  test("ends at any key that means something else, which is left to the editor", () => {
    ctrl("r");
    type("x");
    expect(press("return")).toEqual([false]);
    expect(String(line)).toBe("> |x = 5");
    expect(type("y")).toEqual([false]);
  });

  test("gives back what was being typed", () => {
    for (const cancel of [() => press("escape"), () => [ctrl("c")], () => [ctrl("g")]]) {
      line.show("draft", 2);
      ctrl("r");
      type("x");
      expect(cancel()).toEqual([true]);
      expect(String(line)).toBe("> dr|aft");
    }
  });

  test("says where nothing is found, and goes on from a shorter word", () => {
    ctrl("r");
    type("print(i)z");
    expect(String(line)).toBe("(no match for 'print(i)z') for i = 1, 2 do\n  print(i)\nend|");
    press("backspace");
    expect(String(line)).toBe("(search 'print(i)') for i = 1, 2 do\n  |print(i)\nend");
  });
});
