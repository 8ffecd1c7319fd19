/** Parts on a picture, held against rays that are traced through solids by their definitions. */
import { expect, test } from "bun:test";
import { drawWorld } from "../../../../src/pictures/world/draw-world.ts";
import { solids, type Solid } from "../../../../src/pictures/world/solids.ts";

const [WIDTH, HEIGHT] = [96, 64];
const REACH_Y = Math.tan((70 * Math.PI) / 360);
const REACH_X = (REACH_Y * WIDTH) / HEIGHT;

/** Looking along -Z from the middle. */
const VIEW = [0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, REACH_X, REACH_Y];
const [ANGLE_COS, ANGLE_SIN] = [Math.cos(0.6), Math.sin(0.6)];
const SIZE = [4, 3, 5] as const;
const MIDDLE = [0.4, -0.3, -9] as const;
/** Turned about Y. */
const AXES = [ANGLE_COS, 0, -ANGLE_SIN, 0, 1, 0, ANGLE_SIN, 0, ANGLE_COS];

const part = (solid: Solid, transparency = 0): number[] => [
  ...MIDDLE,
  ...AXES,
  ...SIZE,
  1,
  0,
  0,
  transparency,
  solids.indexOf(solid),
];

/** Whether a point, as the part has it, is inside of the solid. */
const INSIDE: Readonly<Record<Solid, (x: number, y: number, z: number) => boolean>> = {
  Block: (x, y, z) => Math.abs(x) <= 2 && Math.abs(y) <= 1.5 && Math.abs(z) <= 2.5,
  Ball: (x, y, z) => x * x + y * y + z * z <= 1.5 * 1.5,
  Cylinder: (x, y, z) => Math.abs(x) <= 2 && (y / 1.5) ** 2 + (z / 2.5) ** 2 <= 1,
  Wedge: (x, y, z) => Math.abs(x) <= 2 && Math.abs(z) <= 2.5 && y >= -1.5 && (y + 1.5) / 3 <= (z + 2.5) / 5,
  // Each height is a rectangle that shrinks towards the corner at (+X, -Z).
  CornerWedge: (x, y, z) => {
    const up = (y + 1.5) / 3;
    return up >= 0 && up <= 1 && x <= 2 && z >= -2.5 && x >= -2 + 4 * up && z <= 2.5 - 5 * up;
  },
};

function isHit(solid: Solid, column: number, row: number): boolean {
  const rx = ((2 * (column + 0.5)) / WIDTH - 1) * REACH_X;
  const ry = (1 - (2 * (row + 0.5)) / HEIGHT) * REACH_Y;
  for (let depth = 3; depth < 16; depth += 0.01) {
    const [x, y, z] = [rx * depth - MIDDLE[0], ry * depth - MIDDLE[1], -depth - MIDDLE[2]];
    if (INSIDE[solid](x * ANGLE_COS - z * ANGLE_SIN, y, x * ANGLE_SIN + z * ANGLE_COS)) return true;
  }
  return false;
}

function drawn(...parts: readonly (readonly number[])[]): Uint8Array {
  const pixels = new Uint8Array(WIDTH * HEIGHT * 4);
  drawWorld(pixels, WIDTH, HEIGHT, Float32Array.from([...VIEW, ...parts.flat()]));
  return pixels;
}

/** How much of a pixel a red part covers, by what is left of the green behind it. */
const redness = (pixels: Uint8Array, behind: Uint8Array, index: number): number =>
  1 - (pixels[index * 4 + 1] ?? 0) / (behind[index * 4 + 1] ?? 0);

test.each([...solids])("a %s covers the pixels whose rays meet it", (solid) => {
  const [pixels, behind] = [drawn(part(solid)), drawn()];
  let wrong = 0;
  let seen = 0;
  for (let index = 0; index < WIDTH * HEIGHT; index += 1) {
    const hit = isHit(solid, index % WIDTH, Math.floor(index / WIDTH));
    if (hit) seen += 1;
    const red = redness(pixels, behind, index);
    // Each quarter of a pixel is in the part or not.
    expect(Math.abs(red * 4 - Math.round(red * 4))).toBeLessThan(0.05);
    if (hit !== red > 0.6 && Math.abs(red - 0.5) > 0.1) wrong += 1;
  }
  expect(seen).toBeGreaterThan(100);
  // Steps of the judge's rays, and the sides of the cylinder, differ at some pixels of the edge.
  expect(wrong).toBeLessThanOrEqual(seen * 0.04);
});

test("what is nearer hides what is farther, in any order", () => {
  const near = part("Block");
  const far = part("Block").map((value, index) =>
    index === 2 ? -20 : index === 15 ? 0 : index === 16 ? 1 : value,
  );
  expect(drawn(near, far)).toEqual(drawn(far, near));
});

test("a transparent part lets what is behind it shine through", () => {
  const behind = drawn();
  const pixels = drawn(part("Block", 0.5));
  const middle = (32 * WIDTH + 50) * 4;
  const [red = 0, , blue = 0] = pixels.subarray(middle, middle + 4);
  expect(red).toBeGreaterThan(behind[middle] ?? 0);
  expect(blue).toBe(Math.round((behind[middle + 2] ?? 0) * 0.5));
});

test("parts behind the camera, and around it, do no harm", () => {
  const behind = part("Block").map((value, index) => (index === 2 ? 9 : value));
  expect(drawn(behind)).toEqual(drawn());
  const around = part("Block").map((value, index) => (index < 3 ? 0 : value));
  expect(drawn(around)).toEqual(drawn());
});

test("a large picture has one point for each pixel, so that it stays within its memory", () => {
  const [width, height] = [4096, 1025];
  const pixels = new Uint8Array(width * height * 4);
  drawWorld(pixels, width, height, Float32Array.from([...VIEW, ...part("Block")]));
  const colours = new Set<number>();
  for (let at = 0; at < pixels.length; at += 4) colours.add((pixels[at] ?? 0) * 256 + (pixels[at + 1] ?? 0));
  // The sky, the ground, and at most three sides: no mixture of them.
  expect(colours.size).toBeLessThanOrEqual(5);
});
