/** The editor on the screen of a real terminal emulator: what a person sees, and what is left in the scrollback. */
import { Terminal } from "@xterm/headless";
import { describe, expect, test } from "bun:test";
import { LineEditor } from "../../../../src/terminal/editor/line-editor.ts";
import { barred, key, typed } from "./pressed-keys.ts";

const history = ["print('new')", "for i = 1, 2 do\n  print(i)\nend"];

class Screen {
  readonly editor: LineEditor;
  readonly #terminal: Terminal;

  constructor(columns: number, rows: number) {
    this.#terminal = new Terminal({ cols: columns, rows, allowProposedApi: true });
    this.editor = new LineEditor(this, history);
    this.editor.draw();
  }

  get columns(): number {
    return this.#terminal.cols;
  }

  get rows(): number {
    return this.#terminal.rows;
  }

  write(text: string): void {
    this.#terminal.write(text);
  }

  press(...chords: string[]): this {
    for (const chord of chords) this.editor.press(key(chord));
    return this;
  }

  type(text: string): this {
    for (const each of typed(text)) this.editor.press(each);
    return this;
  }

  /** Shows a text with a bar at its cursor. */
  show(shown: string): this {
    this.editor.show(barred(shown));
    return this;
  }

  resize(columns: number): void {
    this.#terminal.resize(columns, this.rows);
    this.editor.resize();
  }

  /** Every row there is, also above the screen, with a bar at the cursor. */
  async lookAsync(): Promise<string[]> {
    await new Promise<void>((resolve) => this.#terminal.write("", resolve));
    const { active } = this.#terminal.buffer;
    const cursorRow = active.baseY + active.cursorY;
    const rows = Array.from({ length: active.length }, (_, index) => {
      const row = active.getLine(index);
      if (index !== cursorRow) return row?.translateToString(true) ?? "";
      const before = row?.translateToString(false, 0, active.cursorX) ?? "";
      return `${before}|${row?.translateToString(true, active.cursorX) ?? ""}`;
    });
    return rows.join("\n").trimEnd().split("\n");
  }
}

describe("a text that wraps", () => {
  const text = "print('a text of more than twenty columns')";
  const rows = ["> print('a text of m", "ore than twenty colu", "mns')"];

  test("is drawn once, however the cursor moves through it", async () => {
    const screen = new Screen(20, 8).show(`${text}|`);
    expect(await screen.lookAsync()).toEqual([rows[0] ?? "", rows[1] ?? "", "mns')|"]);
    screen.press("home");
    expect(await screen.lookAsync()).toEqual(["> |print('a text of m", rows[1] ?? "", "mns')"]);
    screen.press("end", "meta+b", "meta+b", "meta+b", "left", "left");
    expect(await screen.lookAsync()).toEqual([rows[0] ?? "", "ore tha|n twenty colu", "mns')"]);
  });

  test("grows and shrinks over the edge of the screen", async () => {
    const screen = new Screen(10, 5).type("12345678");
    expect(await screen.lookAsync()).toEqual(["> 12345678", "|"]);
    screen.type("9");
    expect(await screen.lookAsync()).toEqual(["> 12345678", "9|"]);
    screen.press("backspace", "backspace");
    expect(await screen.lookAsync()).toEqual(["> 1234567|"]);
    screen.press("home").type("ab");
    expect(await screen.lookAsync()).toEqual(["> ab|123456", "7"]);
  });

  test("is one line for the terminal, so that another width wraps it anew and nothing is drawn twice", async () => {
    const screen = new Screen(20, 12).show(`${text}|`);
    screen.resize(30);
    expect(await screen.lookAsync()).toEqual(["> print('a text of more than t", "wenty columns')|"]);
    screen.resize(12);
    expect(await screen.lookAsync()).toEqual(["> print('a t", "ext of more ", "than twenty ", "columns')|"]);
    screen.press("home");
    screen.resize(20);
    expect(await screen.lookAsync()).toEqual(["> |print('a text of m", rows[1] ?? "", "mns')"]);
  });

  test("may have wide characters, which are never cut", async () => {
    const screen = new Screen(10, 5).type("1234567漢字");
    expect(await screen.lookAsync()).toEqual(["> 1234567 ", "漢字|"]);
    screen.press("left", "left").type("8");
    expect(await screen.lookAsync()).toEqual(["> 12345678", "|漢字"]);
    screen.press("backspace", "backspace");
    expect(await screen.lookAsync()).toEqual(["> 123456|漢", "字"]);
  });
});

describe("a text of several lines", () => {
  test("has a prompt in front of each, and is changed where a key changes it", async () => {
    const screen = new Screen(30, 8).show("if x then\n  print(1|)\nend");
    expect(await screen.lookAsync()).toEqual(["> if x then", "|   print(1|)", "| end"]);
    screen.press("up", "home").type("-- ");
    expect(await screen.lookAsync()).toEqual(["> -- |if x then", "|   print(1)", "| end"]);
    screen.press("ctrl+u", "delete");
    expect(await screen.lookAsync()).toEqual(["> |f x then", "|   print(1)", "| end"]);
    screen.press("end", "delete", "ctrl+u");
    expect(await screen.lookAsync()).toEqual(["> |  print(1)", "| end"]);
  });

  test("shows control characters as escapes", async () => {
    const screen = new Screen(30, 8).show("a\x1b[2Jb\tc\u0085|");
    expect(await screen.lookAsync()).toEqual(["> a\\x1b[2Jb  c\\x85|"]);
  });

  test("goes on below what is there already when it was left unfinished", async () => {
    const screen = new Screen(30, 8).type("if x then");
    screen.editor.leave();
    screen.editor.insert("\n");
    screen.editor.drawOn();
    screen.type("y()");
    expect(await screen.lookAsync()).toEqual(["> if x then", "| y()|"]);
  });

  test("comes back whole below what was printed", async () => {
    const screen = new Screen(30, 8).show("if x then\n|");
    screen.editor.erase();
    screen.write("printed\r\n");
    screen.editor.draw();
    expect(await screen.lookAsync()).toEqual(["printed", "> if x then", "| |"]);
  });

  test("is replaced by what Ctrl+R finds", async () => {
    const screen = new Screen(30, 8).type("draft").press("ctrl+r").type("int(i");
    expect(await screen.lookAsync()).toEqual([
      "(search 'int(i') for i = 1, 2 ",
      "do",
      "|   pr|int(i)",
      "| end",
    ]);
    screen.press("escape");
    expect(await screen.lookAsync()).toEqual(["> draft|"]);
  });
});

describe("a text that is taller than the screen", () => {
  const lines = Array.from({ length: 12 }, (_, index) => `line ${index + 1}`);
  const rows = lines.map((line, index) => `${index === 0 ? ">" : "|"} ${line}`);

  test("shows the rows around the cursor, and leaves none of them above the screen", async () => {
    const screen = new Screen(20, 5).show(`${lines.join("\n")}|`);
    expect(await screen.lookAsync()).toEqual([...rows.slice(7, 11), "| line 12|"]);
    screen.press("ctrl+home");
    expect(await screen.lookAsync()).toEqual(["> |line 1", ...rows.slice(1, 5)]);
    screen.press("down", "down", "down", "down", "down");
    expect(await screen.lookAsync()).toEqual([...rows.slice(1, 5), "| |line 6"]);
    screen.type("new ");
    expect(await screen.lookAsync()).toEqual([...rows.slice(1, 5), "| new |line 6"]);
  });

  test("is left on the screen whole, once", async () => {
    const screen = new Screen(20, 5).show(`${lines.join("\n")}|`).press("ctrl+home", "down");
    screen.editor.leave();
    expect(await screen.lookAsync()).toEqual([...rows, "|"]);
    screen.editor.press(key("ctrl+end"));
    screen.editor.insert("\n");
    screen.editor.drawOn();
    expect(await screen.lookAsync()).toEqual([...rows, "| |"]);
  });
});

test("random keys leave the screen as it would be drawn afresh", async () => {
  const chords = ["left", "right", "up", "down", "home", "end", "backspace", "ctrl+w", "ctrl+y", "ctrl+_"];
  const texts = ["a", "two words ", "漢字", "é", "👍🏽", "\n"];
  let seed = 7;
  const random = (below: number) => (seed = (seed * 48_271) % 2_147_483_647) % below;
  for (let round = 0; round < 20; round += 1) {
    const screen = new Screen(12, 6);
    for (let step = 0; step < 60; step += 1) {
      if (random(2) === 0) screen.press(chords[random(chords.length)] ?? "");
      else screen.editor.insert(texts[random(texts.length)] ?? "");
    }
    const seen = await screen.lookAsync();
    const { text, cursor } = screen.editor;
    screen.editor.erase();
    screen.editor.draw();
    expect({ text, cursor, rows: await screen.lookAsync() }).toEqual({ text, cursor, rows: seen });
  }
});
