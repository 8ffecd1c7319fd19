/** Bodies of random scenes as polygons in the world. Round bodies have their own distance, or are replaced by prisms. */
import { add, cross, dot, length, scale, sub, unit, type V3 } from "./vectors.ts";

export const SHAPES = ["Block", "Ball", "Cylinder", "Wedge", "CornerWedge"] as const;
export type Shape = (typeof SHAPES)[number];

export interface Body {
  readonly shape: Shape;
  readonly size: V3;
  readonly position: V3;
  /** The columns of the rotation: where the body's own axes point. */
  readonly axes: readonly [V3, V3, V3];
}

export type Polygon = readonly V3[];

export interface Plane {
  readonly normal: V3;
  readonly offset: number;
}

export const radiusOf = ({ shape, size }: Body): number =>
  (shape === "Ball" ? Math.min(...size) : Math.min(size[1], size[2])) / 2;

export function toWorld({ position, axes: [x, y, z] }: Body, [a, b, c]: V3): V3 {
  return add(position, add(scale(x, a), add(scale(y, b), scale(z, c))));
}

export function toLocal({ position, axes: [x, y, z] }: Body, point: V3): V3 {
  const from = sub(point, position);
  return [dot(from, x), dot(from, y), dot(from, z)];
}

/** Corners of the unit cube as letters: l/h for the low and the high side of each axis. */
const FACES: Readonly<Record<"Block" | "Wedge" | "CornerWedge", readonly string[]>> = {
  Block: [
    "lll llh lhh lhl",
    "hll hlh hhh hhl",
    "lll llh hlh hll",
    "lhl lhh hhh hhl",
    "lll lhl hhl hll",
    "llh lhh hhh hlh",
  ],
  Wedge: ["lll llh hlh hll", "llh hlh hhh lhh", "lll llh lhh", "hll hlh hhh", "lll hll hhh lhh"],
  CornerWedge: ["lll llh hlh hll", "hll hlh hhl", "lll hll hhl", "lll llh hhl", "llh hlh hhl"],
};

/** The surface of a body; that of a cylinder as a prism with so many sides, around the cylinder or inside it. */
export function polygonsOf(body: Body, sides = 0, isAround = false): Polygon[] {
  if (body.shape === "Ball") throw new Error("a ball has no polygons");
  if (body.shape === "Cylinder") return prism(body, sides, isAround);
  const side = (letter: string | undefined, axis: 0 | 1 | 2): number =>
    ((letter === "h" ? 1 : -1) * body.size[axis]) / 2;
  return FACES[body.shape].map((face) =>
    face.split(" ").map(([x, y, z]) => toWorld(body, [side(x, 0), side(y, 1), side(z, 2)])),
  );
}

function prism(body: Body, sides: number, isAround: boolean): Polygon[] {
  const half = body.size[0] / 2;
  const radius = radiusOf(body) / (isAround ? Math.cos(Math.PI / sides) : 1);
  const corner = (index: number, x: number): V3 => {
    const angle = (2 * Math.PI * index) / sides;
    return toWorld(body, [x, radius * Math.cos(angle), radius * Math.sin(angle)]);
  };
  const turn = Array.from({ length: sides }, (_, index) => index);
  return [
    turn.map((index) => corner(index, half)),
    turn.map((index) => corner(index, -half)),
    ...turn.map((index) => [
      corner(index, half),
      corner(index + 1, half),
      corner(index + 1, -half),
      corner(index, -half),
    ]),
  ];
}

export function centreOf(polygons: readonly Polygon[]): V3 {
  const points = polygons.flat();
  return scale(points.reduce(add, [0, 0, 0]), 1 / points.length);
}

/** The planes of a convex surface, with normals that point outwards. */
export function planesOf(polygons: readonly Polygon[]): Plane[] {
  const centre = centreOf(polygons);
  return polygons.flatMap(([a, b, c]) => {
    if (a === undefined || b === undefined || c === undefined) return [];
    const normal = unit(cross(sub(b, a), sub(c, a)));
    const outward = dot(sub(a, centre), normal) > 0 ? normal : scale(normal, -1);
    return [{ normal: outward, offset: dot(outward, a) }];
  });
}

export function edgesOf(polygons: readonly Polygon[]): (readonly [V3, V3])[] {
  return polygons.flatMap((polygon) =>
    polygon.flatMap((from, index): (readonly [V3, V3])[] => {
      const to = polygon[(index + 1) % polygon.length];
      return to === undefined ? [] : [[from, to]];
    }),
  );
}

export function trianglesOf(polygons: readonly Polygon[]): (readonly [V3, V3, V3])[] {
  return polygons.flatMap((polygon) => {
    const [first] = polygon;
    return polygon.slice(1, -1).flatMap((second, index): (readonly [V3, V3, V3])[] => {
      const third = polygon[index + 2];
      return first === undefined || third === undefined ? [] : [[first, second, third]];
    });
  });
}

/** How far a point is from a body; negative inside. Below zero it only orders points of a polyhedron. */
export function distanceTo(body: Body, point: V3): number {
  if (body.shape === "Ball") return length(sub(point, body.position)) - radiusOf(body);
  if (body.shape === "Cylinder") {
    const [x, y, z] = toLocal(body, point);
    const out: readonly [number, number] = [
      Math.abs(x) - body.size[0] / 2,
      Math.hypot(y, z) - radiusOf(body),
    ];
    return Math.min(Math.max(...out), 0) + Math.hypot(Math.max(out[0], 0), Math.max(out[1], 0));
  }
  const polygons = polygonsOf(body);
  const depth = Math.max(...planesOf(polygons).map(({ normal, offset }) => dot(normal, point) - offset));
  return depth <= 0
    ? depth
    : Math.min(...trianglesOf(polygons).map((triangle) => distanceToTriangle(triangle, point)));
}

function distanceToSegment([a, b]: readonly [V3, V3], point: V3): number {
  const edge = sub(b, a);
  const t = Math.min(Math.max(dot(sub(point, a), edge) / dot(edge, edge), 0), 1);
  return length(sub(point, add(a, scale(edge, t))));
}

function distanceToTriangle([a, b, c]: readonly [V3, V3, V3], point: V3): number {
  const normal = unit(cross(sub(b, a), sub(c, a)));
  const sides: (readonly [V3, V3])[] = [
    [a, b],
    [b, c],
    [c, a],
  ];
  const isOver = sides.every(([from, to]) => dot(cross(sub(to, from), sub(point, from)), normal) >= 0);
  return isOver
    ? Math.abs(dot(sub(point, a), normal))
    : Math.min(...sides.map((side) => distanceToSegment(side, point)));
}
