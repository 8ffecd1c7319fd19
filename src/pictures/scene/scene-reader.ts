/** Reads the numbers of a scene one after the other. */
import type { Colour } from "../surface.ts";

export class SceneReader {
  readonly #numbers: Float64Array;
  readonly #names: readonly string[];
  #at = 0;

  constructor(numbers: Float64Array, names: readonly string[]) {
    this.#numbers = numbers;
    this.#names = names;
  }

  get isAtEnd(): boolean {
    return this.#at >= this.#numbers.length;
  }

  number(): number {
    this.#at += 1;
    return this.#numbers[this.#at - 1] ?? 0;
  }

  list(count: number): number[] {
    return Array.from({ length: count }, () => this.number());
  }

  name(): string {
    return this.#names[this.number()] ?? "";
  }

  colour(): Colour {
    const [r = 0, g = 0, b = 0, a = 0] = this.list(4);
    return { r, g, b, a };
  }
}
