/** Images on objects: stretched, sliced, tiled, fitted or cropped, tinted, and smooth or in whole pixels. docs: enum/ScaleType. */
import type { Picture } from "../../util/png.ts";
import { byteOf, type Colour, type Shader } from "../surface.ts";
import { gradientAt, gradientColour, type Gradient } from "./gradients.ts";
import { rowInObject, type Place } from "./place.ts";

export const scaleTypes = ["Stretch", "Slice", "Tile", "Fit", "Crop"] as const;
export type ScaleType = (typeof scaleTypes)[number];

export interface ImageLook {
  readonly colour: Colour;
  readonly scaleType: ScaleType;
  readonly isPixelated: boolean;
  /** The part of the image that shows, in its pixels; nothing in it is the whole image. */
  readonly part: { readonly x: number; readonly y: number; readonly width: number; readonly height: number };
  /** The middle piece of a sliced image, in its pixels, and how large its edges are. */
  readonly slice: readonly [left: number, top: number, right: number, bottom: number];
  readonly sliceScale: number;
  /** Size of a tile, in pixels of the picture. */
  readonly tile: readonly [width: number, height: number];
}

/** From a way along an object to the same along the image; undefined beside it. */
type Along = (at: number) => number | undefined;

const stretched =
  (from: number, length: number, own: number): Along =>
  (at) =>
    own > 0 ? from + (at / own) * length : undefined;

function tiled(from: number, length: number, tile: number): Along {
  return (at) => (tile > 0 ? from + (((at % tile) + tile) % tile) * (length / tile) : undefined);
}

/** `scale` is how many pixels of the picture one of the image takes. */
const centred =
  (from: number, length: number, own: number, scale: number): Along =>
  (at) => {
    const inside = (at - own / 2) / scale + length / 2;
    return inside < 0 || inside > length ? undefined : from + inside;
  };

/** The edges keep their size, as far as there is room, and the middle is stretched. */
function sliced(from: number, length: number, own: number, low: number, high: number, scale: number): Along {
  const [before, after] = [low * scale, Math.max(length - high, 0) * scale];
  const shrink = before + after > own && before + after > 0 ? own / (before + after) : 1;
  const [first, last] = [before * shrink, own - after * shrink];
  return (at) => {
    if (at < first) return from + (at / first) * low;
    if (at > last) return from + high + ((at - last) / (own - last)) * (length - high);
    return from + low + (last > first ? (at - first) / (last - first) : 0) * (high - low);
  };
}

function ways(
  look: ImageLook,
  image: Picture,
  { width, height }: Place,
  scale: number,
): readonly [Along, Along] {
  const isWhole = look.part.width <= 0 || look.part.height <= 0;
  const part = isWhole ? { x: 0, y: 0, width: image.width, height: image.height } : look.part;
  if (look.scaleType === "Tile")
    return [tiled(part.x, part.width, look.tile[0]), tiled(part.y, part.height, look.tile[1])];
  if (look.scaleType === "Slice") {
    const [left, top, right, bottom] = look.slice;
    const edge = look.sliceScale * scale;
    return [
      sliced(part.x, part.width, width, left, right, edge),
      sliced(part.y, part.height, height, top, bottom, edge),
    ];
  }
  if (look.scaleType === "Stretch")
    return [stretched(part.x, part.width, width), stretched(part.y, part.height, height)];
  const scales = [width / part.width, height / part.height];
  const own = look.scaleType === "Fit" ? Math.min(...scales) : Math.max(...scales);
  return [centred(part.x, part.width, width, own), centred(part.y, part.height, height, own)];
}

/** `scale`: pixels of the picture for each unit of the interface. */
export function imagePaint(
  image: Picture,
  look: ImageLook,
  place: Place,
  gradient: Gradient | undefined,
  scale: number,
): Shader {
  const [across, down] = ways(look, image, place, scale);
  const sample = look.isPixelated ? nearest : smooth;
  const texel = new Float64Array(4);
  return (x, y, count, into) => {
    const row = rowInObject(place, x, y);
    for (let index = 0; index < count; index += 1) {
      const u = row.u + row.du * index;
      const v = row.v + row.dv * index;
      const atX = across(u);
      const atY = down(v);
      if (atX === undefined || atY === undefined) {
        into.fill(0, index * 4, index * 4 + 4);
        continue;
      }
      sample(image, atX, atY, texel);
      const tint =
        gradient === undefined
          ? look.colour
          : gradientColour(gradient, gradientAt(gradient, place.width, place.height, u, v), look.colour);
      into[index * 4] = byteOf((texel[0] ?? 0) * tint.r * tint.a);
      into[index * 4 + 1] = byteOf((texel[1] ?? 0) * tint.g * tint.a);
      into[index * 4 + 2] = byteOf((texel[2] ?? 0) * tint.b * tint.a);
      into[index * 4 + 3] = byteOf((texel[3] ?? 0) * tint.a);
    }
  };
}

type Sample = (image: Picture, x: number, y: number, into: Float64Array) => void;

const inside = (at: number, length: number): number => (at < 0 ? 0 : at >= length ? length - 1 : at);

function add(
  { width, height, pixels }: Picture,
  x: number,
  y: number,
  weight: number,
  into: Float64Array,
): void {
  const at = (inside(y, height) * width + inside(x, width)) * 4;
  const alpha = ((pixels[at + 3] ?? 0) / 255) * weight;
  for (let channel = 0; channel < 3; channel += 1)
    into[channel] = (into[channel] ?? 0) + ((pixels[at + channel] ?? 0) / 255) * alpha;
  into[3] = (into[3] ?? 0) + alpha;
}

const nearest: Sample = (image, x, y, into) => {
  into.fill(0);
  add(image, Math.floor(x), Math.floor(y), 1, into);
};

const smooth: Sample = (image, x, y, into) => {
  const left = Math.floor(x - 0.5);
  const top = Math.floor(y - 0.5);
  const [right, below] = [x - 0.5 - left, y - 0.5 - top];
  into.fill(0);
  add(image, left, top, (1 - right) * (1 - below), into);
  add(image, left + 1, top, right * (1 - below), into);
  add(image, left, top + 1, (1 - right) * below, into);
  add(image, left + 1, top + 1, right * below, into);
};
