/** Outlines of rectangles with round corners, and of the rings around them. */
import type { Outline } from "./coverage.ts";

/** From the corner that is its left and upper one before it is turned. */
export interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** Radii of the corners: left and right above, right and left below. */
export type Radii = readonly [number, number, number, number];

export const joins = ["round", "bevel", "miter"] as const;
export type Join = (typeof joins)[number];

/** More than any corner on a screen needs. */
const MOST_STEPS = 96;

/** The way round each corner, as steps to the right and down: where its arc begins, and where it ends. */
const CORNERS = [
  { fromX: -1, fromY: 0, toX: 0, toY: -1, right: 0, below: 0 },
  { fromX: 0, fromY: -1, toX: 1, toY: 0, right: 1, below: 0 },
  { fromX: 1, fromY: 0, toX: 0, toY: 1, right: 1, below: 1 },
  { fromX: 0, fromY: 1, toX: -1, toY: 0, right: 0, below: 1 },
] as const;

/** `isCut` makes straight corners of the same radius. */
export function roundedBox({ x, y, width, height }: Box, radii: Radii, isCut = false): number[] {
  const outline: number[] = [];
  CORNERS.forEach(({ fromX, fromY, toX, toY, right, below }, index) => {
    const radius = Math.min(radii[index] ?? 0, width / 2, height / 2);
    const middleX = x + (right === 1 ? width - radius : radius);
    const middleY = y + (below === 1 ? height - radius : radius);
    const steps = radius <= 0 ? 0 : isCut ? 1 : stepsOf(radius);
    for (let step = 0; step <= steps; step += 1) {
      // Points of a circle without a sine: ((1 - t²) / (1 + t²), 2t / (1 + t²)).
      const part = steps === 0 ? 0 : step / steps;
      const along = (1 - part * part) / (1 + part * part);
      const across = (2 * part) / (1 + part * part);
      outline.push(middleX + radius * (fromX * along + toX * across));
      outline.push(middleY + radius * (fromY * along + toY * across));
    }
  });
  return outline;
}

/** A chord stays within a hundredth of a pixel of its arc, up to a radius of 180. */
function stepsOf(radius: number): number {
  return Math.min(MOST_STEPS, 4 + Math.ceil(9 * Math.sqrt(radius)));
}

/** A box that is larger on each side. */
export function grown({ x, y, width, height }: Box, by: number): Box {
  return { x: x - by, y: y - by, width: Math.max(width + 2 * by, 0), height: Math.max(height + 2 * by, 0) };
}

/**
 * What lies between the box grown by `inner` and the box grown by `outer`, which is the larger one. Round corners stay
 * round; `join` says what becomes of others.
 */
export function ring(box: Box, radii: Radii, inner: number, outer: number, join: Join): Outline[] {
  const radiiOf = (by: number): Radii => {
    const grow = (radius: number): number =>
      radius > 0 ? Math.max(radius + by, 0) : join === "miter" ? 0 : Math.max(by, 0);
    return [grow(radii[0]), grow(radii[1]), grow(radii[2]), grow(radii[3])];
  };
  const isCut = join === "bevel" && radii.every((radius) => radius <= 0);
  const around = roundedBox(grown(box, outer), radiiOf(outer), isCut);
  const hole = grown(box, inner);
  if (hole.width <= 0 || hole.height <= 0) return [around];
  return [around, reversed(roundedBox(hole, radiiOf(inner), isCut && inner > 0))];
}

function reversed(outline: readonly number[]): number[] {
  const turned: number[] = [];
  for (let at = outline.length - 2; at >= 0; at -= 2) turned.push(outline[at] ?? 0, outline[at + 1] ?? 0);
  return turned;
}
