/**
 * How fast calls of one kind follow each other. All calls of a kind share one pace, because Roblox counts them for the
 * owner of the key. The headers of the answers decide; the figures in the documentation contradict each other.
 */
import type { Clock } from "./clock.ts";

const SECOND_MS = 1000;
const MAX_WAIT_MS = 60_000;

export class Pace {
  readonly #clock: Clock;
  readonly #spacingMs: number;
  #freeAt = 0;

  /** `perMinute`: a limit that is kept without being told. */
  constructor(clock: Clock, perMinute = Infinity) {
    this.#clock = clock;
    this.#spacingMs = 60_000 / perMinute;
  }

  /** Resolves when the next call may be made. */
  async turnAsync(signal: AbortSignal): Promise<void> {
    for (;;) {
      const now = this.#clock.now();
      const at = Math.max(now, this.#freeAt);
      if (at === now) {
        this.#freeAt = now + this.#spacingMs;
        return;
      }
      await this.#clock.sleepAsync(at - now, signal);
    }
  }

  /** After an answer: waits for the next period where this one has no calls left. */
  heard(headers: Headers): void {
    const { remaining, resetMs } = limitsIn(headers);
    if (remaining === 0 && resetMs !== undefined) this.#waitFor(resetMs);
  }

  /** After a refusal because of too many calls; `count` says how many came in a row. */
  refused(headers: Headers, count: number): void {
    const { retryAfterMs, resetMs } = limitsIn(headers);
    this.#waitFor(retryAfterMs ?? resetMs ?? SECOND_MS * 2 ** Math.min(count, 5));
  }

  #waitFor(milliseconds: number): void {
    // A limit of zero calls or a wrong header must not become an endless loop or an endless wait.
    const waitMs = Math.min(Math.max(milliseconds, SECOND_MS / 4), MAX_WAIT_MS);
    this.#freeAt = Math.max(this.#freeAt, this.#clock.now() + waitMs);
  }
}

function limitsIn(headers: Headers) {
  const numberIn = (name: string): number | undefined => {
    // UNVERIFIED: that the first of several limits, which are listed with commas, is the one that counts. A refusal is
    // obeyed in any case.
    const text = headers.get(name)?.split(",")[0]?.trim() ?? "";
    return /^\d+(?:\.\d+)?$/.test(text) ? Number(text) : undefined;
  };
  const milliseconds = (seconds: number | undefined) =>
    seconds === undefined ? undefined : seconds * SECOND_MS;
  return {
    remaining: numberIn("x-ratelimit-remaining"),
    resetMs: milliseconds(numberIn("x-ratelimit-reset")),
    retryAfterMs: milliseconds(numberIn("retry-after")),
  };
}
