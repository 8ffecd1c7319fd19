/** Reads and writes a length of time as people type it in one word: `500ms`, `30s`, `1.5m`, `2h`. */

const UNITS_MS: readonly (readonly [unit: string, milliseconds: number])[] = [
  ["h", 3_600_000],
  ["m", 60_000],
  ["s", 1_000],
  ["ms", 1],
];

/** In milliseconds, rounded to whole ones; undefined for a text that is no time. The unit is required. */
export function parseTimeSpan(text: string): number | undefined {
  const match = /^(\d+(?:\.\d+)?)(ms|s|m|h)$/.exec(text);
  const unit = UNITS_MS.find(([name]) => name === match?.[2]);
  return unit === undefined ? undefined : Math.round(Number(match?.[1]) * unit[1]);
}

/** In the largest unit that gives a whole number. */
export function timeSpanText(milliseconds: number): string {
  const [name, length] = UNITS_MS.find(([, each]) => milliseconds % each === 0) ?? ["ms", 1];
  return `${milliseconds / length}${name}`;
}
