/** Draws one part with flat sides: cuts its faces at the near plane, and gives the polygons to the canvas. */
import { fillPolygon, type Plane, type Tone, type WorldCanvas } from "./canvas.ts";
import { brightness, PART } from "./parts.ts";
import type { Shape } from "./solids.ts";
import { pointInView, turnedToView, type View } from "./view.ts";

/** UNVERIFIED(near-plane): Studio shows nothing that is nearer than this. */
export const NEAR = 0.1;

/** Faces have at most the sides of a cylinder's end, and cutting adds a corner. */
const MOST_CORNERS = 32;

const inView = new Float64Array(3 * 64);
const cut = new Float64Array(3 * MOST_CORNERS);
const flat = new Float64Array(2 * MOST_CORNERS);

type Three = readonly [number, number, number];

export function colourOf(parts: Float32Array, at: number, light: number): Tone {
  const channel = (index: number): number => {
    const value = (parts[at + PART.colour + index] ?? 0) * light;
    return value <= 0 ? 0 : value >= 1 ? 255 : Math.floor(value * 255 + 0.5);
  };
  const opacity = 1 - (parts[at + PART.transparency] ?? 0);
  const alpha = opacity <= 0 ? 0 : opacity >= 1 ? 255 : Math.floor(opacity * 255 + 0.5);
  return { red: channel(0), green: channel(1), blue: channel(2), alpha };
}

export function drawSolid(
  canvas: WorldCanvas,
  view: View,
  parts: Float32Array,
  at: number,
  shape: Shape,
): void {
  const vector = (field: number): Three => [
    parts[at + field] ?? 0,
    parts[at + field + 1] ?? 0,
    parts[at + field + 2] ?? 0,
  ];
  const [px, py, pz] = vector(PART.position);
  const middle = pointInView(view, px, py, pz);
  const [sx, sy, sz] = vector(PART.size);
  const axes = [vector(PART.xAxis), vector(PART.yAxis), vector(PART.zAxis)] as const;
  const [x, y, z] = axes.map((axis) => turnedToView(view, ...axis));
  if (x === undefined || y === undefined || z === undefined) return;
  shape.points.forEach(([a, b, c], index) => {
    for (let axis = 0; axis < 3; axis += 1)
      inView[index * 3 + axis] =
        (middle[axis] ?? 0) + (x[axis] ?? 0) * a * sx + (y[axis] ?? 0) * b * sy + (z[axis] ?? 0) * c * sz;
  });
  for (const { corners, normal } of shape.faces) {
    // A normal of a stretched solid is stretched the other way.
    const [na, nb, nc] = [normal[0] * sy * sz, normal[1] * sx * sz, normal[2] * sx * sy];
    const world = [0, 1, 2].map(
      (axis) => (axes[0][axis] ?? 0) * na + (axes[1][axis] ?? 0) * nb + (axes[2][axis] ?? 0) * nc,
    );
    const [wx = 0, wy = 0, wz = 0] = world;
    const own = turnedToView(view, wx, wy, wz);
    const first = (corners[0] ?? 0) * 3;
    const away =
      own[0] * (inView[first] ?? 0) + own[1] * (inView[first + 1] ?? 0) + own[2] * (inView[first + 2] ?? 0);
    // The face looks away from the camera.
    if (away >= 0) continue;
    const count = project(view, corners);
    if (count < 3) continue;
    const length = Math.sqrt(wx * wx + wy * wy + wz * wz);
    const light = length > 0 ? brightness(wx / length, wy / length, wz / length) : 1;
    fillPolygon(canvas, flat, count, planeOf(view, own, away), colourOf(parts, at, light));
  }
}

/** From normal · point = away, where a point is its depth times the ray through its pixel. */
function planeOf(view: View, normal: Three, away: number): Plane {
  const [nx, ny, nz] = normal;
  return {
    constant: (-nx * view.reachX + ny * view.reachY - nz) / away,
    acrossX: (nx * 2 * view.reachX) / (view.width * away),
    downY: (-ny * 2 * view.reachY) / (view.height * away),
  };
}

/** Cuts a face at the near plane and puts it on the picture; returns how many corners it has there. */
function project(view: View, corners: readonly number[]): number {
  let count = 0;
  let from = (corners.at(-1) ?? 0) * 3;
  for (const corner of corners) {
    const to = corner * 3;
    const fromDepth = -(inView[from + 2] ?? 0) - NEAR;
    const toDepth = -(inView[to + 2] ?? 0) - NEAR;
    if (fromDepth >= 0 !== toDepth >= 0) {
      const part = fromDepth / (fromDepth - toDepth);
      for (let axis = 0; axis < 3; axis += 1) {
        const start = inView[from + axis] ?? 0;
        cut[count * 3 + axis] = start + ((inView[to + axis] ?? 0) - start) * part;
      }
      count += 1;
    }
    if (toDepth >= 0) {
      for (let axis = 0; axis < 3; axis += 1) cut[count * 3 + axis] = inView[to + axis] ?? 0;
      count += 1;
    }
    from = to;
  }
  for (let index = 0; index < count; index += 1) {
    const depth = -(cut[index * 3 + 2] ?? 0);
    flat[index * 2] = (((cut[index * 3] ?? 0) / (depth * view.reachX) + 1) / 2) * view.width;
    flat[index * 2 + 1] = ((1 - (cut[index * 3 + 1] ?? 0) / (depth * view.reachY)) / 2) * view.height;
  }
  return count;
}
