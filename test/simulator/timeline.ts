/** Virtual time: what is due happens in order of its time, and in order of its planning where times are equal. */
interface Due {
  readonly atMs: number;
  readonly order: number;
  readonly happen: () => void;
}

/** Far more than any schedule takes. */
const MAX_STEPS = 100_000;

export class Timeline {
  nowMs = 0;
  /** A binary heap, the earliest first. */
  readonly #heap: Due[] = [];
  #order = 0;

  at(atMs: number, happen: () => void): void {
    this.#heap.push({ atMs: Math.max(atMs, this.nowMs), order: this.#order++, happen });
    this.#rise(this.#heap.length - 1);
  }

  after(delayMs: number, happen: () => void): void {
    this.at(this.nowMs + delayMs, happen);
  }

  /** Calls `check` after every step. */
  run(untilMs: number, check: () => void): void {
    let steps = 0;
    for (let due = this.#heap[0]; due !== undefined && due.atMs <= untilMs; due = this.#heap[0]) {
      this.#takeFirst();
      this.nowMs = due.atMs;
      steps += 1;
      if (steps > MAX_STEPS) throw new Error("time stands still");
      due.happen();
      check();
    }
    this.nowMs = untilMs;
  }

  #isBefore(a: number, b: number): boolean {
    const [left, right] = [this.#heap[a], this.#heap[b]];
    if (left === undefined || right === undefined) return false;
    return left.atMs === right.atMs ? left.order < right.order : left.atMs < right.atMs;
  }

  #swap(a: number, b: number): void {
    const [left, right] = [this.#heap[a], this.#heap[b]];
    if (left === undefined || right === undefined) return;
    this.#heap[a] = right;
    this.#heap[b] = left;
  }

  #rise(index: number): void {
    for (let at = index; at > 0;) {
      const parent = (at - 1) >> 1;
      if (!this.#isBefore(at, parent)) return;
      this.#swap(at, parent);
      at = parent;
    }
  }

  #takeFirst(): void {
    const last = this.#heap.pop();
    if (last === undefined || this.#heap.length === 0) return;
    this.#heap[0] = last;
    for (let at = 0; ;) {
      let first = at;
      for (const child of [2 * at + 1, 2 * at + 2]) if (this.#isBefore(child, first)) first = child;
      if (first === at) return;
      this.#swap(at, first);
      at = first;
    }
  }
}
