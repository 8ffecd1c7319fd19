/**
 * The widths of a font as one line of text: the height of its box, the advance of each character, what pairs add to it, and
 * ligatures. HarfBuzz shapes every pair, so that nothing that reads the line must know the font's tables.
 */
import { Blob, Buffer as ShapeBuffer, Face, Font, shape } from "harfbuzzjs";

/** Beyond Latin letters: punctuation that texts of interfaces have. */
const PUNCTUATION = "–—‘’‚“”„†‡•…‰‹›⁄€™←↑→↓−∞≈≠≤≥◊";
const range = (from: number, to: number): number[] =>
  Array.from({ length: to - from + 1 }, (_, index) => from + index);
const PRINTABLE = range(32, 126);

/** The characters whose advances are kept, in the order of a line's numbers. */
export const CODES: readonly number[] = [
  ...PRINTABLE,
  ...range(160, 255),
  ...[0x131, 0x152, 0x153, 0x160, 0x161, 0x178, 0x17d, 0x17e, 0x192],
  ...[...PUNCTUATION].map((char) => char.codePointAt(0) ?? 0),
];
/** Only letters join into ligatures. */
const LETTERS = PRINTABLE.filter((code) => /[A-Za-z]/.test(String.fromCodePoint(code)));
/** Codes of ligatures, in their order, begin beyond those of characters, as in Fonts.luau. */
export const FIRST_LIGATURE = 0x110000;
const F = "f".codePointAt(0) ?? 0;

const BASE = 36;
const digits = (value: number): string => value.toString(BASE);

class Shaper {
  readonly #font: Font;
  readonly #face: Face;
  /** One for all, because HarfBuzz frees what is no longer used too late. */
  readonly #buffer = new ShapeBuffer();
  readonly box: number;

  constructor(file: Uint8Array) {
    this.#face = new Face(new Blob(file), 0);
    this.#font = new Font(this.#face);
    const unitsPerEm = this.#table("head").getUint16(18);
    this.#font.setScale(unitsPerEm, unitsPerEm);
    const lines = this.#table("hhea");
    this.box = lines.getInt16(4) - lines.getInt16(6);
  }

  has(code: number): boolean {
    return this.#font.nominalGlyph(code) !== undefined;
  }

  advances(...codes: readonly number[]): number[] {
    this.#buffer.reset();
    this.#buffer.addCodePoints([...codes]);
    // Digits and punctuation have kerning of their own where a text has no letters; in most texts they are among letters.
    this.#buffer.setScript("Latn");
    this.#buffer.guessSegmentProperties();
    shape(this.#font, this.#buffer);
    return this.#buffer.getGlyphPositions().map(({ xAdvance }) => xAdvance);
  }

  #table(tag: string): DataView {
    const bytes = this.#face.referenceTable(tag);
    if (bytes === undefined) throw new Error(`the font has no table ${tag}`);
    // The memory of HarfBuzz may move.
    return new DataView(bytes.slice().buffer);
  }
}

interface Ligature {
  readonly codes: readonly number[];
  readonly advance: number;
}

/** `fi` and `ffi` as one glyph. A font may have `ffi` without `ff`. */
function ligaturesOf(shaper: Shaper): Ligature[] {
  const letters = LETTERS.filter((code) => shaper.has(code));
  const isOne = (codes: readonly number[]): boolean => shaper.advances(...codes).length === 1;
  const pairs = letters.flatMap((first) => letters.map((second) => [first, second])).filter(isOne);
  const starts = new Map([[F, F], ...pairs].map((pair) => [pair.join(), pair]));
  const triples = [...starts.values()]
    .flatMap((pair) => letters.map((third) => [...pair, third]))
    .filter(isOne);
  return [...pairs, ...triples].map((codes) => ({ codes, advance: shaper.advances(...codes)[0] ?? 0 }));
}

/** The characters of each ligature of a font, in the order of their codes. */
export const ligaturesIn = (font: Uint8Array): (readonly number[])[] =>
  ligaturesOf(new Shaper(font)).map(({ codes }) => codes);

interface Kerning {
  /** For each class of characters that come second, all of them. */
  readonly classes: string[];
  /** For each character that comes first, its row. */
  readonly of: string[];
  /** What a row adds before each class. */
  readonly rows: string[];
}

/** The positions at which each of the texts appears. */
function grouped<Key>(keys: readonly Key[], textOf: (key: Key) => string): Map<string, Key[]> {
  const groups = new Map<string, Key[]>();
  for (const key of keys) {
    const text = textOf(key);
    const group = groups.get(text);
    if (group === undefined) groups.set(text, [key]);
    else group.push(key);
  }
  return groups;
}

/** What a character adds to its advance before another one. Characters that do the same, or to which the same is done, are one. */
function kerningOf(
  shaper: Shaper,
  advance: ReadonlyMap<number, number>,
  ligatures: readonly Ligature[],
): Kerning {
  // A ligature counts as one character with a code of its own.
  const glyphs = [
    ...[...advance].map(([code, alone]) => ({ code, codes: [code], alone })),
    ...ligatures.map((each, index) => ({
      code: FIRST_LIGATURE + index,
      codes: each.codes,
      alone: each.advance,
    })),
  ];
  const codes = glyphs.map(({ code }) => code);
  const added = new Map(
    glyphs.map(({ code, codes: first, alone }) => {
      const before = glyphs.map(({ codes: second }) => {
        const shaped = shaper.advances(...first, ...second);
        return shaped.length === 2 ? (shaped[0] ?? 0) - alone : 0;
      });
      return [code, before] as const;
    }),
  );
  const rowOf = (first: number): readonly number[] => added.get(first) ?? [];
  const columns = [
    ...grouped([...codes.keys()], (index) => codes.map((first) => rowOf(first)[index]).join()).values(),
  ];
  const kerned = columns.filter(([index = 0]) => codes.some((first) => rowOf(first)[index] !== 0));
  const textOf = (first: number): string =>
    kerned
      .flatMap(([index = 0], position) => {
        const value = rowOf(first)[index] ?? 0;
        return value === 0 ? [] : `${digits(position)}=${digits(value)}`;
      })
      .join(" ");
  const rows = [...grouped(codes, textOf)].filter(([text]) => text !== "");
  return {
    classes: kerned.map((column) => column.map((index) => digits(codes[index] ?? 0)).join(" ")),
    of: rows.flatMap(([, firsts], row) => firsts.map((first) => `${digits(first)}=${row}`)),
    rows: rows.map(([text]) => text),
  };
}

/** The parts of a line, which `engine/Layout/Fonts.luau` reads. */
export function metricsLine(name: string, weight: number, style: string, font: Uint8Array): string {
  const shaper = new Shaper(font);
  const known = CODES.filter((code) => shaper.has(code));
  const advance = new Map(known.map((code) => [code, shaper.advances(code)[0] ?? 0]));
  const found = ligaturesOf(shaper);
  const { classes, of, rows } = kerningOf(shaper, advance, found);
  const ligatures = found.map(
    ({ codes, advance: width }) => `${codes.map(digits).join("+")}=${digits(width)}`,
  );
  return [
    `${name} ${weight} ${style}`,
    String(shaper.box),
    CODES.map((code) => (advance.has(code) ? digits(advance.get(code) ?? 0) : "")).join(","),
    classes.join(","),
    of.join(","),
    rows.join(";"),
    ligatures.join(","),
  ].join("|");
}
