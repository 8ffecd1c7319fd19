/** Draws a scene of headless Studio as a picture: the world, and the interface over it. */
import type { Picture } from "../util/png.ts";
import { ScenePainter } from "./scene/scene-painter.ts";
import { SceneReader } from "./scene/scene-reader.ts";
import { makeSurface, straightPixels } from "./surface.ts";
import { GlyphMasks } from "./text/glyph-masks.ts";
import { readFaces, type FontFace } from "./text/outlines.ts";
import { drawWorld } from "./world/draw-world.ts";

export interface PictureResources {
  /** The file of outlines, read when the first text is drawn. */
  readonly outlines: () => Uint8Array;
  /** The PNG of an image by its content id; undefined for one that is not on this machine. */
  readonly image: (content: string) => Picture | undefined;
}

export interface SceneTexts {
  readonly numbers: Float64Array;
  readonly names: readonly string[];
  /** What `drawWorld` takes; used where the ground is the world. */
  readonly world: Float32Array;
}

export interface DrawnPicture extends Picture {
  /** How often something was left out or replaced, by what it is. */
  readonly leftOut: ReadonlyMap<string, number>;
}

const LINE_BREAK = 10;

/** More than this on a side is refused before anything is drawn. */
export const MOST_PIXELS_A_SIDE = 4_096;

/** Keeps the fonts and glyphs that it has read. */
export class PictureMaker {
  readonly #resources: PictureResources;
  readonly #masks = new GlyphMasks();
  #faces: readonly FontFace[] | undefined;

  constructor(resources: PictureResources) {
    this.#resources = resources;
  }

  /** Says which outlines there are: another text for others. */
  get fonts(): string {
    const file = this.#resources.outlines();
    return Buffer.from(file.subarray(0, file.indexOf(LINE_BREAK))).toString("latin1");
  }

  draw({ numbers, names, world }: SceneTexts): DrawnPicture {
    const reader = new SceneReader(numbers, names);
    const [left = 0, top = 0, width = 0, height = 0, scale = 1, ground = 0] = reader.list(6);
    const side = (length: number): number =>
      Math.max(1, Math.min(Math.round(length * scale), MOST_PIXELS_A_SIDE));
    const surface = makeSurface({ left: 0, top: 0, right: side(width), bottom: side(height) });
    if (ground === 1) drawWorld(surface.pixels, surface.width, surface.height, world);
    const painter = new ScenePainter(surface, reader, {
      left,
      top,
      scale,
      masks: this.#masks,
      faces: () => (this.#faces ??= readFaces(this.#resources.outlines())),
      image: this.#resources.image,
    });
    const leftOut = painter.paint();
    return { width: surface.width, height: surface.height, pixels: straightPixels(surface), leftOut };
  }
}
