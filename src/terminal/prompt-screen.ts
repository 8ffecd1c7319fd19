/** Prints above the text that is being edited, so that what comes in never tears what is being typed. */
import type { WriteStream } from "node:tty";
import type { Emission } from "../output/emission.ts";
import { styleOf } from "../util/screen.ts";
import { fit } from "../util/text-width.ts";
import type { LineEditor } from "./editor/line-editor.ts";

const STATUS_DELAY_MS = 500;
const CLEAR_SCREEN = "\x1b[H\x1b[2J";
const CLEAR_SCROLLBACK = "\x1b[3J";
const CLEAR_ROW = "\r\x1b[K";
/** The terminal marks the begin and the end of a paste, so that it can be told from typing. */
const MARK_PASTES = "\x1b[?2004h";
const UNMARK_PASTES = "\x1b[?2004l";

export class PromptScreen {
  readonly #output: WriteStream;
  readonly #editor: LineEditor;
  #statusTimer: Timer | undefined;
  #statusText = "";
  #isStatusShown = false;
  #isClosed = false;

  constructor(output: WriteStream, editor: LineEditor) {
    this.#output = output;
    this.#editor = editor;
  }

  get rows(): number {
    return this.#output.rows;
  }

  close(): void {
    this.status("");
    this.#isClosed = true;
  }

  markPastes(isOn: boolean): void {
    this.#output.write(isOn ? MARK_PASTES : UNMARK_PASTES);
  }

  readonly show = ({ text }: Emission): void => {
    if (this.#isClosed || text === undefined) return;
    const shown = text(styleOf(1));
    if (shown === "") return;
    this.status("");
    const { isDrawn } = this.#editor;
    this.#editor.erase();
    this.#output.write(`${shown}\n`);
    if (isDrawn) this.#editor.draw();
  };

  /** Also what can be scrolled back to. */
  readonly clear = (): void => {
    this.#output.write(CLEAR_SCREEN + CLEAR_SCROLLBACK);
    this.#editor.forget();
  };

  /** What is being typed stays, at the top. */
  clearVisible(): void {
    this.#output.write(CLEAR_SCREEN);
    this.#editor.forget();
    this.#editor.draw();
  }

  /** One line after half a second, which the next output replaces. */
  readonly status = (text: string): void => {
    this.#statusText = text;
    if (text !== "") {
      this.#statusTimer ??= setTimeout(() => this.#showStatus(), STATUS_DELAY_MS);
      return;
    }
    clearTimeout(this.#statusTimer);
    this.#statusTimer = undefined;
    if (!this.#isStatusShown) return;
    this.#isStatusShown = false;
    this.#output.write(CLEAR_ROW);
  };

  #showStatus(): void {
    if (this.#editor.isDrawn || this.#isClosed) return;
    const style = styleOf(1);
    this.#output.write(style.dim(fit(`${this.#statusText} … (Ctrl+C cancels)`, style.columns - 1)));
    this.#isStatusShown = true;
  }
}
