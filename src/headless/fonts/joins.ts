/** Which glyphs join into one: the ligatures of the table GSUB that a text has without being asked for. */
import { coverageOf, type FontTable, lookupsOf } from "./tables.ts";

export type Join = (glyphs: readonly number[]) => readonly number[];

interface Ligature {
  readonly glyph: number;
  /** Those that follow the first. */
  readonly rest: readonly number[];
}

const LIGATURES = 4;
const EXTENSION = 7;
const FEATURES = ["ccmp", "rlig", "liga", "clig"];

export function joinsOf(table: FontTable | undefined): Join {
  const lookups = table === undefined ? [] : lookupsOf(table, FEATURES, EXTENSION);
  const all = lookups
    .filter(({ type }) => type === LIGATURES)
    .map(({ subtables }) => subtables.map(ligaturesOf));
  return (glyphs) => all.reduce((list, subtables) => joined(list, subtables), glyphs);
}

function ligaturesOf(table: FontTable): ReadonlyMap<number, readonly Ligature[]> {
  const sets = table.list(4).map((at) => table.from(at));
  const coverage = coverageOf(table.from(table.u16(2)));
  return new Map(
    [...coverage].map(([first, position]) => {
      const set = sets[position];
      return [first, set === undefined ? [] : set.list(0).map((at) => ligatureAt(set.from(at)))];
    }),
  );
}

const ligatureAt = (table: FontTable): Ligature => ({
  glyph: table.u16(0),
  rest: Array.from({ length: Math.max(table.u16(2) - 1, 0) }, (_, index) => table.u16(4 + index * 2)),
});

function joined(
  glyphs: readonly number[],
  subtables: readonly ReadonlyMap<number, readonly Ligature[]>[],
): readonly number[] {
  const list: number[] = [];
  for (let index = 0; index < glyphs.length; index += 1) {
    const first = glyphs[index] ?? 0;
    const fits = ({ rest }: Ligature): boolean =>
      rest.every((glyph, offset) => glyphs[index + 1 + offset] === glyph);
    const found = subtables.flatMap((subtable) => subtable.get(first) ?? []).find(fits);
    list.push(found?.glyph ?? first);
    index += found?.rest.length ?? 0;
  }
  return list;
}
