/**
 * The places of a run, each with as many tasks at a time as Open Cloud allows it. A free slot goes to the task that has waited
 * longest.
 */
import { LIMITS } from "../../cloud/open-cloud.ts";

export interface Slot {
  readonly place: string;
  /** From 1; the worker that events name. */
  readonly number: number;
}

export class Slots {
  readonly #free: Slot[];
  readonly #waiting: ((slot: Slot) => void)[] = [];

  /** The places take turns, so that few tasks spread over all of them. */
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
