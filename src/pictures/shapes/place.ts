/** Where an object of an interface is on a picture: scaled, and turned around its middle. */
import type { Area } from "../surface.ts";
import type { Outline } from "./coverage.ts";
import type { Box, Radii } from "./outlines.ts";

/** In pixels of the picture. Sine and cosine come from outside, because machines compute them differently. */
export interface Place extends Box {
  readonly cosine: number;
  readonly sine: number;
  readonly radii: Radii;
}

export const isTurned = ({ sine, cosine }: Place): boolean => sine !== 0 || cosine !== 1;

/** A point of the object, counted from its unturned corner, on the picture. */
export function turned(outlines: readonly Outline[], place: Place): readonly Outline[] {
  if (!isTurned(place)) return outlines;
  const { cosine, sine } = place;
  const middleX = place.x + place.width / 2;
  const middleY = place.y + place.height / 2;
  return outlines.map((outline) => {
    const points: number[] = [];
    for (let at = 0; at < outline.length; at += 2) {
      const x = (outline[at] ?? 0) - middleX;
      const y = (outline[at + 1] ?? 0) - middleY;
      points.push(middleX + x * cosine - y * sine, middleY + x * sine + y * cosine);
    }
    return points;
  });
}

/** The way back: pixel centres of a row as points of the object, from (0, 0) at its corner. Gives the first and the step. */
export function rowInObject(
  place: Place,
  x: number,
  y: number,
): { u: number; v: number; du: number; dv: number } {
  const fromX = x + 0.5 - place.x - place.width / 2;
  const fromY = y + 0.5 - place.y - place.height / 2;
  return {
    u: fromX * place.cosine + fromY * place.sine + place.width / 2,
    v: fromY * place.cosine - fromX * place.sine + place.height / 2,
    du: place.cosine,
    dv: -place.sine,
  };
}

/**
 * The pixels whose middles are in a box that is not turned: Studio's edges are sharp also where a box ends within a pixel.
 * UNVERIFIED(sharp-edges): Studio paints a pixel wholly where its middle is in a frame.
 */
export function pixelsIn({ x, y, width, height }: Box): Area {
  return {
    left: Math.ceil(x - 0.5),
    top: Math.ceil(y - 0.5),
    right: Math.ceil(x + width - 0.5),
    bottom: Math.ceil(y + height - 0.5),
  };
}
