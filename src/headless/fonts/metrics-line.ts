/**
 * The widths of a font as one line of text, which `engine/Layout/Fonts.luau` reads: the height of its box, the advance of each
 * character, what pairs add to it, and ligatures.
 */

/** A font that says how wide it sets texts, in its own units. */
export interface MeasuredFont {
  /** From the lowest to the highest point of a line. */
  readonly box: number;
  has(code: number): boolean;
  /** One number for each glyph; fewer than characters where some of them join. */
  advances(...codes: readonly number[]): number[];
}

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

/** The codes, for the line before those of faces. */
export const codesLine = (): string => CODES.map(digits).join(",");

interface Ligature {
  readonly codes: readonly number[];
  readonly advance: number;
}

/** `fi` and `ffi` as one glyph. A font may have `ffi` without `ff`. */
function ligaturesOf(font: MeasuredFont): Ligature[] {
  const letters = LETTERS.filter((code) => font.has(code));
  const isOne = (codes: readonly number[]): boolean => font.advances(...codes).length === 1;
  const pairs = letters.flatMap((first) => letters.map((second) => [first, second])).filter(isOne);
  const starts = new Map([[F, F], ...pairs].map((pair) => [pair.join(), pair]));
  const triples = [...starts.values()]
    .flatMap((pair) => letters.map((third) => [...pair, third]))
    .filter(isOne);
  return [...pairs, ...triples].map((codes) => ({ codes, advance: font.advances(...codes)[0] ?? 0 }));
}

/** The characters of each ligature of a font, in the order of their codes. */
export const ligaturesIn = (font: MeasuredFont): (readonly number[])[] =>
  ligaturesOf(font).map(({ codes }) => codes);

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
  font: MeasuredFont,
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
        const shaped = font.advances(...first, ...second);
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

export function metricsLine(name: string, weight: number, style: string, font: MeasuredFont): string {
  const known = CODES.filter((code) => font.has(code));
  const advance = new Map(known.map((code) => [code, font.advances(code)[0] ?? 0]));
  const found = ligaturesOf(font);
  const { classes, of, rows } = kerningOf(font, advance, found);
  const ligatures = found.map(
    ({ codes, advance: width }) => `${codes.map(digits).join("+")}=${digits(width)}`,
  );
  return [
    `${name} ${weight} ${style}`,
    String(font.box),
    CODES.map((code) => (advance.has(code) ? digits(advance.get(code) ?? 0) : "")).join(","),
    classes.join(","),
    of.join(","),
    rows.join(";"),
    ligatures.join(","),
  ].join("|");
}
