/** The clock of a place that a test holds: it stands in all DataModels of a window, and they move on together, frame by frame. */
import { StudioBridgeError } from "../../protocol/errors.ts";
import type { HeadlessStudio } from "./studio.ts";

export type ClockOrder = "hold" | "advance" | "release";

interface Clocked {
  readonly models: () => readonly HeadlessStudio[];
  /** False while something is on its way between the DataModels. */
  readonly isQuiet: () => boolean;
}

/** Times of a move may differ from their sum by so much. */
const TOLERANCE_SECONDS = 1e-9;

export class HeldClock {
  readonly #window: Clocked;
  /** Each move belongs to one; a move of an earlier one ends where it is. */
  #hold = 0;

  constructor(window: Clocked) {
    this.#window = window;
  }

  /** `source` is that of the harness, as it is in stacks; it keeps the time of the process. */
  hold(source: string): void {
    for (const model of this.#window.models()) model.dispatch("holdClock", 0, source);
  }

  release(): void {
    this.#hold += 1;
    for (const model of this.#window.models()) model.dispatch("releaseClock");
  }

  /** The DataModels are those of an earlier time again, whose clock ran. */
  returned(): void {
    this.#hold += 1;
  }

  /** Moves the clocks, and calls `done` when everything has run that was due. The event loop stays free meanwhile. */
  advance(seconds: number, done: (fault?: string) => void): void {
    const hold = this.#hold;
    let left = seconds;
    const step = (): void => {
      if (hold !== this.#hold) return done();
      if (!this.#window.isQuiet()) return void setImmediate(step);
      try {
        const models = this.#window.models();
        left -= moved(models, left);
        const isEnd = left <= TOLERANCE_SECONDS;
        setImmediate(isEnd ? () => this.#settle(hold, done) : step);
      } catch (error) {
        done(error instanceof Error ? error.message : String(error));
      }
    };
    step();
  }

  /** What the DataModels have told each other in the last frame arrives before the test goes on. */
  #settle(hold: number, done: () => void): void {
    if (hold !== this.#hold || this.#window.isQuiet()) done();
    else setImmediate(() => this.#settle(hold, done));
  }
}

/** Moves all clocks by the same time, to the next frame of any of them; one alone moves on by many frames. */
function moved(models: readonly HeadlessStudio[], left: number): number {
  const [only] = models;
  if (only !== undefined && models.length === 1) return only.moveClock(left);
  const by = Math.min(left, ...models.map((model) => model.clockDueSeconds()));
  const ending = left - by <= TOLERANCE_SECONDS ? "end" : "";
  for (const model of models) model.dispatch("moveClock", by, ending);
  return by;
}

/** The seconds in an order. Throws INVALID_INPUT for a text that is no such number. */
export function secondsIn(text: string): number {
  const seconds = Number(text);
  if (Number.isFinite(seconds) && seconds >= 0) return seconds;
  throw new StudioBridgeError("INVALID_INPUT", `a clock cannot move by ${text} seconds`);
}
