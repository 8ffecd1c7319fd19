/** What a comparison of pictures leaves out, as a caller words it: a rectangle in pixels, or an object of the interface. */
import type { ActionResult } from "../protocol/actions.ts";
import { invalidInput } from "../protocol/messages.ts";
import { wirePath } from "../tree/instance-path.ts";
import { visibleOnOneLine } from "../util/visible-controls.ts";

interface Rectangle {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

/** Reads the interface, or what is at a path, one object at most. */
export type ReadsInterface = (request: {
  readonly path?: string;
  readonly limit: number;
}) => Promise<ActionResult<"readInterface">>;

const RECTANGLE = /^\s*(-?\d+)\s*,\s*(-?\d+)\s*,\s*(\d+)\s*,\s*(\d+)\s*$/;

/** `frame`: the path of the one object that the picture shows; without it the picture is the screen. */
export function masksAsync(
  readAsync: ReadsInterface,
  words: readonly string[],
  picture: { readonly width: number; readonly height: number },
  frame: string | undefined,
): Promise<Rectangle[]> {
  return Promise.all(words.map((word) => maskAsync(readAsync, word, picture, frame)));
}

async function maskAsync(
  readAsync: ReadsInterface,
  word: string,
  picture: { readonly width: number; readonly height: number },
  frame: string | undefined,
): Promise<Rectangle> {
  const [, left, top, width, height] = (RECTANGLE.exec(word) ?? []).map(Number);
  if (left !== undefined && top !== undefined && width !== undefined && height !== undefined)
    return { left, top, width, height };
  const [own, around] = await Promise.all([
    boxAsync(readAsync, word),
    frame === undefined ? screenAsync(readAsync) : boxAsync(readAsync, frame),
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

async function boxAsync(readAsync: ReadsInterface, path: string): Promise<Rectangle> {
  const { objects } = await readAsync({ path: wirePath(path), limit: 1 });
  const [left, top, width, height] = objects[0]?.box ?? [];
  if (left === undefined || top === undefined || width === undefined || height === undefined)
    throw invalidInput(
      `${visibleOnOneLine(path)} shows no object of an interface.`,
      "Name a visible object, or write a rectangle as X,Y,WIDTH,HEIGHT.",
    );
  return { left, top, width, height };
}

async function screenAsync(readAsync: ReadsInterface): Promise<Rectangle> {
  const { screen } = await readAsync({ limit: 1 });
  if (screen === undefined)
    throw invalidInput("This DataModel has no screen.", "Write the mask as X,Y,WIDTH,HEIGHT.");
  const [left, top, width, height] = screen;
  return { left, top, width, height };
}
