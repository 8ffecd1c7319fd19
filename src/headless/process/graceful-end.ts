/** Ends a headless Studio gracefully: what it holds is put away, and the plugin says goodbye. */

/** Time for the plugin to say goodbye to the bridge. */
const GOODBYE_MS = 500;

interface Steps {
  /** Saves the place, or keeps it. Absent if the place goes with the Studio. There is no time limit for writing. */
  readonly putAwayAsync?: (() => Promise<void>) | undefined;
  askForGoodbye(): void;
  /** Called at the end; `reason` says why the place could not be put away. */
  ended(reason?: string): void;
}

export class GracefulEnd implements Disposable {
  readonly #steps: Steps;
  #patience: NodeJS.Timeout | undefined;
  #hasBegun = false;
  #reason: string | undefined;

  constructor(steps: Steps) {
    this.#steps = steps;
  }

  async beginAsync(): Promise<void> {
    if (this.#hasBegun) return;
    this.#hasBegun = true;
    try {
      await this.#steps.putAwayAsync?.();
    } catch (error) {
      this.#reason = error instanceof Error ? error.message : String(error);
    }
    this.#steps.askForGoodbye();
    this.#patience = setTimeout(() => this.goodbyeSaid(), GOODBYE_MS);
  }

  goodbyeSaid(): void {
    this.#steps.ended(this.#reason);
  }

  [Symbol.dispose](): void {
    clearTimeout(this.#patience);
  }
}
