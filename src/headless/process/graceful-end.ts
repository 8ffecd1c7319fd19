/**
 * Ends a headless Studio gracefully: the VM returns its place, the place is saved, and the plugin says goodbye. A VM
 * whose script never yields cannot answer, so the wait is limited.
 */

/** Time for the VM to return its place. A script that never yields is stopped before. */
const SAVE_MS = 15_000;

/** Time for the plugin to say goodbye to the bridge. */
const GOODBYE_MS = 500;

interface Steps {
  askForPlace(): void;
  /** Absent if the place is not saved. */
  readonly savePlaceAsync?: ((place: Uint8Array) => Promise<void>) | undefined;
  askForGoodbye(): void;
  /** Called at the end; `reason` says why the place could not be saved. */
  ended(reason?: string): void;
}

export class GracefulEnd implements Disposable {
  readonly #steps: Steps;
  #patience: NodeJS.Timeout | undefined;

  constructor(steps: Steps) {
    this.#steps = steps;
  }

  begin(): void {
    if (this.#steps.savePlaceAsync === undefined) return this.#sayGoodbye();
    this.#steps.askForPlace();
    this.#waitFor(SAVE_MS, "The place was not saved: a script never yielded.");
  }

  /** Saves the place that the VM has returned. There is no time limit for writing it. */
  async saveAsync(place: Uint8Array): Promise<void> {
    clearTimeout(this.#patience);
    try {
      await this.#steps.savePlaceAsync?.(place);
      this.#sayGoodbye();
    } catch (error) {
      this.#steps.ended(error instanceof Error ? error.message : String(error));
    }
  }

  [Symbol.dispose](): void {
    clearTimeout(this.#patience);
  }

  #sayGoodbye(): void {
    this.#steps.askForGoodbye();
    this.#waitFor(GOODBYE_MS);
  }

  #waitFor(durationMs: number, reason?: string): void {
    clearTimeout(this.#patience);
    this.#patience = setTimeout(() => this.#steps.ended(reason), durationMs);
  }
}
