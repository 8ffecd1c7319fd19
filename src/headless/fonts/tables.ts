/** The tables of a font file, and the parts that its layout tables have in common: features, lookups, coverages and classes. */

/** Numbers of a table, at offsets from where it begins. They are big-endian, as everywhere in fonts. */
export class FontTable {
  readonly #view: DataView;

  constructor(view: DataView) {
    this.#view = view;
  }

  u16(at: number): number {
    return this.#view.getUint16(at);
  }

  i16(at: number): number {
    return this.#view.getInt16(at);
  }

  u32(at: number): number {
    return this.#view.getUint32(at);
  }

  tag(at: number): string {
    return String.fromCharCode(...[0, 1, 2, 3].map((index) => this.#view.getUint8(at + index)));
  }

  /** What begins at an offset. */
  from(at: number): FontTable {
    const { buffer, byteOffset, byteLength } = this.#view;
    return new FontTable(new DataView(buffer, byteOffset + at, byteLength - at));
  }

  /** The 16-bit numbers of a list whose length stands before it. */
  list(at: number): number[] {
    return Array.from({ length: this.u16(at) }, (_, index) => this.u16(at + 2 + index * 2));
  }
}

const HEADER = 12;
const ENTRY = 16;

export function tablesIn(file: Uint8Array): ReadonlyMap<string, FontTable> {
  const whole = new FontTable(new DataView(file.buffer, file.byteOffset, file.byteLength));
  const version = whole.tag(0);
  if (version !== "OTTO" && version !== "true" && whole.u32(0) !== 0x10000) throw new Error("it is no font");
  const count = whole.u16(4);
  const entries = Array.from({ length: count }, (_, index) => HEADER + index * ENTRY);
  return new Map(entries.map((at) => [whole.tag(at), whole.from(whole.u32(at + 8))]));
}

/** A lookup of a layout table: its type, and its subtables, of which an extension has been followed. */
export interface Lookup {
  readonly type: number;
  readonly subtables: readonly FontTable[];
}

/** The lookups of the features of that name for Latin texts, in the order in which they apply. */
export function lookupsOf(
  table: FontTable,
  features: readonly string[],
  extension: number,
): readonly Lookup[] {
  const wanted = latinFeatures(table).flatMap(({ tag, lookups }) => (features.includes(tag) ? lookups : []));
  const list = table.from(table.u16(8));
  const offsets = list.list(0);
  return [...new Set(wanted)]
    .sort((left, right) => left - right)
    .flatMap((index) => {
      const offset = offsets[index];
      return offset === undefined ? [] : [lookupAt(list.from(offset), extension)];
    });
}

function lookupAt(lookup: FontTable, extension: number): Lookup {
  const type = lookup.u16(0);
  const subtables = lookup.list(4).map((offset) => lookup.from(offset));
  if (type !== extension) return { type, subtables };
  const [first] = subtables;
  return {
    type: first?.u16(2) ?? 0,
    subtables: subtables.map((subtable) => subtable.from(subtable.u32(4))),
  };
}

/** A script that the font does not have is its default script. */
const SCRIPTS = ["latn", "DFLT", "dflt"];

function latinFeatures(table: FontTable): readonly { tag: string; lookups: readonly number[] }[] {
  const scripts = table.from(table.u16(4));
  const known = new Map(records(scripts, 0).map(({ tag, offset }) => [tag, offset]));
  const script = SCRIPTS.map((tag) => known.get(tag)).find((offset) => offset !== undefined);
  const language = script === undefined ? 0 : scripts.from(script).u16(0);
  if (script === undefined || language === 0) return [];
  const usual = scripts.from(script + language);
  const list = table.from(table.u16(6));
  const features = records(list, 0);
  return usual.list(4).flatMap((index) => {
    const feature = features[index];
    return feature === undefined ? [] : [{ tag: feature.tag, lookups: list.from(feature.offset).list(2) }];
  });
}

/** Tags and offsets, with their count before them. */
const records = (table: FontTable, at: number) =>
  Array.from({ length: table.u16(at) }, (_, index) => {
    const entry = at + 2 + index * 6;
    return { tag: table.tag(entry), offset: table.u16(entry + 4) };
  });

/** The position of each glyph that a coverage has. */
export function coverageOf(table: FontTable): ReadonlyMap<number, number> {
  if (table.u16(0) === 1) return new Map(table.list(2).map((glyph, index) => [glyph, index]));
  return new Map(
    ranges(table, 2).flatMap(({ glyphs, value }) =>
      glyphs.map((glyph, index) => [glyph, value + index] as const),
    ),
  );
}

/** The class of each glyph; those that are not named have the class 0. */
export function classesOf(table: FontTable): ReadonlyMap<number, number> {
  if (table.u16(0) === 2)
    return new Map(
      ranges(table, 2).flatMap(({ glyphs, value }) => glyphs.map((glyph) => [glyph, value] as const)),
    );
  const first = table.u16(2);
  return new Map(table.list(4).map((value, index) => [first + index, value]));
}

const ranges = (table: FontTable, at: number) =>
  Array.from({ length: table.u16(at) }, (_, index) => {
    const entry = at + 2 + index * 6;
    const first = table.u16(entry);
    const length = Math.max(table.u16(entry + 2) - first + 1, 0);
    return { glyphs: Array.from({ length }, (_each, offset) => first + offset), value: table.u16(entry + 4) };
  });
