/** Prints above the line that is being edited, so that what comes in never tears what is being typed. */
import { cursorTo, clearScreenDown, moveCursor } from "node:readline";
import type { WriteStream } from "node:tty";
import type { Emission } from "../command/emission.ts";
import { styleOf } from "../util/screen.ts";
import { fit } from "../util/text-width.ts";
import type { Editor } from "./editor.ts";

const STATUS_DELAY_MS = 500;
const CLEAR_SCREEN = "\x1b[2J\x1b[3J\x1b[H";

export class PromptScreen {
  /** The prompt is there, and what was typed behind it. */
  isEditing = false;
  readonly #output: WriteStream;
  #editor: Editor | undefined;
  #statusTimer: Timer | undefined;
  #statusText = "";
  #isStatusShown = false;
  #isClosed = false;

  constructor(output: WriteStream) {
    this.#output = output;
  }

  attach(editor: Editor): void {
    this.#editor = editor;
    this.isEditing = true;
  }

  close(): void {
    this.status("");
    this.#isClosed = true;
  }

  readonly show = ({ text }: Emission): void => {
    if (this.#isClosed || text === undefined) return;
    const shown = text(styleOf(1, { prettyJson: true }));
    if (shown === "") return;
    this.status("");
    if (this.isEditing) this.#leaveEditedLine();
    this.#output.write(`${shown}\n`);
    if (this.isEditing) this.#editor?.redraw();
  };

  readonly clear = (): void => {
    this.#output.write(CLEAR_SCREEN);
  };

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
    cursorTo(this.#output, 0);
    clearScreenDown(this.#output);
  };

  #showStatus(): void {
    if (this.isEditing || this.#isClosed) return;
    const style = styleOf(1, { prettyJson: true });
    this.#output.write(style.dim(fit(`${this.#statusText} … (Ctrl+C cancels)`, style.columns - 1)));
    this.#isStatusShown = true;
  }

  #leaveEditedLine(): void {
    const rows = this.#editor?.rowsAbove ?? 0;
    moveCursor(this.#output, 0, -rows);
    cursorTo(this.#output, 0);
    clearScreenDown(this.#output);
  }
}
