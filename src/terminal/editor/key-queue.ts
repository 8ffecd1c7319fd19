/**
 * Hands on one key after the other. Keys that are pressed while work goes on wait until it is done, so that what is typed
 * ahead never mixes with output; Ctrl+C interrupts the work instead.
 */
import { chordOf } from "./key.ts";
import type { Key } from "./key.ts";
import type { KeyboardEvent } from "./key-input.ts";

interface KeyQueueEvents {
  /** The next key or pasted block. The one after it waits for what this returns. */
  take(event: KeyboardEvent): Promise<unknown> | undefined;
  /** Ctrl+C during work. */
  interrupt(): void;
  /** Any other key during work, where none is waiting. True: it has been used. */
  useNow(key: Key): boolean;
}

export class KeyQueue {
  readonly #events: KeyQueueEvents;
  #waiting: KeyboardEvent[] = [];
  #isBusy = false;

  constructor(events: KeyQueueEvents) {
    this.#events = events;
  }

  readonly add = (event: KeyboardEvent): void => {
    if (this.#isBusy && event.kind === "key") {
      if (chordOf(event.key) === "ctrl+c") {
        this.#waiting = [];
        return this.#events.interrupt();
      }
      if (this.#waiting.length === 0 && this.#events.useNow(event.key)) return;
    }
    this.#waiting.push(event);
    if (!this.#isBusy) void this.#handOnAsync();
  };

  /** `event` comes before everything that waits. */
  addFirst(event: KeyboardEvent): void {
    this.#waiting.unshift(event);
  }

  async #handOnAsync(): Promise<void> {
    for (let event = this.#waiting.shift(); event !== undefined; event = this.#waiting.shift()) {
      const work = this.#events.take(event);
      if (work === undefined) continue;
      this.#isBusy = true;
      await work;
      this.#isBusy = false;
    }
  }
}
