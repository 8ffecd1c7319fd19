/** What a camera sees, on a picture of a size: the way from points of the world to pixels. */

/** In the order in which a scene has them: position, axes to the right, up and back, and how far the view reaches at depth 1. */
export interface View {
  readonly position: readonly [number, number, number];
  readonly right: readonly [number, number, number];
  readonly up: readonly [number, number, number];
  readonly back: readonly [number, number, number];
  readonly reachX: number;
  readonly reachY: number;
  readonly width: number;
  readonly height: number;
}

export const VIEW_NUMBERS = 14;

type Three = readonly [number, number, number];

export function readView(numbers: Float32Array, width: number, height: number): View {
  const three = (at: number): Three => [numbers[at] ?? 0, numbers[at + 1] ?? 0, numbers[at + 2] ?? 0];
  return {
    position: three(0),
    right: three(3),
    up: three(6),
    back: three(9),
    reachX: numbers[12] ?? 1,
    reachY: numbers[13] ?? 1,
    width,
    height,
  };
}

const dot = (one: Three, x: number, y: number, z: number): number => one[0] * x + one[1] * y + one[2] * z;

/** A direction of the world, as the camera has it. */
export function turnedToView(view: View, x: number, y: number, z: number): [number, number, number] {
  return [dot(view.right, x, y, z), dot(view.up, x, y, z), dot(view.back, x, y, z)];
}

/** A point of the world, as the camera has it; what is before the camera has a negative z. */
export function pointInView(view: View, x: number, y: number, z: number): [number, number, number] {
  const [px, py, pz] = view.position;
  return turnedToView(view, x - px, y - py, z - pz);
}
