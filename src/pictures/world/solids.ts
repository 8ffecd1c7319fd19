/** The faces of the solids that parts are, in a cube from -0.5 to 0.5 on each axis. Balls have none: they are traced. */

/** In the order of the numbers by which a scene names them. */
export const solids = ["Block", "Ball", "Cylinder", "Wedge", "CornerWedge"] as const;
export type Solid = (typeof solids)[number];

type Point = readonly [x: number, y: number, z: number];

/** Corners in turn, seen from outside; they lie in one plane. */
export interface Face {
  readonly corners: readonly number[];
  /** Not of length 1; before the solid is stretched. */
  readonly normal: Point;
}

const H = 0.5;
const ORIGIN: Point = [0, 0, 0];
/** The corners of the cube: the sign of x, y and z in the bits 4, 2 and 1. */
const CUBE: readonly Point[] = Array.from({ length: 8 }, (_, index) => [
  index & 4 ? H : -H,
  index & 2 ? H : -H,
  index & 1 ? H : -H,
]);

export interface Shape {
  readonly points: readonly Point[];
  readonly faces: readonly Face[];
}

function face(points: readonly Point[], corners: readonly number[]): Face {
  const [a = ORIGIN, b = ORIGIN, c = ORIGIN] = corners.map((corner) => points[corner] ?? ORIGIN);
  const [ux, uy, uz] = [b[0] - a[0], b[1] - a[1], b[2] - a[2]];
  const [vx, vy, vz] = [c[0] - a[0], c[1] - a[1], c[2] - a[2]];
  const cross: Point = [uy * vz - uz * vy, uz * vx - ux * vz, ux * vy - uy * vx];
  // The middle of the cube is inside of each of these solids, or on one of its faces.
  const middle: Point = middleOf(points);
  const isOut =
    cross[0] * (a[0] - middle[0]) + cross[1] * (a[1] - middle[1]) + cross[2] * (a[2] - middle[2]) >= 0;
  return { corners, normal: isOut ? cross : [-cross[0], -cross[1], -cross[2]] };
}

function middleOf(points: readonly Point[]): Point {
  const sum = [0, 1, 2].map((axis) => points.reduce((total, point) => total + (point[axis] ?? 0), 0));
  const [x = 0, y = 0, z = 0] = sum;
  return [x / points.length, y / points.length, z / points.length];
}

const shape = (points: readonly Point[], faces: readonly (readonly number[])[]): Shape => ({
  points,
  faces: faces.map((corners) => face(points, corners)),
});

const pick = (corners: readonly number[]): Point[] => corners.map((corner) => CUBE[corner] ?? [0, 0, 0]);

const BLOCK = shape(CUBE, [
  [4, 6, 7, 5],
  [0, 1, 3, 2],
  [2, 3, 7, 6],
  [0, 4, 5, 1],
  [1, 5, 7, 3],
  [0, 2, 6, 4],
]);

/** It is as high as the cube at +Z, and falls towards -Z. */
const WEDGE = shape(pick([0, 4, 1, 5, 3, 7]), [
  [0, 1, 3, 2],
  [2, 3, 5, 4],
  [0, 4, 5, 1],
  [0, 2, 4],
  [1, 5, 3],
]);

/** A pyramid with its peak over the corner at (+X, -Z). */
const CORNER_WEDGE = shape(pick([0, 4, 5, 1, 6]), [
  [0, 1, 2, 3],
  [0, 4, 1],
  [1, 4, 2],
  [2, 4, 3],
  [3, 4, 0],
]);

const SIDES = 24;

/** Its axis is X. The points of a quarter come without a sine: ((1 - t²) / (1 + t²), 2t / (1 + t²)). */
function cylinder(): Shape {
  const quarter = SIDES / 4;
  const ring: (readonly [number, number])[] = [];
  for (let side = 0; side < SIDES; side += 1) {
    const part = (side % quarter) / quarter;
    const along = (1 - part * part) / (1 + part * part);
    const across = (2 * part) / (1 + part * part);
    const turn = Math.floor(side / quarter);
    const [y, z] = [
      [along, across],
      [-across, along],
      [-along, -across],
      [across, -along],
    ][turn] ?? [0, 0];
    ring.push([(y ?? 0) * H, (z ?? 0) * H]);
  }
  const points = [-H, H].flatMap((x) => ring.map(([y, z]): Point => [x, y, z]));
  const around = ring.map((_, side) => side);
  const sides = around.map((side) => {
    const next = (side + 1) % SIDES;
    return [side, next, next + SIDES, side + SIDES];
  });
  return shape(points, [around, around.map((side) => side + SIDES), ...sides]);
}

export const shapes: Readonly<Record<Exclude<Solid, "Ball">, Shape>> = {
  Block: BLOCK,
  Cylinder: cylinder(),
  Wedge: WEDGE,
  CornerWedge: CORNER_WEDGE,
};
