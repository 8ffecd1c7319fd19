/** A spinner line on a screen's stderr for anything that takes longer than half a second. Silent elsewhere. */
import type { Style } from "../util/style.ts";
import { fit } from "../util/text-width.ts";

const PLAIN_FRAMES = ["|", "/", "-", "\\"] as const;
const FRAMES = ["⠋", "⠙", "⠹", "⠸", "⠼", "⠴", "⠦", "⠧", "⠇", "⠏"] as const;
const DELAY_MS = 500;
const FRAME_MS = 80;
const CLEAR_LINE = "\r\x1b[K";

export class Progress implements Disposable {
  readonly #style: Style;
  readonly #write: (text: string) => void;
  #timer: Timer | undefined;
  #text = "";
  #frame = 0;
  #isShown = false;

  constructor(style: Style, write: (text: string) => void) {
    this.#style = style;
    this.#write = write;
  }

  show(text: string): void {
    this.#text = text;
    if (!this.#style.isScreen || this.#timer !== undefined) return;
    this.#timer = setTimeout(() => this.#tick(), DELAY_MS);
  }

  /** Call before anything else is printed; from then on the line stays away. */
  stop(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (this.#isShown) this.#write(CLEAR_LINE);
    this.#isShown = false;
  }

  [Symbol.dispose](): void {
    this.stop();
  }

  #tick(): void {
    const hasUnicode = this.#style.hasUnicode !== false;
    const frames = hasUnicode ? FRAMES : PLAIN_FRAMES;
    const frame = frames[this.#frame++ % frames.length] ?? "";
    const line = fit(`${frame} ${this.#text} ${hasUnicode ? "…" : "..."}`, this.#style.columns - 1);
    this.#write(`${CLEAR_LINE}${this.#style.dim(line)}`);
    this.#isShown = true;
    this.#timer = setTimeout(() => this.#tick(), FRAME_MS);
  }
}
