/** Turns what a command says while it works into progress that rises, with a sign of life every second. */
import type { ToolCall } from "../server/features.ts";

const TICK_MS = 1_000;

export class Waiting implements Disposable {
  readonly #call: ToolCall;
  readonly #startedAt = performance.now();
  #text = "";
  #progress = 0;
  #timer: Timer | undefined;

  constructor(call: ToolCall) {
    this.#call = call;
  }

  readonly say = (text: string): void => {
    this.#text = text;
    this.#report(text);
    this.#timer ??= setInterval(() => this.#tick(), TICK_MS);
  };

  [Symbol.dispose](): void {
    clearInterval(this.#timer);
  }

  #tick(): void {
    const seconds = Math.round((performance.now() - this.#startedAt) / 1_000);
    this.#report(`${this.#text} (${seconds} s)`);
  }

  #report(message: string): void {
    this.#progress += 1;
    this.#call.report({ progress: this.#progress, message });
  }
}
