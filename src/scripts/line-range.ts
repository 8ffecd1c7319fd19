/** Ranges of lines as people type them: `10:20`, `10:`, `:20` or `10`. */
import { invalidInput } from "../protocol/messages.ts";

interface LineRange {
  readonly first: number;
  /** Infinity for all that follow. */
  readonly last: number;
}

/** Throws INVALID_INPUT. */
export function readRange(text: string): LineRange {
  const [, from, colon, to] = /^(\d*)(:?)(\d*)$/.exec(text.trim()) ?? [];
  const first = from === "" ? 1 : Number(from);
  const last = colon === "" ? first : to === "" ? Number.POSITIVE_INFINITY : Number(to);
  if (from === undefined || (from === "" && to === "") || first < 1 || last < first)
    throw invalidInput(`Not a range of lines: ${text}`, "Write 10:20, 10: or :20; lines count from 1.");
  return { first, last };
}
