/** Parts in a scene: 20 numbers each, in the order of `partFields`. */

/** Position, the three axes of the rotation, size, colour from 0 to 1, transparency, and the number of the solid. */
export const PART_NUMBERS = 20;
export const PART = {
  position: 0,
  xAxis: 3,
  yAxis: 6,
  zAxis: 9,
  size: 12,
  colour: 15,
  transparency: 18,
  solid: 19,
} as const;

/** The sun, as a direction of length 1, and the light that reaches all sides. */
const SUN = [0.36, 0.8, 0.48] as const;
const AMBIENT = 0.4;

/** How bright a side is in the encoding of colours: light adds up in linear values, whose square root stands for sRGB. */
export function brightness(x: number, y: number, z: number): number {
  const facing = x * SUN[0] + y * SUN[1] + z * SUN[2];
  return Math.sqrt(AMBIENT + (1 - AMBIENT) * (facing > 0 ? facing : 0));
}
