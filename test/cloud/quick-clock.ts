/** A clock that jumps to the next sleeper as soon as no other work is left. It is for code without real input and output. */
import type { Clock } from "../../src/cloud/clock.ts";

/** After this many turns of the event loop without another sleep, no other work is taken to be left. */
const IDLE_TURNS = 5;

export class QuickClock implements Clock {
  #nowMs = 0;
  #turns = 0;
  #isRunning = false;
  readonly #sleepers: { readonly at: number; readonly wake: () => void }[] = [];

  now(): number {
    return this.#nowMs;
  }

  async sleepAsync(milliseconds: number, signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#sleepers.push({ at: this.#nowMs + milliseconds, wake: resolve });
    this.#turns = 0;
    if (!this.#isRunning) void this.#runAsync();
    await promise;
    signal.throwIfAborted();
  }

  async #runAsync(): Promise<void> {
    this.#isRunning = true;
    while (this.#sleepers.length > 0) {
      for (this.#turns = 0; this.#turns < IDLE_TURNS; this.#turns += 1)
        await new Promise((resolve) => setImmediate(resolve));
      this.#sleepers.sort((left, right) => left.at - right.at);
      const next = this.#sleepers.shift();
      this.#nowMs = Math.max(this.#nowMs, next?.at ?? 0);
      next?.wake();
    }
    this.#isRunning = false;
  }
}
