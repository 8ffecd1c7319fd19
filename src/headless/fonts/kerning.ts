/** What a glyph adds to its advance before another one: the feature kern of the table GPOS, else the older table kern. */
import { classesOf, coverageOf, type FontTable, lookupsOf } from "./tables.ts";

export type Kern = (first: number, second: number) => number;

const PAIRS = 2;
const EXTENSION = 9;
const X_ADVANCE = 4;

export function kerningOf(positions: FontTable | undefined, older: FontTable | undefined): Kern {
  const lookups = positions === undefined ? [] : lookupsOf(positions, ["kern"], EXTENSION);
  const pairs = lookups.filter(({ type }) => type === PAIRS).map(({ subtables }) => subtables.map(pairsOf));
  if (pairs.length > 0)
    // In each lookup, the first subtable counts that has the pair.
    return (first, second) =>
      pairs.reduce((sum, subtables) => sum + (firstOf(subtables, first, second) ?? 0), 0);
  return older === undefined ? () => 0 : olderPairs(older);
}

type Pairs = (first: number, second: number) => number | undefined;

function firstOf(subtables: readonly Pairs[], first: number, second: number): number | undefined {
  for (const pairs of subtables) {
    const value = pairs(first, second);
    if (value !== undefined) return value;
  }
  return undefined;
}

const bitsIn = (format: number): number => [...format.toString(2)].filter((bit) => bit === "1").length;

/** Where the advance is in a value of that format; undefined where it has none. */
const advanceAt = (format: number): number | undefined =>
  (format & X_ADVANCE) === 0 ? undefined : bitsIn(format & (X_ADVANCE - 1)) * 2;

function pairsOf(table: FontTable): Pairs {
  const coverage = coverageOf(table.from(table.u16(2)));
  const [format, second] = [table.u16(4), table.u16(6)];
  const valueBytes = (bitsIn(format) + bitsIn(second)) * 2;
  const advance = advanceAt(format);
  const read = (at: number): number => (advance === undefined ? 0 : table.i16(at + advance));
  return table.u16(0) === 1
    ? glyphPairs(table, coverage, valueBytes, read)
    : classPairs(table, coverage, valueBytes, read);
}

function glyphPairs(
  table: FontTable,
  coverage: ReadonlyMap<number, number>,
  valueBytes: number,
  read: (at: number) => number,
): Pairs {
  const sets = table.list(8).map((set) => {
    const entries = Array.from({ length: table.u16(set) }, (_, index) => set + 2 + index * (valueBytes + 2));
    return new Map(entries.map((at) => [table.u16(at), read(at + 2)]));
  });
  return (first, second) => {
    const position = coverage.get(first);
    return position === undefined ? undefined : sets[position]?.get(second);
  };
}

function classPairs(
  table: FontTable,
  coverage: ReadonlyMap<number, number>,
  valueBytes: number,
  read: (at: number) => number,
): Pairs {
  const firsts = classesOf(table.from(table.u16(8)));
  const seconds = classesOf(table.from(table.u16(10)));
  const [firstCount, secondCount] = [table.u16(12), table.u16(14)];
  return (first, second) => {
    const [row, column] = [firsts.get(first) ?? 0, seconds.get(second) ?? 0];
    if (!coverage.has(first) || row >= firstCount || column >= secondCount) return undefined;
    return read(16 + (row * secondCount + column) * valueBytes);
  };
}

/** The first subtable, where it has horizontal pairs. */
function olderPairs(table: FontTable): Kern {
  const isUsual = table.u16(0) === 0 && table.u16(2) > 0 && (table.u16(8) & 0xff01) === 1;
  const count = isUsual ? table.u16(10) : 0;
  const entries = Array.from({ length: count }, (_, index) => 18 + index * 6);
  const values = new Map(entries.map((at) => [table.u32(at), table.i16(at + 4)]));
  return (first, second) => values.get(first * 0x10000 + second) ?? 0;
}
