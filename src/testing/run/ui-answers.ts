/** The wish of `sb.ui` that a test waits for. A clock that the test holds moves on frame by frame meanwhile. */
import type { ClockWish, UiWish } from "../harness-events.ts";
import { type Stage, uiAnswerAsync } from "./player-interface.ts";

const FRAME_SECONDS = 1 / 60;

export class UiAnswers {
  /** Whether the test holds the clock. */
  isClockHeld = false;
  readonly #stage: Stage;
  readonly #moveClockAsync: ((wish: ClockWish) => Promise<void>) | undefined;
  #answer: Promise<object> | undefined;
  /** A player does one thing at a time, so that a wish waits for the end of the one before, which may be stopped. */
  #running: Promise<object> | undefined;
  #ending = new AbortController();

  constructor(stage: Stage, moveClockAsync: ((wish: ClockWish) => Promise<void>) | undefined) {
    this.#stage = stage;
    this.#moveClockAsync = moveClockAsync;
  }

  begin(wish: UiWish, signal: AbortSignal): void {
    this.#ending = new AbortController();
    const ends = AbortSignal.any([signal, this.#ending.signal]);
    const before = this.#running;
    this.#running = this.#movingAsync(this.#afterAsync(before, wish, ends));
    this.#answer = this.#running;
  }

  async #afterAsync(before: Promise<object> | undefined, wish: UiWish, signal: AbortSignal): Promise<object> {
    await before;
    return uiAnswerAsync(this.#stage, wish, signal);
  }

  /** The answer to the wish that was begun last; undefined where there is none. */
  async takeAsync(): Promise<object | undefined> {
    const answer = this.#answer;
    this.#answer = undefined;
    return answer;
  }

  /** The case is over, so that nothing waits for the answer, which may be on its way already. */
  drop(): void {
    this.#answer = undefined;
    this.#ending.abort();
  }

  async #movingAsync(answer: Promise<object>): Promise<object> {
    let isOver = false;
    const over = answer.finally(() => {
      isOver = true;
    });
    while (this.isClockHeld && !isOver) {
      await this.#moveClockAsync?.({ type: "clock", act: "advance", seconds: FRAME_SECONDS }).catch(() => {});
      await Promise.race([over, Bun.sleep(1)]);
    }
    return over;
  }
}
