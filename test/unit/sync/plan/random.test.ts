// Random changes on both sides: a sync loses nothing, its second run changes nothing, and choices bring both sides together.
import { expect, test } from "bun:test";
import { simulate } from "./simulate.ts";

const SEEDS = 1000;

test(`${SEEDS} random pairs of sides become equal without a loss`, () => {
  const failed: string[] = [];
  for (let seed = 1; seed <= SEEDS; seed++) {
    try {
      simulate(seed);
    } catch (error) {
      failed.push(`seed ${seed}: ${String(error)}`);
    }
  }
  expect(failed.slice(0, 3)).toEqual([]);
});
