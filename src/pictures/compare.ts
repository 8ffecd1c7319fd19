/** Compares two pictures as people see them, and shows both beside their difference. */
import pixelmatch from "pixelmatch";
import type { Picture } from "../util/png.ts";

/** In pixels of the picture. */
export interface Mask {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

export interface Comparison {
  /** Pixels that differ by more than the threshold. */
  readonly pixels: number;
  /** The same as a share of all pixels, from 0 to 1. */
  readonly ratio: number;
  /** What was expected, what there is, and where they differ, side by side. */
  readonly triptych: Picture;
}

const BYTES_PER_PIXEL = 4;

/** `threshold`: from 0, each change counts, to 1. Pixels of soft edges do not count; those that one picture lacks do. */
export function comparePictures(
  expected: Picture,
  got: Picture,
  masks: readonly Mask[],
  threshold: number,
): Comparison {
  const width = Math.max(expected.width, got.width);
  const height = Math.max(expected.height, got.height);
  const [one, other] = [expected, got].map((picture) => masked(onCanvas(picture, width, height), masks));
  if (one === undefined || other === undefined) throw new Error("two pictures are compared");
  const difference = new Uint8Array(width * height * BYTES_PER_PIXEL);
  const pixels = pixelmatch(one, other, difference, width, height, { threshold });
  const parts = [one, other, difference];
  return { pixels, ratio: pixels / (width * height), triptych: sideBySide(parts, width, height) };
}

/** The picture in the top left corner of a larger one, whose rest is transparent. */
function onCanvas(picture: Picture, width: number, height: number): Picture {
  if (picture.width === width && picture.height === height) return picture;
  const pixels = new Uint8Array(width * height * BYTES_PER_PIXEL);
  const rowBytes = picture.width * BYTES_PER_PIXEL;
  for (let y = 0; y < picture.height; y += 1)
    pixels.set(picture.pixels.subarray(y * rowBytes, (y + 1) * rowBytes), y * width * BYTES_PER_PIXEL);
  return { width, height, pixels };
}

/** What is in a mask is grey in both pictures. */
function masked({ width, height, pixels }: Picture, masks: readonly Mask[]): Uint8Array {
  const copy = Uint8Array.from(pixels);
  for (const mask of masks) {
    const [left, right] = [Math.max(mask.left, 0), Math.min(mask.left + mask.width, width)];
    const bottom = Math.min(mask.top + mask.height, height);
    for (let y = Math.max(mask.top, 0); y < bottom && right > left; y += 1)
      copy.fill(128, (y * width + left) * BYTES_PER_PIXEL, (y * width + right) * BYTES_PER_PIXEL);
  }
  return copy;
}

function sideBySide(parts: readonly Uint8Array[], width: number, height: number): Picture {
  const rowBytes = width * BYTES_PER_PIXEL;
  const pixels = new Uint8Array(rowBytes * parts.length * height);
  parts.forEach((part, index) => {
    for (let y = 0; y < height; y += 1)
      pixels.set(part.subarray(y * rowBytes, (y + 1) * rowBytes), (y * parts.length + index) * rowBytes);
  });
  return { width: width * parts.length, height, pixels };
}
