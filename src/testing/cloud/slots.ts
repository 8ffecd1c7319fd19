/**
 * The slots in which tasks run: each place of a run has as many as Open Cloud allows tasks at a time. A free slot goes to the
 * task that has waited longest.
 */
import { LIMITS } from "../../cloud/open-cloud.ts";

export interface Slot {
  readonly place: string;
  /** Counts from 1. Events name it as their worker. */
  readonly number: number;
}

export class Slots {
  readonly #free: Slot[];
  readonly #waiting: ((slot: Slot) => void)[] = [];

  /** The slots alternate between the places, so that even few tasks use all places. */
  constructor(places: readonly string[]) {
    this.#free = Array.from({ length: LIMITS.tasksPerPlace * places.length }, (_, index) => ({
      place: places[index % places.length] ?? "",
      number: index + 1,
    }));
  }

  /** Runs `workAsync` on a free slot. */
  async useAsync<T>(workAsync: (slot: Slot) => Promise<T>): Promise<T> {
    const slot = this.#free.shift() ?? (await new Promise<Slot>((resolve) => this.#waiting.push(resolve)));
    try {
      return await workAsync(slot);
    } finally {
      const next = this.#waiting.shift();
      if (next === undefined) this.#free.unshift(slot);
      else next(slot);
    }
  }
}
