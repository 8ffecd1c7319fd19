/**
 * Rings once, after a time in which this process ran. A process that waits for another one uses it: when the whole
 * machine stands still, an ordinary timer is over before the other process can go on.
 */

/** If the machine stands still for longer than this, only this much of it counts. */
const STEP_MS = 100;

export class AwakeTimer implements Disposable {
  #timer: Timer | undefined;

  constructor(durationMs: number, ring: () => void) {
    this.#wait(durationMs, ring);
  }

  [Symbol.dispose](): void {
    clearTimeout(this.#timer);
  }

  #wait(restMs: number, ring: () => void): void {
    const goOn = () => (restMs > STEP_MS ? this.#wait(restMs - STEP_MS, ring) : ring());
    this.#timer = setTimeout(goOn, Math.min(restMs, STEP_MS));
  }
}
