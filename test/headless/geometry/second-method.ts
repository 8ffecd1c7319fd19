/**
 * What rays, casts and overlaps must find, by methods that have nothing in common with the engine's: triangles for rays, separating
 * axes over time for moving polyhedra, a search along the path for round bodies, edges against planes for overlaps. Every body is
 * tried; there is no index.
 */
import {
  centreOf,
  distanceTo,
  edgesOf,
  planesOf,
  polygonsOf,
  radiusOf,
  trianglesOf,
  type Body,
  type Polygon,
} from "./bodies.ts";
import { along, cross, dot, length, scale, sub, unit, type V3 } from "./vectors.ts";

/** When something is met on a path from 0 to 1: at the earliest and at the latest. */
export interface Span {
  readonly from: number;
  readonly to: number;
}
/** `unclear`: a rounding error decides whether it is met. */
export type Meeting = Span | "missed" | "unclear";

const UNCLEAR = 1e-4;
const at = (t: number): Span => ({ from: t, to: t });

// Rays ------------------------------------------------------------------------------------------------------------------

export function meetRay(body: Body, origin: V3, direction: V3): Meeting {
  return body.shape === "Ball" || body.shape === "Cylinder"
    ? firstBelow((t) => distanceTo(body, along(origin, direction, t)), 0, length(direction))
    : meetTriangles(body, origin, direction);
}

/** The only triangle that looks towards the ray and is met. */
function meetTriangles(body: Body, origin: V3, direction: V3): Meeting {
  const polygons = polygonsOf(body);
  const centre = centreOf(polygons);
  let isUnclear = false;
  let first = Infinity;
  for (const [a, b, c] of trianglesOf(polygons)) {
    const plain = cross(sub(b, a), sub(c, a));
    const normal = dot(sub(a, centre), plain) > 0 ? plain : scale(plain, -1);
    const slope = dot(normal, direction);
    if (slope >= 0) continue;
    const t = dot(normal, sub(a, origin)) / slope;
    const point = along(origin, direction, t);
    const areas = [
      cross(sub(b, a), sub(point, a)),
      cross(sub(c, b), sub(point, b)),
      cross(sub(a, c), sub(point, c)),
    ];
    const least = Math.min(...areas.map((area) => dot(area, plain) / dot(plain, plain)));
    if (least > 0 && t >= 0 && t <= 1) first = Math.min(first, t);
    isUnclear ||=
      t > -UNCLEAR &&
      t < 1 + UNCLEAR &&
      (Math.abs(least) < UNCLEAR || Math.abs(t) < UNCLEAR || Math.abs(t - 1) < UNCLEAR);
  }
  if (first !== Infinity) return at(first);
  return isUnclear ? "unclear" : "missed";
}

/** The first time at which a convex function goes below a limit that it is above at the start. */
function firstBelow(value: (t: number) => number, limit: number, scaleLength: number): Meeting {
  const start = value(0) - limit;
  if (Math.abs(start) < UNCLEAR) return "unclear";
  if (start < 0) return "missed";
  let [low, high] = [0, 1];
  for (let round = 0; round < 120; round++) {
    const third = (high - low) / 3;
    if (value(low + third) <= value(high - third)) high -= third;
    else low += third;
  }
  const deepest = (low + high) / 2;
  const depth = value(deepest) - limit;
  // What hardly touches is found by one rounding and missed by another.
  if (Math.abs(depth) < UNCLEAR) return "unclear";
  if (depth > 0) return "missed";
  let [above, below] = [0, deepest];
  for (let round = 0; round < 80; round++) {
    const middle = (above + below) / 2;
    if (value(middle) > limit) above = middle;
    else below = middle;
  }
  return Math.abs(below - 1) * scaleLength < UNCLEAR ? "unclear" : at(below);
}

// Casts -----------------------------------------------------------------------------------------------------------------

/** When `moving` meets `body`; a body that it meets at the start is missed. */
export function meetBody(body: Body, moving: Body, direction: V3): Meeting {
  if (isFarFromPath(body, moving, direction)) return "missed";
  const isBall = moving.shape === "Ball";
  if (isBall || body.shape === "Ball") {
    const [ball, other, path] = isBall ? [moving, body, direction] : [body, moving, scale(direction, -1)];
    const distance = (t: number): number => distanceTo(other, along(ball.position, path, t));
    return firstBelow(distance, radiusOf(ball), length(direction));
  }
  const rounds = [body, moving].filter(({ shape }) => shape === "Cylinder").length;
  if (rounds === 0) return meetPolygons(polygonsOf(body), polygonsOf(moving), direction);
  const sides = rounds === 1 ? 64 : 16;
  const inner = meetPolygons(polygonsOf(body, sides), polygonsOf(moving, sides), direction);
  const outer = meetPolygons(polygonsOf(body, sides, true), polygonsOf(moving, sides, true), direction);
  if (inner === "missed" && outer === "missed") return "missed";
  return typeof inner === "string" || typeof outer === "string"
    ? "unclear"
    : { from: outer.from, to: inner.to };
}

/** Whether the balls around both stay apart. */
function isFarFromPath(body: Body, moving: Body, direction: V3): boolean {
  const t = Math.min(
    Math.max(dot(sub(body.position, moving.position), direction) / dot(direction, direction), 0),
    1,
  );
  const nearest = length(sub(body.position, along(moving.position, direction, t)));
  return nearest > (length(body.size) + length(moving.size)) / 2 + 1;
}

interface Stay {
  readonly enters: number;
  readonly leaves: number;
}

/** Between these times the shadows of both on an axis cover each other. */
function stayOn(axis: V3, fixed: readonly V3[], moving: readonly V3[], direction: V3): Stay {
  const [fixedLow, fixedHigh] = shadow(axis, fixed);
  const [low, high] = shadow(axis, moving);
  const speed = dot(axis, direction);
  if (Math.abs(speed) < 1e-12) {
    const gap = Math.max(fixedLow - high, low - fixedHigh);
    return gap > 0 ? { enters: Infinity, leaves: -Infinity } : { enters: -Infinity, leaves: Infinity };
  }
  const [a, b] = [(fixedLow - high) / speed, (fixedHigh - low) / speed];
  return { enters: Math.min(a, b), leaves: Math.max(a, b) };
}

function shadow(axis: V3, points: readonly V3[]): readonly [number, number] {
  let [low, high] = [Infinity, -Infinity];
  for (const point of points) {
    const on = dot(axis, point);
    if (on < low) low = on;
    if (on > high) high = on;
  }
  return [low, high];
}

/** Directions without those that are parallel to one before. */
function different(directions: readonly V3[]): V3[] {
  const seen = new Map<string, V3>();
  for (const direction of directions) {
    if (length(direction) < 1e-9) continue;
    const [x, y, z] = unit(direction);
    const sign = Math.sign(Math.abs(x) > 1e-6 ? x : Math.abs(y) > 1e-6 ? y : z);
    const key = [x, y, z].map((part) => Math.round(part * sign * 1e6)).join(" ");
    if (!seen.has(key)) seen.set(key, [x, y, z]);
  }
  return [...seen.values()];
}

function axesOf(a: readonly Polygon[], b: readonly Polygon[]): V3[] {
  const directions = (polygons: readonly Polygon[]): V3[] =>
    different(edgesOf(polygons).map(([from, to]) => sub(to, from)));
  const crossed = directions(a).flatMap((first) => directions(b).map((second) => cross(first, second)));
  return different([...planesOf(a), ...planesOf(b)].map(({ normal }) => normal).concat(crossed));
}

function meetPolygons(fixed: readonly Polygon[], moving: readonly Polygon[], direction: V3): Meeting {
  const [fixedPoints, movingPoints] = [different3(fixed.flat()), different3(moving.flat())];
  let [enters, leaves] = [-Infinity, Infinity];
  for (const axis of axesOf(fixed, moving)) {
    const stay = stayOn(axis, fixedPoints, movingPoints, direction);
    enters = Math.max(enters, stay.enters);
    leaves = Math.min(leaves, stay.leaves);
  }
  const near = UNCLEAR;
  if (Math.abs(enters - leaves) < near || Math.abs(enters) < near || Math.abs(enters - 1) < near)
    return "unclear";
  return enters > leaves || enters < 0 || enters > 1 ? "missed" : at(enters);
}

const different3 = (points: readonly V3[]): V3[] => [
  ...new Map(points.map((point) => [point.join(" "), point])).values(),
];

// Overlaps --------------------------------------------------------------------------------------------------------------

/** Whether two bodies share space, and undefined where it is too close to say. */
export function areOverlapping(a: Body, b: Body): boolean | undefined {
  if (isFarFromPath(a, b, [1, 0, 0])) return false;
  if (a.shape === "Ball" || b.shape === "Ball") {
    const [ball, other] = a.shape === "Ball" ? [a, b] : [b, a];
    const gap = distanceTo(other, ball.position) - radiusOf(ball);
    return Math.abs(gap) < UNCLEAR * 10 ? undefined : gap < 0;
  }
  const sides = 64;
  const [wide, narrow] = [true, false].map((isAround) =>
    doPolygonsMeet(
      polygonsOf(a, sides, isAround),
      polygonsOf(b, sides, isAround),
      isAround ? UNCLEAR * 10 : -UNCLEAR * 10,
    ),
  );
  return wide === narrow ? wide : undefined;
}

/** Two convex bodies share space if an edge of one of them goes through the other. `more` moves all planes outwards. */
function doPolygonsMeet(a: readonly Polygon[], b: readonly Polygon[], more: number): boolean {
  return isEdgeInside(edgesOf(a), b, more) || isEdgeInside(edgesOf(b), a, more);
}

function isEdgeInside(
  edges: readonly (readonly [V3, V3])[],
  polygons: readonly Polygon[],
  more: number,
): boolean {
  const planes = planesOf(polygons);
  return edges.some(([from, to]) => {
    let [low, high] = [0, 1];
    for (const { normal, offset } of planes) {
      const [first, last] = [dot(normal, from) - offset - more, dot(normal, to) - offset - more];
      if (first > 0 && last > 0) return false;
      if (first > 0) low = Math.max(low, first / (first - last));
      else if (last > 0) high = Math.min(high, first / (first - last));
    }
    return low < high;
  });
}
