/** A picture that is being painted: four bytes a pixel, colours multiplied by their alpha, and how paint is laid over it. */

/** Pixels of a picture, from `left` and `top` up to, not including, `right` and `bottom`. */
export interface Area {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

export interface Surface extends Area {
  readonly width: number;
  readonly height: number;
  /** Row by row, red, green, blue, alpha; the first three at most as large as the last. */
  readonly pixels: Uint8Array;
}

/** Each channel from 0 to 1, not multiplied. */
export interface Colour {
  readonly r: number;
  readonly g: number;
  readonly b: number;
  readonly a: number;
}

/** Gives `count` pixels of row `y` from `x` on, as bytes multiplied by alpha. */
export type Shader = (x: number, y: number, count: number, into: Uint8Array) => void;
export type Paint = Colour | Shader;

export function makeSurface(area: Area): Surface {
  const width = Math.max(area.right - area.left, 0);
  const height = Math.max(area.bottom - area.top, 0);
  return { ...area, width, height, pixels: new Uint8Array(width * height * 4) };
}

export function common(one: Area, other: Area): Area {
  const left = Math.max(one.left, other.left);
  const top = Math.max(one.top, other.top);
  return {
    left,
    top,
    right: Math.max(left, Math.min(one.right, other.right)),
    bottom: Math.max(top, Math.min(one.bottom, other.bottom)),
  };
}

export const isEmpty = ({ left, top, right, bottom }: Area): boolean => right <= left || bottom <= top;

/** Division by 255, rounded, for products of two bytes. */
export const by255 = (product: number): number => ((product + 128) * 257) >> 16;

export const byteOf = (part: number): number => (part <= 0 ? 0 : part >= 1 ? 255 : (part * 255 + 0.5) | 0);

let scratch = new Uint8Array(4 * 4096);

/** Lays paint over pixels of one row, as much as `cover` says for each, from 0 to 255. */
export function paintRow(
  surface: Surface,
  x: number,
  y: number,
  cover: Uint8Array,
  count: number,
  paint: Paint,
): void {
  const start = ((y - surface.top) * surface.width + x - surface.left) * 4;
  if (typeof paint !== "function") {
    solidRow(surface.pixels, start, cover, count, paint);
    return;
  }
  if (scratch.length < count * 4) scratch = new Uint8Array(count * 8);
  paint(x, y, count, scratch);
  shadedRow(surface.pixels, start, cover, count, scratch);
}

function solidRow(pixels: Uint8Array, start: number, cover: Uint8Array, count: number, colour: Colour): void {
  const alpha = byteOf(colour.a);
  const red = byteOf(colour.r);
  const green = byteOf(colour.g);
  const blue = byteOf(colour.b);
  for (let index = 0, at = start; index < count; index += 1, at += 4) {
    const covered = cover[index] ?? 0;
    if (covered === 0) continue;
    const own = covered === 255 ? alpha : by255(covered * alpha);
    if (own === 255) {
      pixels[at] = red;
      pixels[at + 1] = green;
      pixels[at + 2] = blue;
      pixels[at + 3] = 255;
      continue;
    }
    const rest = 255 - own;
    pixels[at] = by255(red * own + (pixels[at] ?? 0) * rest);
    pixels[at + 1] = by255(green * own + (pixels[at + 1] ?? 0) * rest);
    pixels[at + 2] = by255(blue * own + (pixels[at + 2] ?? 0) * rest);
    pixels[at + 3] = own + by255((pixels[at + 3] ?? 0) * rest);
  }
}

function shadedRow(
  pixels: Uint8Array,
  start: number,
  cover: Uint8Array,
  count: number,
  shades: Uint8Array,
): void {
  for (let index = 0, at = start, from = 0; index < count; index += 1, at += 4, from += 4) {
    const covered = cover[index] ?? 0;
    const alpha = shades[from + 3] ?? 0;
    if (covered === 0 || alpha === 0) continue;
    const rest = 255 - by255(covered * alpha);
    for (let channel = 0; channel < 4; channel += 1)
      pixels[at + channel] = by255(
        covered * (shades[from + channel] ?? 0) + (pixels[at + channel] ?? 0) * rest,
      );
  }
}

let solid = new Uint8Array(4096).fill(255);

/** Paints a whole area, without soft edges. */
export function paintArea(surface: Surface, area: Area, paint: Paint): void {
  const shown = common(surface, area);
  if (isEmpty(shown)) return;
  const count = shown.right - shown.left;
  if (solid.length < count) solid = new Uint8Array(count * 2).fill(255);
  for (let y = shown.top; y < shown.bottom; y += 1) paintRow(surface, shown.left, y, solid, count, paint);
}

/** The picture as others read it: colours that are not multiplied by alpha. Changes the surface's own bytes. */
export function straightPixels({ pixels }: Surface): Uint8Array {
  for (let at = 0; at < pixels.length; at += 4) {
    const alpha = pixels[at + 3] ?? 0;
    if (alpha === 255 || alpha === 0) continue;
    for (let channel = 0; channel < 3; channel += 1)
      pixels[at + channel] = Math.min(
        255,
        Math.floor(((pixels[at + channel] ?? 0) * 255 + alpha / 2) / alpha),
      );
  }
  return pixels;
}
