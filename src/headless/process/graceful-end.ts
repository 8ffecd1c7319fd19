/**
 * Ends a headless Studio gracefully: the VM returns its place, the place is saved, and the plugin says goodbye. A VM
 * whose script never yields cannot answer, so the wait is limited.
 */

/** How long the VM has to give its place; a script that never yields is stopped before. */
const SAVE_MS = 15_000;

/** How long the plugin has to tell the bridge that it goes. */
const GOODBYE_MS = 500;

interface Steps {
  askForPlace(): void;
  /** Absent where nothing is to be saved. */
  readonly savePlaceAsync?: ((place: Uint8Array) => Promise<void>) | undefined;
  askForGoodbye(): void;
  /** `reason` where the place was not saved. */
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

  /** The VM has given its place; writing it may take as long as it takes. */
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
