/** The world behind the interface: parts with flat shading, before a plain sky and a plain ground. */
import type { WorldCanvas } from "./canvas.ts";
import { drawBall } from "./draw-ball.ts";
import { drawSolid, NEAR } from "./draw-solid.ts";
import { PART, PART_NUMBERS } from "./parts.ts";
import { shapes, solids } from "./solids.ts";
import { pointInView, readView, VIEW_NUMBERS, type View } from "./view.ts";

const SKY = [158, 196, 230] as const;
const GROUND = [112, 120, 116] as const;

/** Each pixel is the mean of this many points across and down. It costs twice the time of one: 116 ms for 10,000 parts, not 49. */
const POINTS = 2;
/** A larger picture has one point for a pixel, because the points and their depths need eight bytes each. */
const MOST_SMOOTH_PIXELS = 4_194_304;

/** `scene`: what a camera has, as readView reads it, then the parts. */
export function drawWorld(pixels: Uint8Array, width: number, height: number, scene: Float32Array): void {
  if (width * height > MOST_SMOOTH_PIXELS) return drawPoints(pixels, width, height, scene);
  const points = new Uint8Array(width * height * POINTS * POINTS * 4);
  drawPoints(points, width * POINTS, height * POINTS, scene);
  takeMeans(points, pixels, width, height);
}

function takeMeans(points: Uint8Array, pixels: Uint8Array, width: number, height: number): void {
  const row = width * POINTS * 4;
  for (let y = 0, to = 0; y < height; y += 1)
    for (let x = 0, from = y * POINTS * row; x < width; x += 1, from += POINTS * 4)
      for (let end = to + 4, at = from; to < end; to += 1, at += 1)
        pixels[to] =
          ((points[at] ?? 0) +
            (points[at + 4] ?? 0) +
            (points[at + row] ?? 0) +
            (points[at + row + 4] ?? 0) +
            2) >>
          2;
}

function drawPoints(pixels: Uint8Array, width: number, height: number, scene: Float32Array): void {
  const view = readView(scene, width, height);
  const canvas: WorldCanvas = { width, height, pixels, nearness: new Float32Array(width * height) };
  drawGround(canvas, view);
  const seen: { readonly at: number; readonly depth: number }[] = [];
  for (let at = VIEW_NUMBERS; at < scene.length; at += PART_NUMBERS) {
    const depth = depthOf(view, scene, at);
    if (depth === undefined) continue;
    if ((scene[at + PART.transparency] ?? 0) > 0) seen.push({ at, depth });
    else drawPart(canvas, view, scene, at);
  }
  // What shines through comes last, the farthest first.
  for (const { at } of seen.sort((one, other) => other.depth - one.depth || one.at - other.at))
    drawPart(canvas, view, scene, at);
}

function drawPart(canvas: WorldCanvas, view: View, scene: Float32Array, at: number): void {
  const solid = solids[scene[at + PART.solid] ?? 0] ?? "Block";
  if (solid === "Ball") drawBall(canvas, view, scene, at);
  else drawSolid(canvas, view, scene, at, shapes[solid]);
}

/** The depth of the middle of a part; undefined for one that is outside of the view. */
function depthOf(view: View, scene: Float32Array, at: number): number | undefined {
  const [x, y, z] = pointInView(view, scene[at] ?? 0, scene[at + 1] ?? 0, scene[at + 2] ?? 0);
  const size = (index: number): number => scene[at + PART.size + index] ?? 0;
  const radius = Math.sqrt(size(0) * size(0) + size(1) * size(1) + size(2) * size(2)) / 2;
  const depth = -z;
  if (depth + radius < NEAR) return undefined;
  // The sides of the view are planes through the camera.
  const beside = (along: number, reach: number): boolean =>
    (along < 0 ? -along : along) - depth * reach > radius * Math.sqrt(1 + reach * reach);
  return beside(x, view.reachX) || beside(y, view.reachY) ? undefined : depth;
}

/** A ray that rises shows the sky, any other one the ground. */
function drawGround({ pixels, width, height }: WorldCanvas, view: View): void {
  const rowOf = (colour: readonly [number, number, number]): Uint8Array =>
    Uint8Array.from({ length: width * 4 }, (_, at) => colour[at % 4] ?? 255);
  const [sky, ground] = [rowOf(SKY), rowOf(GROUND)];
  for (let y = 0; y < height; y += 1) {
    const ry = (1 - (2 * (y + 0.5)) / height) * view.reachY;
    const isSky = (x: number): boolean =>
      ((2 * (x + 0.5)) / width - 1) * view.reachX * view.right[1] + ry * view.up[1] - view.back[1] > 0;
    const start = y * width * 4;
    const isFirst = isSky(0);
    pixels.set(isFirst ? sky : ground, start);
    if (isSky(width - 1) === isFirst) continue;
    // A row meets the horizon once: where that is, is found by halves.
    let [same, other] = [0, width - 1];
    while (other - same > 1) {
      const middle = (same + other) >> 1;
      if (isSky(middle) === isFirst) same = middle;
      else other = middle;
    }
    pixels.set((isFirst ? ground : sky).subarray(other * 4), start + other * 4);
  }
}
