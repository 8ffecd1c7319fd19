/**
 * Reads the widths of a TrueType or OpenType font out of its tables: advances, kerning and ligatures of Latin texts, which is
 * what metrics-line.ts asks for. Formats: https://learn.microsoft.com/typography/opentype/spec/.
 */
import { characterMap } from "./character-map.ts";
import { kerningOf, type Kern } from "./kerning.ts";
import { joinsOf, type Join } from "./joins.ts";
import { FontTable, tablesIn } from "./tables.ts";
import type { MeasuredFont } from "./metrics-line.ts";

const ADVANCE_BYTES = 4;
const SOFT_HYPHEN = 0xad;
/** The glyph of a character that is not shown. */
const NOTHING = -1;

export class OpenTypeFont implements MeasuredFont {
  readonly box: number;
  readonly #glyphOf: (code: number) => number;
  readonly #kern: Kern;
  readonly #join: Join;
  readonly #widths: FontTable;
  readonly #widthCount: number;

  /** Throws for bytes that are no font, or one without the tables that a text needs. */
  constructor(file: Uint8Array) {
    const tables = tablesIn(file);
    const table = (tag: string): FontTable => {
      const found = tables.get(tag);
      if (found === undefined) throw new Error(`the font has no table ${tag}`);
      return found;
    };
    const lines = table("hhea");
    this.box = lines.i16(4) - lines.i16(6);
    this.#widthCount = lines.u16(34);
    this.#widths = table("hmtx");
    this.#glyphOf = characterMap(table("cmap"));
    this.#kern = kerningOf(tables.get("GPOS"), tables.get("kern"));
    this.#join = joinsOf(tables.get("GSUB"));
  }

  has(code: number): boolean {
    return this.#glyphOf(code) !== 0;
  }

  advances(...codes: readonly number[]): number[] {
    const glyphs = this.#join(codes.map((code) => (code === SOFT_HYPHEN ? NOTHING : this.#glyphOf(code))));
    return glyphs.map((glyph, index) => {
      const next = glyphs[index + 1] ?? NOTHING;
      if (glyph === NOTHING) return 0;
      return this.#width(glyph) + (next === NOTHING ? 0 : this.#kern(glyph, next));
    });
  }

  /** The glyphs at the end share the last width. */
  #width(glyph: number): number {
    return this.#widths.u16(Math.min(glyph, this.#widthCount - 1) * ADVANCE_BYTES);
  }
}
