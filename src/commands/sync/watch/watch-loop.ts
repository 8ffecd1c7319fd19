/**
 * The order of `sb sync --watch`: when to sync and when to wait. It knows neither files nor Studio: both tell it what
 * happened, and it calls `sync`, one call at a time. Whether there is really something to do is found out by content.
 */

export type Pause = "git" | "play" | "studio";

export interface LoopWork {
  /** Brings both sides to the same state. `typing` are ids of scripts that a person types in, which are left alone. */
  syncAsync(typing: ReadonlySet<string>): Promise<void>;
  /** Called when a pause begins, and when the last one ends. */
  paused(pauses: ReadonlySet<Pause>): void;
}

export class WatchLoop {
  readonly #work: LoopWork;
  readonly #pauses = new Set<Pause>();
  #typing: ReadonlySet<string> = new Set();
  #isDirty = true;
  #wake = Promise.withResolvers<void>();

  constructor(work: LoopWork) {
    this.#work = work;
  }

  /** Something on disk or in Studio may have changed. */
  changed(): void {
    this.#isDirty = true;
    this.#wake.resolve();
  }

  /** Studio has changed; `typing` replaces what it said before. */
  studioChanged(typing: readonly string[]): void {
    this.#typing = new Set(typing);
    this.changed();
  }

  /** Nothing is synced while there is a pause. What changes meanwhile is found when it ends. */
  pause(pause: Pause): void {
    if (this.#pauses.has(pause)) return;
    this.#pauses.add(pause);
    this.#work.paused(this.#pauses);
  }

  resume(pause: Pause): void {
    if (!this.#pauses.delete(pause)) return;
    this.#work.paused(this.#pauses);
    this.changed();
  }

  get isPaused(): boolean {
    return this.#pauses.size > 0;
  }

  /** Syncs at once, and then whenever something has changed, until the signal fires. Passes on what `sync` throws. */
  async runAsync(signal: AbortSignal): Promise<void> {
    const stop = () => this.#wake.resolve();
    signal.addEventListener("abort", stop, { once: true });
    try {
      while (!signal.aborted) {
        if (this.#isDirty && !this.isPaused) {
          this.#isDirty = false;
          await this.#work.syncAsync(this.#typing);
        } else {
          await this.#wake.promise;
          this.#wake = Promise.withResolvers<void>();
        }
      }
    } finally {
      signal.removeEventListener("abort", stop);
    }
  }
}
