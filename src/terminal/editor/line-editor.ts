/** The text that is being edited and its picture on the screen: keeps the state of the editor and draws its changes. */
import { layOut, cutToHeight, rowsAboveCursor } from "./layout.ts";
import type { Frame } from "./layout.ts";
import { insert } from "./edited-text.ts";
import type { EditedText } from "./edited-text.ts";
import type { Key } from "./key.ts";
import { blank, erase, paint } from "./paint.ts";
import { emptied, emptyPrompt, press, promptOf, withText } from "./prompt-state.ts";
import type { Action, PromptState } from "./prompt-state.ts";

/** The part of `process.stdout` that is needed. */
export interface EditorScreen {
  readonly columns: number;
  readonly rows: number;
  write(text: string): unknown;
}

/** Where a terminal does not tell its size. */
const USUAL = { columns: 80, rows: 24 };
const MIN_COLUMNS = 4;

export class LineEditor {
  readonly #screen: EditorScreen;
  readonly #history: readonly string[];
  #state: PromptState = emptyPrompt;
  #label = "";
  /** What of the text is on the screen; undefined where nothing is. */
  #drawn: Frame | undefined;
  /** The text that was left on the screen just now, above the cursor; undefined where something else was printed. */
  #left: Frame | undefined;
  /** The first row that is shown of a text that is taller than the screen. */
  #top = 0;

  /** `history` is newest first. */
  constructor(screen: EditorScreen, history: readonly string[]) {
    this.#screen = screen;
    this.#history = history;
  }

  get text(): string {
    return this.#state.edit.text;
  }

  get cursor(): number {
    return this.#state.edit.cursor;
  }

  get isDrawn(): boolean {
    return this.#drawn !== undefined;
  }

  /** What the prompt says of where the text will run. */
  set label(label: string) {
    this.#label = label;
    this.#redraw();
  }

  /** Does what the key does to the text; gives what else it asks for. */
  press(key: Key): Action | undefined {
    const { state, action } = press(this.#state, key, this.#history);
    this.#state = state;
    this.#redraw();
    return action;
  }

  insert(piece: string): void {
    this.show(insert(this.#state.edit, piece));
  }

  /** Another text in the place of the one that is edited. */
  show(edited: EditedText): void {
    this.#state = withText(this.#state, edited);
    this.#redraw();
  }

  /** An empty text. */
  clear(): void {
    this.#state = emptied(this.#state);
    this.#redraw();
  }

  /** Draws the prompt and the text where the cursor of the screen is, at the start of a row. */
  draw(): void {
    this.#drawn ??= blank;
    this.#redraw();
  }

  /** Draws what is new since the text was left, so that a long text is not written again for each of its lines. */
  drawOn(): void {
    this.#drawn ??= this.#left;
    this.draw();
  }

  /** Takes prompt and text off the screen, so that something else can be printed in their place. */
  erase(): void {
    if (this.#drawn !== undefined) this.#screen.write(erase(this.#drawn));
    this.forget();
  }

  /** The screen was cleared, or something was printed on it: nothing of the text counts as drawn. */
  forget(): void {
    this.#drawn = undefined;
    this.#left = undefined;
  }

  /** Leaves the whole text on the screen, also one that is taller, and moves on to the row below. */
  leave(): void {
    if (this.#drawn === undefined) return;
    const { rows } = layOut(
      promptOf(this.#state, this.#label),
      { text: this.text, cursor: 0 },
      this.#columns,
    );
    const whole = { rows, cursor: { row: rows.length - 1, column: 0 } };
    this.#screen.write(`${paint(this.#drawn, whole, this.#columns)}\r\n`);
    const visible = [...rows, { text: "", isWrapped: false }].slice(-this.#rows);
    this.#left = { rows: visible, cursor: { row: visible.length - 1, column: 0 } };
    this.#top = rows.length + 1 - visible.length;
    this.#drawn = undefined;
  }

  /** The screen has another size, and has wrapped anew what is on it. */
  resize(): void {
    this.#left = undefined;
    if (this.#drawn === undefined) return;
    const above = Math.min(rowsAboveCursor(this.#drawn, this.#columns), this.#rows - 1);
    this.#screen.write(erase({ rows: [], cursor: { row: above, column: 0 } }));
    this.#drawn = blank;
    this.#redraw();
  }

  get #columns(): number {
    return Math.max(MIN_COLUMNS, this.#screen.columns || USUAL.columns);
  }

  get #rows(): number {
    return this.#screen.rows || USUAL.rows;
  }

  #redraw(): void {
    if (this.#drawn === undefined) return;
    const whole = layOut(promptOf(this.#state, this.#label), this.#state.edit, this.#columns);
    const { frame, top } = cutToHeight(whole, this.#rows, this.#top);
    const change = paint(this.#drawn, frame, this.#columns);
    this.#drawn = frame;
    this.#top = top;
    if (change !== "") this.#screen.write(change);
  }
}
