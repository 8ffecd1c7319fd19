/**
 * Shapes on a picture, held against a judge that shares no code with the rasteriser: it asks for 32 × 32 points of each pixel
 * whether they are in the shape, by the definition of the shape. Both agree within 5 of 255.
 */
import { expect, test } from "bun:test";
import { PictureMaker } from "../../../src/pictures/draw.ts";
import { PICTURE_OPS, type PictureOp } from "../../../src/pictures/scene/ops.ts";

const SIDE = 48;
const SAMPLES = 32;
const TOLERANCE = 5;

type Point = readonly [x: number, y: number];
interface Shape {
  readonly x: number;
  readonly y: number;
  readonly w: number;
  readonly h: number;
  readonly degrees: number;
  readonly radius: number;
}

const op = (name: PictureOp, ...numbers: readonly number[]): number[] => [
  PICTURE_OPS.indexOf(name),
  ...numbers,
];
const angleOf = ({ degrees }: Shape): number => (degrees * Math.PI) / 180;
const object = (shape: Shape): number[] => {
  const turn = shape.degrees === 0 ? [1, 0] : [Math.cos(angleOf(shape)), Math.sin(angleOf(shape))];
  const radii = Array.from({ length: 4 }, () => shape.radius);
  return op("object", shape.x, shape.y, shape.w, shape.h, ...turn, ...radii);
};

function drawn(...ops: readonly (readonly number[])[]): Uint8Array {
  const maker = new PictureMaker({ outlines: () => new Uint8Array(0), image: () => undefined });
  const numbers = Float64Array.from([0, 0, SIDE, SIDE, 1, 0, ...ops.flat()]);
  return maker.draw({ numbers, names: [], world: new Float32Array(0) }).pixels;
}

/** A point as the object has it, from its own corner. */
function inObject(shape: Shape, [x, y]: Point): Point {
  const angle = -angleOf(shape);
  const [fromX, fromY] = [x - shape.x - shape.w / 2, y - shape.y - shape.h / 2];
  return [
    fromX * Math.cos(angle) - fromY * Math.sin(angle) + shape.w / 2,
    fromX * Math.sin(angle) + fromY * Math.cos(angle) + shape.h / 2,
  ];
}

/** Whether a point is in a box with round corners that is larger than the shape by `by` on each side. */
function isIn(shape: Shape, point: Point, by = 0, radius = shape.radius): boolean {
  const [u, v] = inObject(shape, point);
  const [left, right, top, bottom] = [-by, shape.w + by, -by, shape.h + by];
  if (u < left || u > right || v < top || v > bottom) return false;
  const beside = Math.max(left + radius - u, u - (right - radius), 0);
  const above = Math.max(top + radius - v, v - (bottom - radius), 0);
  return beside * beside + above * above <= radius * radius || beside === 0 || above === 0;
}

/** The share of each pixel that is inside, from 0 to 255. */
function sampled(inside: (point: Point) => boolean): number[] {
  return Array.from({ length: SIDE * SIDE }, (_, index) => {
    const [left, top] = [index % SIDE, Math.floor(index / SIDE)];
    let hits = 0;
    for (let sample = 0; sample < SAMPLES * SAMPLES; sample += 1) {
      const x = left + ((sample % SAMPLES) + 0.5) / SAMPLES;
      const y = top + (Math.floor(sample / SAMPLES) + 0.5) / SAMPLES;
      if (inside([x, y])) hits += 1;
    }
    return (hits / SAMPLES / SAMPLES) * 255;
  });
}

const alphas = (pixels: Uint8Array): number[] => [...pixels].filter((_, index) => index % 4 === 3);

function farthest(one: readonly number[], other: readonly number[]): number {
  return Math.max(...one.map((value, index) => Math.abs(value - (other[index] ?? 0))));
}

const white = [1, 1, 1, 1];
const SHAPES: readonly Shape[] = [
  { x: 4, y: 6, w: 40, h: 30, degrees: 0, radius: 0 },
  { x: 4, y: 6, w: 40, h: 30, degrees: 0, radius: 9 },
  { x: 3, y: 12, w: 42, h: 20, degrees: 0, radius: 10 },
  { x: 8, y: 12, w: 32, h: 22, degrees: 17, radius: 0 },
  { x: 8.3, y: 12.7, w: 31, h: 22.5, degrees: -63, radius: 6 },
  { x: 10, y: 10, w: 28, h: 28, degrees: 45, radius: 14 },
];

test.each(SHAPES)("a background of %p covers what it should", (shape) => {
  const got = alphas(drawn(object(shape), op("fill", ...white)));
  expect(
    farthest(
      got,
      sampled((point) => isIn(shape, point)),
    ),
  ).toBeLessThanOrEqual(TOLERANCE);
});

const RINGS = SHAPES.filter(({ radius }) => radius > 0);
test.each(RINGS)("a stroke around %p covers what it should", (shape) => {
  const got = alphas(drawn(object(shape), op("ring", -1.5, 2.5, 0, ...white)));
  const judge = sampled(
    (point) => isIn(shape, point, 2.5, shape.radius + 2.5) && !isIn(shape, point, -1.5, shape.radius - 1.5),
  );
  expect(farthest(got, judge)).toBeLessThanOrEqual(TOLERANCE);
});

test("square corners of a stroke are round, cut, or square, as the join says", () => {
  const [shape] = SHAPES;
  if (shape === undefined) throw new Error("no shape");
  const joined = (join: number): number[] => alphas(drawn(object(shape), op("ring", 0, 4, join, ...white)));
  const round = sampled((point) => isIn(shape, point, 4, 4) && !isIn(shape, point));
  const square = sampled((point) => isIn(shape, point, 4, 0) && !isIn(shape, point));
  expect(farthest(joined(0), round)).toBeLessThanOrEqual(TOLERANCE);
  expect(farthest(joined(2), square)).toBeLessThanOrEqual(TOLERANCE);
  const area = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / 255;
  // Four triangles less than the square corners.
  expect(area(joined(2)) - area(joined(1))).toBeCloseTo(4 * 8, 0);
});

test("a clip cuts at whole pixels", () => {
  const shape = { x: 4, y: 4, w: 40, h: 40, degrees: 30, radius: 8 };
  const got = alphas(drawn(op("clip", 10, 12, 30, 33), object(shape), op("fill", ...white)));
  const judge = sampled((point) => isIn(shape, point)).map((value, index) => {
    const [x, y] = [index % SIDE, Math.floor(index / SIDE)];
    return x >= 10 && x < 30 && y >= 12 && y < 33 ? value : 0;
  });
  expect(farthest(got, judge)).toBeLessThanOrEqual(TOLERANCE);
});

test.each([0, 30, 90, 200])("a gradient turned by %p degrees goes from corner to corner", (degrees) => {
  const [w, h] = [40, 24];
  const angle = (degrees * Math.PI) / 180;
  const ends = [0, 1, 0, 0, 1, 0, 0, 1];
  const gradient = op("gradient", Math.cos(angle), Math.sin(angle), 0, 0, 2, ...ends, 2, 0, 0, 1, 0);
  const shape = { x: 2, y: 3, w, h, degrees: 0, radius: 0 };
  const pixels = drawn(object(shape), gradient, op("fill", ...white));
  for (let y = 0; y < h; y += 1)
    for (let x = 0; x < w; x += 1) {
      // The middle of the box is the middle of the way, and its farthest corner the end of it.
      const way = (u: number, v: number): number =>
        (u - w / 2) * Math.cos(angle) + (v - h / 2) * Math.sin(angle);
      const corners = [way(0, 0), way(w, 0), way(0, h), way(w, h)];
      const [low, high] = [Math.min(...corners), Math.max(...corners)];
      const part = (way(x + 0.5, y + 0.5) - low) / (high - low);
      const at = ((y + 3) * SIDE + x + 2) * 4;
      expect(Math.abs((pixels[at] ?? 0) - 255 * (1 - part))).toBeLessThanOrEqual(2);
      expect(Math.abs((pixels[at + 2] ?? 0) - 255 * part)).toBeLessThanOrEqual(2);
    }
});

test("a group is laid over as one, so that what overlaps in it does not shine through", () => {
  const back = { x: 0, y: 0, w: 30, h: 30, degrees: 0, radius: 0 };
  const front = { ...back, x: 10, y: 10 };
  const group = { ...back, w: SIDE, h: SIDE };
  const pixels = drawn(
    object(group),
    op("beginGroup"),
    object(back),
    op("fill", 1, 0, 0, 1),
    object(front),
    op("fill", 0, 0, 1, 1),
    object(group),
    op("endGroup", 1, 1, 1, 0.5),
  );
  const at = (x: number, y: number): number[] => [
    ...pixels.subarray((y * SIDE + x) * 4, (y * SIDE + x) * 4 + 4),
  ];
  expect(at(5, 5)).toEqual([255, 0, 0, 128]);
  expect(at(20, 20)).toEqual([0, 0, 255, 128]);
  expect(at(45, 5)).toEqual([0, 0, 0, 0]);
});

test("the same scene has the same pixels on each system", () => {
  const scene = RINGS.flatMap(({ x, y, w, h, radius }, index) => [
    op("object", x, y, w, h, 0.8, 0.6, radius, radius, 2, radius / 3),
    op("fill", index / 5, 0.5, 1 - index / 5, 0.6),
    op("ring", 0, 1.25, index % 3, 1, 1, 0, 0.8),
  ]);
  expect(new Bun.CryptoHasher("sha256").update(drawn(...scene)).digest("hex")).toMatchInlineSnapshot(
    `"c86d997fc7b6f1ba1cd0a63916c919af83ebb9fdf8e63ee0e6d4a46063d470b3"`,
  );
});
