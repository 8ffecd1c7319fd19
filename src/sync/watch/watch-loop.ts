/**
 * The order of `sb sync --watch`: when to sync and when to wait. It knows neither files nor Studio: both tell it what
 * happened, and it calls `sync`, one call at a time. Whether there is really something to do is found out by content.
 */

export type Pause = "git" | "play" | "studio";

/** What may have changed since the last sync began. */
export interface Changes {
  /** Absolute paths. */
  readonly files: ReadonlySet<string>;
  readonly isStudio: boolean;
  /** It is not known what has changed. */
  readonly isAll: boolean;
  /** Ids of scripts that a person types in, which are left alone. */
  readonly typing: ReadonlySet<string>;
}

export interface LoopWork {
  /** Brings both sides to the same state. */
  syncAsync(changes: Changes): Promise<void>;
  /** Called when a pause begins, and when one ends. */
  paused(pauses: ReadonlySet<Pause>): void;
}

export class WatchLoop {
  readonly #work: LoopWork;
  readonly #pauses = new Set<Pause>();
  #files = new Set<string>();
  #isStudio = false;
  #isAll = true;
  #typing: ReadonlySet<string> = new Set();
  #wake = Promise.withResolvers<void>();

  constructor(work: LoopWork) {
    this.#work = work;
  }

  filesChanged(paths: readonly string[]): void {
    for (const path of paths) this.#files.add(path);
    this.#wake.resolve();
  }

  /** `typing` replaces what Studio said before. */
  studioChanged(typing: readonly string[]): void {
    this.#typing = new Set(typing);
    this.#isStudio = true;
    this.#wake.resolve();
  }

  /** Something may have changed, and it is not known what. */
  changed(): void {
    this.#isAll = true;
    this.#wake.resolve();
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

  /** Syncs at once, and then whenever something has changed, until the signal fires. Passes on what `sync` throws. */
  async runAsync(signal: AbortSignal): Promise<void> {
    const stop = () => this.#wake.resolve();
    signal.addEventListener("abort", stop, { once: true });
    try {
      while (!signal.aborted) {
        const changes = this.#pauses.size === 0 ? this.#take() : undefined;
        if (changes !== undefined) {
          await this.#work.syncAsync(changes);
        } else {
          await this.#wake.promise;
          this.#wake = Promise.withResolvers<void>();
        }
      }
    } finally {
      signal.removeEventListener("abort", stop);
    }
  }

  /** Undefined where nothing has changed. */
  #take(): Changes | undefined {
    if (!this.#isAll && !this.#isStudio && this.#files.size === 0) return undefined;
    const changes = {
      files: this.#files,
      isStudio: this.#isStudio,
      isAll: this.#isAll,
      typing: this.#typing,
    };
    this.#files = new Set();
    this.#isStudio = false;
    this.#isAll = false;
    return changes;
  }
}
