/**
 * Turns the status of a working command into MCP progress, which must rise: what the command waits for, the lines of a
 * script as they are printed, and a sign of life every second.
 */
import type { Emission } from "../../output/emission.ts";
import { visibleOnOneLine } from "../../util/visible-controls.ts";
import type { ToolCall } from "../server/features.ts";

const TICK_MS = 1_000;
/** Of the lines that come within this time of one that was told, only the last is told, at its end. */
const LINE_PAUSE_MS = 100;
const LINE_CHARACTERS = 200;

export class Waiting implements Disposable {
  readonly #call: ToolCall;
  readonly #startedAt = performance.now();
  #status = "";
  #line = "";
  #progress = 0;
  #lineToldAt = -Infinity;
  #nextLine: Timer | undefined;
  #timer: Timer | undefined;

  constructor(call: ToolCall) {
    this.#call = call;
  }

  readonly say = (text: string): void => {
    if (text !== this.#status) this.#report(text);
    this.#status = text;
    this.#timer ??= setInterval(() => this.#tick(), TICK_MS);
  };

  /** Other emissions are part of the result. */
  readonly emit = ({ logged }: Emission): void => {
    if (logged === undefined) return;
    this.#line = visibleOnOneLine(logged.body.slice(0, LINE_CHARACTERS));
    const pauseMs = this.#lineToldAt + LINE_PAUSE_MS - performance.now();
    if (pauseMs <= 0) this.#tellLine();
    else this.#nextLine ??= setTimeout(() => this.#tellLine(), pauseMs);
  };

  [Symbol.dispose](): void {
    clearInterval(this.#timer);
    clearTimeout(this.#nextLine);
  }

  #tellLine(): void {
    this.#nextLine = undefined;
    this.#lineToldAt = performance.now();
    this.#report(this.#line);
  }

  #tick(): void {
    const seconds = Math.round((performance.now() - this.#startedAt) / 1_000);
    // A printed line is told once, because a client shows each message.
    this.#report(`${this.#status} (${seconds} s)`);
  }

  #report(message: string): void {
    this.#progress += 1;
    this.#call.report({ progress: this.#progress, message });
  }
}
