/** Pixels of the world with their depths, and how flat polygons and balls get there. */
import { by255 } from "../surface.ts";

export interface WorldCanvas {
  readonly width: number;
  readonly height: number;
  /** Red, green, blue, alpha. */
  readonly pixels: Uint8Array;
  /** One by the depth; 0 where nothing is yet. */
  readonly nearness: Float32Array;
}

/** 0 to 255, and the opacity, 0 to 255. */
export interface Tone {
  readonly red: number;
  readonly green: number;
  readonly blue: number;
  readonly alpha: number;
}

export function put(canvas: WorldCanvas, index: number, { red, green, blue, alpha }: Tone): void {
  const { pixels } = canvas;
  const at = index * 4;
  if (alpha === 255) {
    pixels[at] = red;
    pixels[at + 1] = green;
    pixels[at + 2] = blue;
    pixels[at + 3] = 255;
    return;
  }
  const rest = 255 - alpha;
  pixels[at] = by255(red * alpha + (pixels[at] ?? 0) * rest);
  pixels[at + 1] = by255(green * alpha + (pixels[at + 1] ?? 0) * rest);
  pixels[at + 2] = by255(blue * alpha + (pixels[at + 2] ?? 0) * rest);
}

/** One by the depth at a pixel's middle is `constant + acrossX * x + downY * y`. */
export interface Plane {
  readonly constant: number;
  readonly acrossX: number;
  readonly downY: number;
}

/** Fills a convex polygon of `count` corners, x and y in turn, with the pixels whose middles are in it. */
export function fillPolygon(
  canvas: WorldCanvas,
  corners: Float64Array,
  count: number,
  plane: Plane,
  tone: Tone,
): void {
  let [top, bottom] = [Infinity, -Infinity];
  for (let at = 1; at < count * 2; at += 2) {
    const y = corners[at] ?? 0;
    if (y < top) top = y;
    if (y > bottom) bottom = y;
  }
  const first = Math.max(0, Math.ceil(top - 0.5));
  const end = Math.min(canvas.height, Math.ceil(bottom - 0.5));
  for (let y = first; y < end; y += 1) {
    const middle = y + 0.5;
    let [left, right] = [Infinity, -Infinity];
    let fromX = corners[count * 2 - 2] ?? 0;
    let fromY = corners[count * 2 - 1] ?? 0;
    for (let at = 0; at < count * 2; at += 2) {
      const toX = corners[at] ?? 0;
      const toY = corners[at + 1] ?? 0;
      if (fromY <= middle !== toY <= middle) {
        // From the upper end, so that two polygons find the same point of the edge between them.
        const x =
          fromY < toY
            ? fromX + ((middle - fromY) * (toX - fromX)) / (toY - fromY)
            : toX + ((middle - toY) * (fromX - toX)) / (fromY - toY);
        if (x < left) left = x;
        if (x > right) right = x;
      }
      fromX = toX;
      fromY = toY;
    }
    fillSpan(
      canvas,
      y,
      Math.max(0, Math.ceil(left - 0.5)),
      Math.min(canvas.width, Math.ceil(right - 0.5)),
      plane,
      tone,
    );
  }
}

function fillSpan(
  canvas: WorldCanvas,
  y: number,
  left: number,
  right: number,
  plane: Plane,
  tone: Tone,
): void {
  const { nearness, width } = canvas;
  const isOpaque = tone.alpha === 255;
  let near = plane.constant + plane.downY * (y + 0.5) + plane.acrossX * (left + 0.5);
  for (let index = y * width + left, end = y * width + right; index < end; index += 1) {
    if (near > (nearness[index] ?? 0)) {
      if (isOpaque) nearness[index] = near;
      put(canvas, index, tone);
    }
    near += plane.acrossX;
  }
}
