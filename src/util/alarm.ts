/** One timer for many due times: it remembers the earliest and rings once for it. */
export class Alarm implements Disposable {
  readonly #ring: () => void;
  #timer: Timer | undefined;
  #dueAtMs = Infinity;

  constructor(ring: () => void) {
    this.#ring = ring;
  }

  /** Both times come from `performance.now()`. An alarm that is already set for earlier stays as it is. */
  wakeBy(atMs: number, nowMs: number): void {
    if (atMs >= this.#dueAtMs) return;
    clearTimeout(this.#timer);
    this.#dueAtMs = atMs;
    // Timers may fire a fraction early; rounding up keeps a due time from being found not yet due.
    const waitMs = Math.min(Math.max(0, Math.ceil(atMs - nowMs)), 2 ** 31 - 1);
    this.#timer = setTimeout(() => {
      this.#dueAtMs = Infinity;
      this.#ring();
    }, waitMs);
  }

  [Symbol.dispose](): void {
    clearTimeout(this.#timer);
    this.#dueAtMs = Infinity;
  }
}
