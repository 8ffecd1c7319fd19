/**
 * Turns what a command says while it works into progress that rises: what it waits for, the lines of a script as they
 * are printed, and a sign of life every second.
 */
import type { Emission } from "../../command/emission.ts";
import { visibleOnOneLine } from "../../util/visible-controls.ts";
import type { ToolCall } from "../server/features.ts";

const TICK_MS = 1_000;
/** Lines that come faster than this are not told one by one. */
const LINE_PAUSE_MS = 100;
const LINE_CHARACTERS = 200;

export class Waiting implements Disposable {
  readonly #call: ToolCall;
  readonly #startedAt = performance.now();
  #text = "";
  #progress = 0;
  #reportedAt = -Infinity;
  #timer: Timer | undefined;

  constructor(call: ToolCall) {
    this.#call = call;
  }

  readonly say = (text: string): void => {
    this.#text = text;
    this.#report(text);
    this.#timer ??= setInterval(() => this.#tick(), TICK_MS);
  };

  /** Other emissions are part of the result. */
  readonly emit = ({ logged }: Emission): void => {
    if (logged === undefined) return;
    this.#text = visibleOnOneLine(logged.body.slice(0, LINE_CHARACTERS));
    if (performance.now() - this.#reportedAt >= LINE_PAUSE_MS) this.#report(this.#text);
  };

  [Symbol.dispose](): void {
    clearInterval(this.#timer);
  }

  #tick(): void {
    const seconds = Math.round((performance.now() - this.#startedAt) / 1_000);
    this.#report(`${this.#text} (${seconds} s)`);
  }

  #report(message: string): void {
    this.#reportedAt = performance.now();
    this.#progress += 1;
    this.#call.report({ progress: this.#progress, message });
  }
}
