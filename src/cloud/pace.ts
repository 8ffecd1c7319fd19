/**
 * Decides when the next call of a kind may be made. All calls of one kind share one pace, because Roblox counts them for the
 * owner of the key. The pace follows the headers of the answers, because the documented limits contradict each other.
 */
import type { Clock } from "./clock.ts";

const SECOND_MS = 1000;
/** Limits count calls a minute, so that their period is over after this time. */
const MAX_PERIOD_MS = 60_000;
/** The longest time that a refusal may ask for. */
const MAX_RETRY_MS = 600_000;

/** Called before a wait. `reason` completes the sentence "Waiting 3 s for Open Cloud, which …". */
export type OnWait = (milliseconds: number, reason: string) => void;

export class Pace {
  readonly #clock: Clock;
  readonly #what: string;
  readonly #spacingMs: number;
  #freeAt = 0;
  #reason = "";

  /** `what` names the calls, in the plural. `perMinute` is a limit that holds whatever the answers say. */
  constructor(clock: Clock, what: string, perMinute = Infinity) {
    this.#clock = clock;
    this.#what = what;
    this.#spacingMs = 60_000 / perMinute;
  }

  /** Resolves when the next call may be made. */
  async turnAsync(signal: AbortSignal, onWait: OnWait): Promise<void> {
    for (;;) {
      const now = this.#clock.now();
      const at = Math.max(now, this.#freeAt);
      if (at === now) {
        this.#freeAt = now + this.#spacingMs;
        this.#reason = "";
        return;
      }
      if (this.#reason !== "") onWait(at - now, this.#reason);
      await this.#clock.sleepAsync(at - now, signal);
    }
  }

  /** Reads the headers of an answer. If they allow no more calls, the next call waits for the next period. */
  noteAnswer(headers: Headers): void {
    const { limit, remaining, resetMs } = limitsIn(headers);
    if (remaining === 0 && resetMs !== undefined)
      this.#waitFor(resetMs, limit === undefined ? `takes no more ${this.#what}` : this.#allowed(limit));
  }

  /**
   * Reads the headers of a refusal because of too many calls. `count` is the number of refusals before this one, `answer`
   * the refusal in words.
   */
  noteRefusal(headers: Headers, count: number, answer: string): void {
    const { limit, remaining, retryAfterMs, resetMs } = limitsIn(headers);
    // If calls are left, the refusal has another cause, such as too many unfinished tasks.
    const isUsedUp = limit !== undefined && (remaining === undefined || remaining <= 0);
    const allowed = isUsedUp ? `, and ${this.#allowed(limit)}` : "";
    this.#waitFor(
      retryAfterMs ?? resetMs ?? SECOND_MS * 2 ** Math.min(count, 5),
      `answers ${answer}${allowed}`,
      retryAfterMs === undefined ? MAX_PERIOD_MS : MAX_RETRY_MS,
    );
  }

  #allowed(limit: number): string {
    return `allows ${limit} ${this.#what} a minute`;
  }

  #waitFor(milliseconds: number, reason: string, maxMs = MAX_PERIOD_MS): void {
    // A limit of zero calls or a wrong header must cause neither an endless loop nor an endless wait.
    const waitMs = Math.min(Math.max(milliseconds, SECOND_MS / 4), maxMs);
    const at = this.#clock.now() + waitMs;
    if (at < this.#freeAt) return;
    this.#freeAt = at;
    this.#reason = reason;
  }
}

function limitsIn(headers: Headers) {
  const numberIn = (name: string): number | undefined => {
    // UNVERIFIED: where a header lists several limits with commas, the first one is taken to be the one that counts. If it
    // is another one, a call is refused, and the pace obeys refusals.
    const text = headers.get(name)?.split(",")[0]?.trim() ?? "";
    return /^\d+(?:\.\d+)?$/.test(text) ? Number(text) : undefined;
  };
  const milliseconds = (seconds: number | undefined) =>
    seconds === undefined ? undefined : seconds * SECOND_MS;
  return {
    limit: numberIn("x-ratelimit-limit"),
    remaining: numberIn("x-ratelimit-remaining"),
    resetMs: milliseconds(numberIn("x-ratelimit-reset")),
    retryAfterMs: milliseconds(numberIn("retry-after")) ?? untilDate(headers.get("retry-after") ?? ""),
  };
}

/** The time until a date, as HTTP allows it in place of seconds; undefined for any other text. */
function untilDate(text: string): number | undefined {
  const atMs = Date.parse(text);
  return Number.isNaN(atMs) ? undefined : atMs - Date.now();
}
