/**
 * Values that know what they were made from. A person who edits makes a value from the one that is there; a person who
 * answers a question makes one from both sides. Rules see texts alone; only the judge looks at where a value comes from.
 */
export interface Value {
  readonly id: number;
  readonly text: string;
  /** A bit for each value from which this one was made, itself among them. */
  readonly made: bigint;
}

/** All values of one history. */
export class Values {
  readonly #all: Value[] = [];
  #texts = 0;

  make(text: string, from: readonly (Value | undefined)[]): Value {
    const id = this.#all.length;
    const made = from.reduce((bits, value) => bits | (value?.made ?? 0n), 1n << BigInt(id));
    const value = { id, text, made };
    this.#all.push(value);
    return value;
  }

  /** A text that no value has had before. */
  newText(): string {
    return `v${++this.#texts}`;
  }

  /** Whether a value of this text is among those from which `value` was made. */
  knowsText(value: Value, text: string): boolean {
    return this.#all.some((other) => other.text === text && descends(value, other));
  }

  /** Both sides hold the same text, so that whatever is made from one is made from the other, too. */
  joined(one: Value, other: Value): Value {
    if (descends(one, other)) return one;
    return descends(other, one) ? other : this.make(one.text, [one, other]);
  }
}

/** Whether `value` was made from `earlier`, or is it. */
export const descends = (value: Value, earlier: Value): boolean =>
  ((value.made >> BigInt(earlier.id)) & 1n) === 1n;
