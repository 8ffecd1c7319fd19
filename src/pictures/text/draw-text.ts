/** Draws a line of glyphs on an object that may be turned. */
import { fillOutlines } from "../shapes/coverage.ts";
import { isTurned, turned, type Place } from "../shapes/place.ts";
import { common, isEmpty, paintRow, type Area, type Paint, type Surface } from "../surface.ts";
import type { GlyphMask, GlyphMasks } from "./glyph-masks.ts";
import { glyphOutlines, type FontFace } from "./outlines.ts";

export interface GlyphRun {
  readonly face: FontFace;
  /** Height of the font's box, in pixels of the picture. */
  readonly box: number;
  /** Thickness of a line around the glyphs; 0 for the glyphs themselves. */
  readonly stroke: number;
  /** For each glyph: its code, and its origin on the picture before its object is turned. */
  readonly glyphs: readonly number[];
}

export function drawGlyphs(
  surface: Surface,
  clip: Area,
  place: Place,
  run: GlyphRun,
  paint: Paint,
  masks: GlyphMasks,
): void {
  const { glyphs } = run;
  for (let at = 0; at < glyphs.length; at += 3) {
    const code = glyphs[at] ?? 0;
    const x = glyphs[at + 1] ?? 0;
    const y = glyphs[at + 2] ?? 0;
    if (isTurned(place)) drawTurned(surface, clip, place, run, paint, code, x, y);
    else drawUpright(surface, clip, run, paint, masks, code, x, y);
  }
}

/** Letters stand on whole rows of pixels. */
function drawUpright(
  surface: Surface,
  clip: Area,
  { face, box, stroke }: GlyphRun,
  paint: Paint,
  masks: GlyphMasks,
  code: number,
  x: number,
  y: number,
): void {
  const left = Math.floor(x);
  const top = Math.floor(y + 0.5);
  const mask = masks.get(face, code, box, x - left, stroke);
  if (mask !== undefined) paintMask(surface, clip, mask, left, top, paint);
}

let part = new Uint8Array(256);

function paintMask(surface: Surface, clip: Area, mask: GlyphMask, x: number, y: number, paint: Paint): void {
  const width = mask.right - mask.left;
  const whole = { left: x + mask.left, top: y + mask.top, right: x + mask.right, bottom: y + mask.bottom };
  const shown = common(common(surface, clip), whole);
  if (isEmpty(shown)) return;
  const count = shown.right - shown.left;
  if (part.length < count) part = new Uint8Array(count * 2);
  for (let row = shown.top; row < shown.bottom; row += 1) {
    const from = (row - whole.top) * width + shown.left - whole.left;
    part.set(mask.cover.subarray(from, from + count));
    paintRow(surface, shown.left, row, part, count, paint);
  }
}

/** A stroke around turned text is drawn as copies of the letters around them. */
function drawTurned(
  surface: Surface,
  clip: Area,
  place: Place,
  { face, box, stroke }: GlyphRun,
  paint: Paint,
  code: number,
  x: number,
  y: number,
): void {
  const glyph = face.glyph(code);
  if (glyph === undefined) return;
  const scale = box / (face.ascent + face.descent);
  const draw = (dx: number, dy: number): void =>
    fillOutlines(surface, clip, turned(glyphOutlines(glyph, x + dx, y + dy, scale), place), paint);
  if (stroke <= 0) draw(0, 0);
  else for (const [dx, dy] of AROUND) draw(dx * stroke, dy * stroke);
}

const DIAGONAL = 0.7071;
const AROUND = [
  [1, 0],
  [DIAGONAL, DIAGONAL],
  [0, 1],
  [-DIAGONAL, DIAGONAL],
  [-1, 0],
  [-DIAGONAL, -DIAGONAL],
  [0, -1],
  [DIAGONAL, -DIAGONAL],
] as const;
