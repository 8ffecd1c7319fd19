/** The outlines of free fonts, read from build/glyphs.bin, which scripts/fonts/outlines.ts writes. */

export interface Glyph {
  /** In units of the font: x and y of the start, then kind of segment and its points, each as its way from the one before. */
  readonly contours: readonly (readonly number[])[];
}

export interface FontFace {
  readonly family: string;
  readonly weight: number;
  readonly isItalic: boolean;
  /** How far its box reaches above and below the line on which letters stand. */
  readonly ascent: number;
  readonly descent: number;
  /** Undefined for a character that the font lacks. */
  readonly glyph: (code: number) => Glyph | undefined;
}

const LINE = 0;
const QUADRATIC = 1;

class Reader {
  readonly bytes: Uint8Array;
  at: number;

  constructor(bytes: Uint8Array, at: number) {
    this.bytes = bytes;
    this.at = at;
  }

  number(): number {
    let value = 0;
    let factor = 1;
    for (;;) {
      const byte = this.bytes[this.at] ?? 0;
      this.at += 1;
      value += (byte & 0x7f) * factor;
      if (byte < 0x80) return value % 2 === 0 ? value / 2 : -(value + 1) / 2;
      factor *= 0x80;
    }
  }

  numbers(count: number): number[] {
    return Array.from({ length: count }, () => this.number());
  }
}

function readGlyph(bytes: Uint8Array, at: number): Glyph {
  const reader = new Reader(bytes, at);
  const count = reader.number();
  return { contours: Array.from({ length: count }, () => reader.numbers(reader.number())) };
}

function readFace(reader: Reader): FontFace {
  const family = String.fromCharCode(...reader.numbers(reader.number()));
  const weight = reader.number();
  const isItalic = reader.number() === 1;
  const ascent = reader.number();
  const descent = reader.number();
  const places = new Map<number, number>();
  for (let left = reader.number(); left > 0; left -= 1) {
    const code = reader.number();
    const byteCount = reader.number();
    places.set(code, reader.at);
    reader.at += byteCount;
  }
  const known = new Map<number, Glyph>();
  const glyph = (code: number): Glyph | undefined => {
    const at = places.get(code);
    if (at === undefined) return undefined;
    const made = known.get(code) ?? readGlyph(reader.bytes, at);
    known.set(code, made);
    return made;
  };
  return { family, weight, isItalic, ascent, descent, glyph };
}

/** `file`: a line that says what it was made from, then the faces. */
export function readFaces(file: Uint8Array): FontFace[] {
  const reader = new Reader(file, file.indexOf(10) + 1);
  const faces: FontFace[] = [];
  while (reader.at < file.length) faces.push(readFace(reader));
  return faces;
}

/** What families without outlines are drawn with: one of their kind, as far as there is one. */
const OTHERS: Readonly<Record<string, string>> = {
  LuckiestGuy: "FredokaOne",
  PressStart2P: "Inconsolata",
  RobotoMono: "Inconsolata",
};
const OTHER = "SourceSansPro";

/** The face of a family that is nearest in style and weight; `isOther` where the family has no outlines. */
export function chooseFace(
  faces: readonly FontFace[],
  family: string,
  weight: number,
  isItalic: boolean,
): { readonly face: FontFace; readonly isOther: boolean } | undefined {
  const own = faces.filter((face) => face.family === family);
  const isOther = own.length === 0;
  const among = isOther ? faces.filter((face) => face.family === (OTHERS[family] ?? OTHER)) : own;
  const away = (face: FontFace): number =>
    Math.abs(face.weight - weight) + (face.isItalic === isItalic ? 0 : 10_000);
  const [face] = [...among].sort((one, other) => away(one) - away(other));
  return face === undefined ? undefined : { face, isOther };
}

/** Straight pieces of a curve, at a size at which a glyph is a few hundred pixels high at most. */
const PIECES = 6;

/** The outlines of a glyph with its origin at (x, y), each unit `scale` pixels long, y downwards. */
export function glyphOutlines({ contours }: Glyph, x: number, y: number, scale: number): number[][] {
  let [atX, atY] = [0, 0];
  return contours.map((contour) => {
    atX += contour[0] ?? 0;
    atY += contour[1] ?? 0;
    const points = [x + atX * scale, y - atY * scale];
    for (let at = 2; at < contour.length;) {
      const kind = contour[at] ?? LINE;
      const count = kind === LINE ? 2 : kind === QUADRATIC ? 4 : 6;
      const own = [atX, atY];
      for (let index = 1; index <= count; index += 2) {
        atX += contour[at + index] ?? 0;
        atY += contour[at + index + 1] ?? 0;
        own.push(atX, atY);
      }
      addCurve(points, own, x, y, scale);
      at += count + 1;
    }
    return points;
  });
}

/** De Casteljau's way to the points of a line, a quadratic or a cubic curve. */
function addCurve(points: number[], controls: readonly number[], x: number, y: number, scale: number): void {
  const pieces = controls.length === 4 ? 1 : PIECES;
  for (let piece = 1; piece <= pieces; piece += 1) {
    const part = piece / pieces;
    const left = [...controls];
    for (let count = controls.length - 2; count > 0; count -= 2)
      for (let index = 0; index < count; index += 1)
        left[index] = (left[index] ?? 0) + ((left[index + 2] ?? 0) - (left[index] ?? 0)) * part;
    points.push(x + (left[0] ?? 0) * scale, y - (left[1] ?? 0) * scale);
  }
}
