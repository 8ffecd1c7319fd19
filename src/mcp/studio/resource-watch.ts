/** Finds out when a resource has changed by reading it at intervals, for resources whose changes are not pushed. */

/** Each look costs a real Studio a frame. */
const PAUSE_MS = 2_000;

/** A look that fails, because Studio cannot be reached, counts as no change. */
export class ResourceWatch implements AsyncDisposable {
  readonly #readAsync: (signal: AbortSignal) => Promise<string | undefined>;
  readonly #onChange: () => void;
  readonly #pauseMs: number;
  readonly #ended = new AbortController();
  readonly #looking: Promise<void>;
  #last: string | undefined;

  /** `first` is the present text of the resource; undefined means that it does not exist. */
  constructor(
    first: string,
    readAsync: (signal: AbortSignal) => Promise<string | undefined>,
    onChange: () => void,
    pauseMs = PAUSE_MS,
  ) {
    this.#last = first;
    this.#readAsync = readAsync;
    this.#onChange = onChange;
    this.#pauseMs = pauseMs;
    this.#looking = this.#lookAsync();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#ended.abort();
    await this.#looking;
  }

  async #lookAsync(): Promise<void> {
    const { signal } = this.#ended;
    for (;;) {
      await pauseAsync(this.#pauseMs, signal);
      if (signal.aborted) return;
      try {
        const text = await this.#readAsync(signal);
        if (signal.aborted) return;
        if (text !== this.#last) this.#onChange();
        this.#last = text;
      } catch {
        // The next look may find it again.
      }
    }
  }
}

function pauseAsync(timeMs: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, timeMs);
    const stop = () => {
      clearTimeout(timer);
      resolve();
    };
    if (signal.aborted) stop();
    else signal.addEventListener("abort", stop, { once: true });
  });
}
