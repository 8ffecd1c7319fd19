/** What a comparison of pictures leaves out, as a caller words it: a rectangle in pixels, or an object of the interface. */
import { invalidInput } from "../protocol/messages.ts";
import { wirePath } from "../tree/instance-path.ts";
import { visibleOnOneLine } from "../util/visible-controls.ts";
import { tellingNearPaths } from "./near-paths.ts";
import type { SessionLink } from "./session-link.ts";

interface Rectangle {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

const RECTANGLE = /^\s*(-?\d+)\s*,\s*(-?\d+)\s*,\s*(\d+)\s*,\s*(\d+)\s*$/;

/** `frame`: the path of the one object that the picture shows; without it the picture is the screen. */
export function masksAsync(
  link: SessionLink,
  words: readonly string[],
  picture: { readonly width: number; readonly height: number },
  frame: string | undefined,
): Promise<Rectangle[]> {
  return Promise.all(words.map((word) => maskAsync(link, word, picture, frame)));
}

async function maskAsync(
  link: SessionLink,
  word: string,
  picture: { readonly width: number; readonly height: number },
  frame: string | undefined,
): Promise<Rectangle> {
  const [, left, top, width, height] = (RECTANGLE.exec(word) ?? []).map(Number);
  if (left !== undefined && top !== undefined && width !== undefined && height !== undefined)
    return { left, top, width, height };
  const [own, around] = await Promise.all([
    boxAsync(link, word),
    frame === undefined ? screenAsync(link) : boxAsync(link, frame),
  ]);
  const scale = picture.width / around.width;
  const [first, above] = [(own.left - around.left) * scale, (own.top - around.top) * scale];
  // Soft edges belong to the object.
  return {
    left: Math.floor(first),
    top: Math.floor(above),
    width: Math.ceil(first + own.width * scale) - Math.floor(first),
    height: Math.ceil(above + own.height * scale) - Math.floor(above),
  };
}

async function boxAsync(link: SessionLink, path: string): Promise<Rectangle> {
  const { objects } = await link
    .callAsync("readInterface", { path: wirePath(path), limit: 1 })
    .catch(tellingNearPaths(link));
  const [left, top, width, height] = objects[0]?.box ?? [];
  if (left === undefined || top === undefined || width === undefined || height === undefined)
    throw invalidInput(
      `${visibleOnOneLine(path)} shows no object of an interface.`,
      "Name a visible object, or write a rectangle as X,Y,WIDTH,HEIGHT.",
    );
  return { left, top, width, height };
}

async function screenAsync(link: SessionLink): Promise<Rectangle> {
  const { screen } = await link.callAsync("readInterface", { limit: 1 });
  if (screen === undefined)
    throw invalidInput("This DataModel has no screen.", "Write the mask as X,Y,WIDTH,HEIGHT.");
  const [left, top, width, height] = screen;
  return { left, top, width, height };
}
