/** UIGradients as paint. docs: cls/UIGradient: its colours multiply those of the object, its transparencies its opacity. */
import { byteOf, type Colour, type Paint, type Shader } from "../surface.ts";
import { rowInObject, type Place } from "./place.ts";

interface ColourKey {
  readonly at: number;
  readonly r: number;
  readonly g: number;
  readonly b: number;
}
interface AlphaKey {
  readonly at: number;
  /** 0 is opaque. */
  readonly transparency: number;
}

export interface Gradient {
  readonly cosine: number;
  readonly sine: number;
  /** Shares of the object's size. */
  readonly offsetX: number;
  readonly offsetY: number;
  readonly colours: readonly ColourKey[];
  readonly alphas: readonly AlphaKey[];
}

/** Colours along the gradient. */
const STEPS = 1024;

/** How far `at` is between two keys, and which they are. */
function between<Key extends { readonly at: number }>(
  keys: readonly Key[],
  at: number,
): [Key, Key, number] | undefined {
  const last = keys.at(-1);
  const first = keys[0];
  if (first === undefined || last === undefined) return undefined;
  for (let index = 1; index < keys.length; index += 1) {
    const [low, high] = [keys[index - 1] ?? first, keys[index] ?? last];
    if (at <= high.at)
      return [low, high, high.at > low.at ? Math.max((at - low.at) / (high.at - low.at), 0) : 1];
  }
  return [last, last, 0];
}

const mix = (from: number, to: number, part: number): number => from + (to - from) * part;

/** The colour of an object at a point of the gradient, from 0 to 1. */
export function gradientColour(gradient: Gradient, at: number, base: Colour): Colour {
  const colour = between(gradient.colours, at);
  const alpha = between(gradient.alphas, at);
  const opacity = alpha === undefined ? 1 : 1 - mix(alpha[0].transparency, alpha[1].transparency, alpha[2]);
  if (colour === undefined) return { ...base, a: base.a * opacity };
  const [low, high, part] = colour;
  return {
    r: base.r * mix(low.r, high.r, part),
    g: base.g * mix(low.g, high.g, part),
    b: base.b * mix(low.b, high.b, part),
    a: base.a * opacity,
  };
}

/** Where a point of an object of that size is on the gradient's way. UNVERIFIED(gradient-way): it reaches from corner to corner. */
export function gradientAt(gradient: Gradient, width: number, height: number, u: number, v: number): number {
  const { cosine, sine } = gradient;
  const length = width * Math.abs(cosine) + height * Math.abs(sine);
  const x = u - width / 2 - gradient.offsetX * width;
  const y = v - height / 2 - gradient.offsetY * height;
  return length > 0 ? (x * cosine + y * sine) / length + 0.5 : 0;
}

export function gradientPaint(gradient: Gradient | undefined, base: Colour, place: Place): Paint {
  if (gradient === undefined) return base;
  const table = new Uint8Array((STEPS + 1) * 4);
  for (let step = 0; step <= STEPS; step += 1) {
    const { r, g, b, a } = gradientColour(gradient, step / STEPS, base);
    table.set([byteOf(r * a), byteOf(g * a), byteOf(b * a), byteOf(a)], step * 4);
  }
  const { width, height } = place;
  const shader: Shader = (x, y, count, into) => {
    const { u, v, du, dv } = rowInObject(place, x, y);
    const start = gradientAt(gradient, width, height, u, v);
    const step = gradientAt(gradient, width, height, u + du, v + dv) - start;
    for (let index = 0, at = 0; index < count; index += 1, at += 4) {
      const part = start + step * index;
      const from = (part <= 0 ? 0 : part >= 1 ? STEPS : Math.floor(part * STEPS + 0.5)) * 4;
      into[at] = table[from] ?? 0;
      into[at + 1] = table[from + 1] ?? 0;
      into[at + 2] = table[from + 2] ?? 0;
      into[at + 3] = table[from + 3] ?? 0;
    }
  };
  return shader;
}
