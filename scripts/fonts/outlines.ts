/**
 * The outlines of a font's glyphs, for pictures: numbers as varints, which `src/pictures/text/outlines.ts` reads. A glyph has
 * the code that the font's metrics give it, ligatures too.
 */
import { Blob, Buffer as ShapeBuffer, DrawFuncs, Face, Font, shape } from "harfbuzzjs";
import { CODES, FIRST_LIGATURE, ligaturesIn } from "../../src/headless/fonts/metrics-line.ts";
import { ShapedFont } from "./metrics.ts";

const LINE = 0;
const QUADRATIC = 1;
const CUBIC = 2;

/** Numbers of any sign, seven bits a byte. */
class Varints {
  readonly bytes: number[] = [];

  add(...values: readonly number[]): void {
    for (const value of values) {
      let rest = value < 0 ? -value * 2 - 1 : value * 2;
      while (rest >= 0x80) {
        this.bytes.push((rest & 0x7f) | 0x80);
        rest = Math.floor(rest / 0x80);
      }
      this.bytes.push(rest);
    }
  }
}

/** Contours of one glyph: its segments, each point as its way from the one before. */
class Pen {
  readonly contours: number[][] = [];
  #x = 0;
  #y = 0;

  moveTo(x: number, y: number): void {
    this.contours.push([...this.#step(x, y)]);
  }

  segment(kind: number, ...points: readonly number[]): void {
    const steps: number[] = [];
    for (let at = 0; at < points.length; at += 2)
      steps.push(...this.#step(points[at] ?? 0, points[at + 1] ?? 0));
    this.contours.at(-1)?.push(kind, ...steps);
  }

  #step(x: number, y: number): [number, number] {
    const step: [number, number] = [Math.round(x) - this.#x, Math.round(y) - this.#y];
    this.#x = Math.round(x);
    this.#y = Math.round(y);
    return step;
  }
}

class Drawer {
  readonly #font: Font;
  readonly #face: Face;
  readonly #draws = new DrawFuncs();
  readonly #buffer = new ShapeBuffer();
  #pen = new Pen();

  constructor(file: Uint8Array) {
    this.#face = new Face(new Blob(file), 0);
    this.#font = new Font(this.#face);
    const unitsPerEm = this.#table("head").getUint16(18);
    this.#font.setScale(unitsPerEm, unitsPerEm);
    this.#draws.setMoveToFunc((x, y) => this.#pen.moveTo(x, y));
    this.#draws.setLineToFunc((x, y) => this.#pen.segment(LINE, x, y));
    this.#draws.setQuadraticToFunc((cx, cy, x, y) => this.#pen.segment(QUADRATIC, cx, cy, x, y));
    this.#draws.setCubicToFunc((...points) => this.#pen.segment(CUBIC, ...points.slice(0, 6).map(Number)));
    this.#draws.setClosePathFunc(() => {});
  }

  /** How far the box of the font reaches above and below the line on which letters stand. */
  lines(): [number, number] {
    const table = this.#table("hhea");
    return [table.getInt16(4), -table.getInt16(6)];
  }

  /** The glyph for these characters, where they are one. */
  glyphOf(codes: readonly number[]): number {
    this.#buffer.reset();
    this.#buffer.addCodePoints([...codes]);
    this.#buffer.setScript("Latn");
    this.#buffer.guessSegmentProperties();
    shape(this.#font, this.#buffer);
    return this.#buffer.getGlyphInfos()[0]?.codepoint ?? 0;
  }

  contours(glyph: number): number[][] {
    this.#pen = new Pen();
    this.#font.drawGlyph(glyph, this.#draws, undefined);
    return this.#pen.contours.filter((contour) => contour.length > 2);
  }

  has(code: number): boolean {
    return this.#font.nominalGlyph(code) !== undefined;
  }

  #table(tag: string): DataView {
    const bytes = this.#face.referenceTable(tag);
    if (bytes === undefined) throw new Error(`the font has no table ${tag}`);
    // The memory of HarfBuzz may move.
    return new DataView(bytes.slice().buffer);
  }
}

/** One face: its name, its weight, 1 for an italic one, its box, and each glyph behind its code and its number of bytes. */
export function outlinesOf(name: string, weight: number, isItalic: boolean, file: Uint8Array): Uint8Array {
  const drawer = new Drawer(file);
  const glyphs = [
    ...CODES.filter((code) => drawer.has(code)).map((code) => ({ code, codes: [code] })),
    ...ligaturesIn(new ShapedFont(file)).map((codes, index) => ({ code: FIRST_LIGATURE + index, codes })),
  ];
  const face = new Varints();
  const nameBytes = Buffer.from(name, "latin1");
  face.add(nameBytes.length, ...nameBytes, weight, isItalic ? 1 : 0, ...drawer.lines(), glyphs.length);
  for (const { code, codes } of glyphs) {
    const glyph = new Varints();
    const contours = drawer.contours(drawer.glyphOf(codes));
    glyph.add(contours.length);
    for (const contour of contours) glyph.add(contour.length, ...contour);
    face.add(code, glyph.bytes.length);
    for (const byte of glyph.bytes) face.bytes.push(byte);
  }
  return Uint8Array.from(face.bytes);
}
