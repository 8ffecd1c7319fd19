/** What HarfBuzz says of the widths of a font, so that nothing that reads them later must know the font's tables. */
import { Blob, Buffer as ShapeBuffer, Face, Font, shape } from "harfbuzzjs";
import type { MeasuredFont } from "../../src/headless/fonts/metrics-line.ts";

/** A font whose texts HarfBuzz shapes, with all of its tables. */
export class ShapedFont implements MeasuredFont {
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
