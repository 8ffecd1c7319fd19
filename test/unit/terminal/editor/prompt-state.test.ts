import { describe, expect, test } from "bun:test";
import { emptyPrompt, press, promptOf, withText } from "../../../../src/terminal/editor/prompt-state.ts";
import type { Action, PromptState } from "../../../../src/terminal/editor/prompt-state.ts";
import type { Key } from "../../../../src/terminal/editor/key.ts";
import { barred, key, typed, withBar } from "./pressed-keys.ts";

const BLOCK = "for i = 1, 2 do\n  print(i)\nend";
const history = ["print('new')", BLOCK, "x = 5", "print('old')"];

/** A prompt under test: its keys, its look, and what its last key asked for. */
class Prompt {
  #state: PromptState = emptyPrompt;
  action: Action | undefined;

  static with(shown: string): Prompt {
    const prompt = new Prompt();
    prompt.#state = withText(emptyPrompt, barred(shown));
    return prompt;
  }

  get text(): string {
    return this.#state.edit.text;
  }

  press(...keys: readonly (Key | string)[]): this {
    for (const each of keys) {
      const { state, action } = press(this.#state, typeof each === "string" ? key(each) : each, history);
      this.#state = state;
      this.action = action;
    }
    return this;
  }

  toString(): string {
    return promptOf(this.#state, "") + withBar(this.#state.edit);
  }
}

describe("a key asks for", () => {
  test.each([
    ["x = 1|", "return", "submit"],
    ["x = 1|", "enter", "submit"],
    ["work|", "tab", "complete"],
    ["work|", "ctrl+c", "cancel"],
    ["|", "ctrl+d", "end"],
    ["work|", "ctrl+l", "clear"],
    ["work|", "ctrl+z", "suspend"],
  ] as const)("with %j and %s: %s, and leaves the text", (shown, chord, action) => {
    const prompt = Prompt.with(shown).press(chord);
    expect([prompt.action, String(prompt)]).toEqual([action, `> ${shown}`]);
  });

  test("nothing but a change of the text where there is one to change", () => {
    const prompt = Prompt.with("|work").press("ctrl+d");
    expect([prompt.action, String(prompt)]).toEqual([undefined, "> |ork"]);
    const indented = Prompt.with("do\n|").press("tab");
    expect([indented.action, String(indented)]).toEqual([undefined, "> do\n  |"]);
  });
});

describe("arrows", () => {
  test("lead to older texts and back to what was typed", () => {
    const prompt = Prompt.with("|draft").press("up");
    expect(String(prompt)).toBe("> print('new')|");
    expect(prompt.press("up").text).toBe(BLOCK);
    // Through the lines of the text first.
    expect(prompt.press("up", "up", "up").text).toBe("x = 5");
    expect(prompt.press("up", "up", "up").text).toBe("print('old')");
    expect(prompt.press("down", "down", "down", "down", "down").text).toBe("draft");
  });

  test("lead only to texts that begin with what stands before the cursor", () => {
    const prompt = Prompt.with("print|").press("up", "up");
    expect(prompt.text).toBe("print('old')");
    expect(prompt.press("up").text).toBe("print('old')");
    expect(String(prompt.press("down", "down"))).toBe("> print|");
  });

  test("keep their column in a text of several lines, as far as there is one", () => {
    const prompt = Prompt.with("for i = 1, 2 do\n  prin|t(i)\nend").press("down");
    expect(String(prompt)).toBe(`> ${BLOCK}|`);
    expect(String(prompt.press("up", "up"))).toBe("> for| i = 1, 2 do\n  print(i)\nend");
  });

  test("with Ctrl+P and Ctrl+N pass over whole texts", () => {
    const prompt = new Prompt().press("ctrl+p", "ctrl+p", "ctrl+p");
    expect(prompt.text).toBe("x = 5");
    expect(prompt.press("ctrl+n").text).toBe(BLOCK);
  });

  test("begin anew after any other key", () => {
    const prompt = new Prompt().press("up", "up", "up", "up", "up", "ctrl+u");
    expect(prompt.press("up").text).toBe("print('new')");
  });
});

describe("Ctrl+R", () => {
  test("finds the newest text with what is typed, in whichever of its lines", () => {
    const prompt = new Prompt().press("ctrl+r");
    expect(String(prompt)).toBe("(search '') |");
    expect(String(prompt.press(...typed("pri")))).toBe("(search 'pri') |print('new')");
    expect(String(prompt.press("ctrl+r"))).toBe("(search 'pri') for i = 1, 2 do\n  |print(i)\nend");
    expect(prompt.press("ctrl+r").text).toBe("print('old')");
    expect(prompt.press("ctrl+s").text).toBe(BLOCK);
  });

  test("ends at any key that means something else, which then does what it always does", () => {
    const prompt = new Prompt().press("ctrl+r", ...typed("x"), "return");
    expect([String(prompt), prompt.action]).toEqual(["> |x = 5", "submit"]);
    expect(String(prompt.press("end", ...typed("0")))).toBe("> x = 50|");
  });

  test("gives back what was being typed on Escape, Ctrl+C and Ctrl+G", () => {
    for (const cancel of ["escape", "meta+escape", "ctrl+c", "ctrl+g"]) {
      const prompt = Prompt.with("dr|aft").press("ctrl+r", ...typed("x"), cancel);
      expect([String(prompt), prompt.action]).toEqual(["> dr|aft", undefined]);
    }
  });

  test("says where nothing is found, and goes on from a shorter word", () => {
    const prompt = new Prompt().press("ctrl+r", ...typed("print(i)z"));
    expect(String(prompt)).toBe("(no match for 'print(i)z') for i = 1, 2 do\n  print(i)\nend|");
    prompt.press("backspace");
    expect(String(prompt)).toBe("(search 'print(i)') for i = 1, 2 do\n  |print(i)\nend");
  });
});
