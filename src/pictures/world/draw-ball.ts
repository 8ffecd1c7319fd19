/** Draws one ball: each pixel's ray meets it or does not. */
import { put, type WorldCanvas } from "./canvas.ts";
import { colourOf, NEAR } from "./draw-solid.ts";
import { brightness, PART } from "./parts.ts";
import { pointInView, type View } from "./view.ts";

export function drawBall(canvas: WorldCanvas, view: View, parts: Float32Array, at: number): void {
  const field = (name: keyof typeof PART, index: number): number => parts[at + PART[name] + index] ?? 0;
  const radius = Math.min(field("size", 0), field("size", 1), field("size", 2)) / 2;
  const [mx, my, mz] = pointInView(view, field("position", 0), field("position", 1), field("position", 2));
  const depth = -mz;
  if (depth + radius <= NEAR || radius <= 0) return;
  const bounds = depth - radius > NEAR ? boundsOf(view, mx, my, depth - radius, radius) : wholeView(view);
  const inside = mx * mx + my * my + mz * mz - radius * radius;
  for (let y = bounds.top; y < bounds.bottom; y += 1) {
    const ry = (1 - (2 * (y + 0.5)) / view.height) * view.reachY;
    for (let x = bounds.left; x < bounds.right; x += 1) {
      const rx = ((2 * (x + 0.5)) / view.width - 1) * view.reachX;
      // The ray is (rx, ry, -1) times the depth.
      const squared = rx * rx + ry * ry + 1;
      const half = rx * mx + ry * my - mz;
      const root = half * half - squared * inside;
      if (root <= 0) continue;
      const hit = (half - Math.sqrt(root)) / squared;
      const near = 1 / hit;
      const index = y * canvas.width + x;
      if (hit <= NEAR || near <= (canvas.nearness[index] ?? 0)) continue;
      const [nx, ny, nz] = [(rx * hit - mx) / radius, (ry * hit - my) / radius, (-hit - mz) / radius];
      const axis = (of: 0 | 1 | 2): number => view.right[of] * nx + view.up[of] * ny + view.back[of] * nz;
      const tone = colourOf(parts, at, brightness(axis(0), axis(1), axis(2)));
      if (tone.alpha === 255) canvas.nearness[index] = near;
      put(canvas, index, tone);
    }
  }
}

const wholeView = ({ width, height }: View) => ({ left: 0, top: 0, right: width, bottom: height });

/** A box around the ball's box as seen at its nearest depth, or at a farther one where that reaches farther out. */
function boundsOf(view: View, x: number, y: number, nearest: number, radius: number) {
  const farthest = nearest + 2 * radius;
  const low = (middle: number): number => Math.min((middle - radius) / nearest, (middle - radius) / farthest);
  const high = (middle: number): number =>
    Math.max((middle + radius) / nearest, (middle + radius) / farthest);
  const across = (part: number): number => ((part / view.reachX + 1) / 2) * view.width;
  const down = (part: number): number => ((1 - part / view.reachY) / 2) * view.height;
  return {
    left: Math.max(0, Math.floor(across(low(x)))),
    right: Math.min(view.width, Math.ceil(across(high(x)))),
    top: Math.max(0, Math.floor(down(high(y)))),
    bottom: Math.min(view.height, Math.ceil(down(low(y)))),
  };
}
