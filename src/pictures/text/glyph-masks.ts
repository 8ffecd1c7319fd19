/** Glyphs as masks of pixels, kept because the same ones come again and again; with a stroke around them, if there is one. */
import { boundsOf, maskOf } from "../shapes/coverage.ts";
import type { Area } from "../surface.ts";
import { glyphOutlines, type FontFace } from "./outlines.ts";

export interface GlyphMask extends Area {
  readonly cover: Uint8Array;
}

/** Places between two pixels that a glyph can have. */
const SUBPIXELS = 4;
const MOST_MASKS = 4_000;

export class GlyphMasks {
  #masks = new Map<string, GlyphMask | undefined>();

  /**
   * The mask of a glyph whose origin is at `x` between two pixels, from 0 to 1. `box` is the height of the font's box in
   * pixels, `stroke` the thickness of a line around the glyph. Undefined for one that shows nothing.
   */
  get(face: FontFace, code: number, box: number, x: number, stroke: number): GlyphMask | undefined {
    const quarter = Math.floor(x * SUBPIXELS + 0.5);
    const key = `${face.family} ${face.weight} ${face.isItalic} ${code} ${box} ${quarter} ${stroke}`;
    const known = this.#masks.get(key);
    if (known !== undefined || this.#masks.has(key)) return known;
    if (this.#masks.size >= MOST_MASKS) this.#masks.clear();
    const made = makeMask(face, code, box, quarter / SUBPIXELS, stroke);
    this.#masks.set(key, made);
    return made;
  }
}

function makeMask(
  face: FontFace,
  code: number,
  box: number,
  x: number,
  stroke: number,
): GlyphMask | undefined {
  const glyph = face.glyph(code);
  if (glyph === undefined || glyph.contours.length === 0) return undefined;
  const outlines = glyphOutlines(glyph, x, 0, box / (face.ascent + face.descent));
  const bounds = boundsOf(outlines);
  const around = Math.ceil(stroke + 0.5);
  const area: Area = {
    left: bounds.left - around,
    top: bounds.top - around,
    right: bounds.right + around,
    bottom: bounds.bottom + around,
  };
  const cover = maskOf(area, outlines);
  if (stroke > 0) addStroke(cover, area, outlines, stroke);
  return { ...area, cover };
}

/** Adds what is at most `stroke` away from the outline, with an edge as soft as a pixel. */
function addStroke(
  cover: Uint8Array,
  area: Area,
  outlines: readonly (readonly number[])[],
  stroke: number,
): void {
  const width = area.right - area.left;
  const reach = stroke + 0.5;
  for (const outline of outlines)
    for (let at = 0; at < outline.length; at += 2) {
      const x0 = outline.at(at - 2) ?? 0;
      const y0 = outline.at(at - 1) ?? 0;
      const dx = (outline[at] ?? 0) - x0;
      const dy = (outline[at + 1] ?? 0) - y0;
      const length = dx * dx + dy * dy;
      const top = Math.max(area.top, Math.floor(Math.min(y0, y0 + dy) - reach));
      const bottom = Math.min(area.bottom, Math.ceil(Math.max(y0, y0 + dy) + reach));
      const left = Math.max(area.left, Math.floor(Math.min(x0, x0 + dx) - reach));
      const right = Math.min(area.right, Math.ceil(Math.max(x0, x0 + dx) + reach));
      for (let y = top; y < bottom; y += 1)
        for (let x = left; x < right; x += 1) {
          const px = x + 0.5 - x0;
          const py = y + 0.5 - y0;
          const part = length > 0 ? Math.max(0, Math.min(1, (px * dx + py * dy) / length)) : 0;
          const awayX = px - dx * part;
          const awayY = py - dy * part;
          const near = reach - Math.sqrt(awayX * awayX + awayY * awayY);
          if (near <= 0) continue;
          const index = (y - area.top) * width + x - area.left;
          const covered = near >= 1 ? 255 : Math.floor(near * 255 + 0.5);
          if (covered > (cover[index] ?? 0)) cover[index] = covered;
        }
    }
}
