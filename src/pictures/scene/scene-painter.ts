/** Paints the operations of a scene, in their order, on a surface. */
import type { Picture } from "../../util/png.ts";
import { fillOutlines, type Outline } from "../shapes/coverage.ts";
import { gradientColour, gradientAt, gradientPaint, type Gradient } from "../shapes/gradients.ts";
import { imagePaint, scaleTypes } from "../shapes/images.ts";
import { grown, joins, ring, roundedBox } from "../shapes/outlines.ts";
import { isTurned, pixelsIn, rowInObject, turned, type Place } from "../shapes/place.ts";
import { byteOf, common, isEmpty, makeSurface, paintArea } from "../surface.ts";
import type { Area, Colour, Paint, Shader, Surface } from "../surface.ts";
import { drawGlyphs } from "../text/draw-text.ts";
import type { GlyphMasks } from "../text/glyph-masks.ts";
import { chooseFace, type FontFace } from "../text/outlines.ts";
import { PICTURE_OPS, type PictureOp } from "./ops.ts";
import type { SceneReader } from "./scene-reader.ts";

export interface SceneSetting {
  /** The corner of the canvas that is the picture's, and pixels for each unit. */
  readonly left: number;
  readonly top: number;
  readonly scale: number;
  readonly masks: GlyphMasks;
  readonly faces: () => readonly FontFace[];
  readonly image: (content: string) => Picture | undefined;
}

interface Group {
  readonly surface: Surface;
  readonly place: Place;
  readonly clip: Area;
}

/** Where the box of a character without a letter is, as shares of the height of the font's box. */
const MISSING = { left: 0.06, top: 0.22, width: 0.36, height: 0.52 } as const;

const NOWHERE: Place = { x: 0, y: 0, width: 0, height: 0, cosine: 1, sine: 0, radii: [0, 0, 0, 0] };

export class ScenePainter {
  readonly #reader: SceneReader;
  readonly #setting: SceneSetting;
  readonly #groups: Group[] = [];
  readonly #leftOut = new Map<string, number>();
  #surface: Surface;
  #clip: Area;
  #place = NOWHERE;
  #gradient: Gradient | undefined;

  constructor(surface: Surface, reader: SceneReader, setting: SceneSetting) {
    this.#surface = surface;
    this.#clip = surface;
    this.#reader = reader;
    this.#setting = setting;
  }

  /** Returns how often something was left out or replaced, by what it is. */
  paint(): ReadonlyMap<string, number> {
    while (!this.#reader.isAtEnd) {
      const op = PICTURE_OPS[this.#reader.number()];
      if (op === undefined) throw new Error("the scene has an operation that is not known");
      this.#acts[op]();
    }
    return this.#leftOut;
  }

  readonly #acts: Readonly<Record<PictureOp, () => void>> = {
    clip: () => this.#setClip(),
    object: () => this.#setObject(),
    gradient: () => this.#setGradient(),
    plain: () => void (this.#gradient = undefined),
    fill: () => this.#fill(),
    ring: () => this.#ring(),
    box: () => this.#box(),
    image: () => this.#image(),
    glyphs: () => this.#glyphs(),
    beginGroup: () => this.#beginGroup(),
    endGroup: () => this.#endGroup(),
  };

  #x(units: number): number {
    return (units - this.#setting.left) * this.#setting.scale;
  }

  #y(units: number): number {
    return (units - this.#setting.top) * this.#setting.scale;
  }

  #setClip(): void {
    const [left = 0, top = 0, right = 0, bottom = 0] = this.#reader.list(4);
    const x = Math.max(this.#x(left), 0);
    const y = Math.max(this.#y(top), 0);
    const box = { x, y, width: this.#x(right) - x, height: this.#y(bottom) - y };
    this.#clip = common(this.#surface, pixelsIn(box));
  }

  #setObject(): void {
    const [x = 0, y = 0, width = 0, height = 0, cosine = 1, sine = 0] = this.#reader.list(6);
    const [one = 0, two = 0, three = 0, four = 0] = this.#reader.list(4);
    const { scale } = this.#setting;
    const radii = [one * scale, two * scale, three * scale, four * scale] as const;
    const whole = { width: width * scale, height: height * scale, cosine, sine, radii };
    const place = { ...whole, x: this.#x(x), y: this.#y(y) };
    if (isTurned(place)) this.#place = place;
    else {
      const { left, top, right, bottom } = pixelsIn(place);
      this.#place = { ...place, x: left, y: top, width: right - left, height: bottom - top };
    }
    this.#gradient = undefined;
  }

  #setGradient(): void {
    const [cosine = 1, sine = 0, offsetX = 0, offsetY = 0] = this.#reader.list(4);
    const colours = Array.from({ length: this.#reader.number() }, () => {
      const [at = 0, r = 0, g = 0, b = 0] = this.#reader.list(4);
      return { at, r, g, b };
    });
    const alphas = Array.from({ length: this.#reader.number() }, () => {
      const [at = 0, transparency = 0] = this.#reader.list(2);
      return { at, transparency };
    });
    this.#gradient = { cosine, sine, offsetX, offsetY, colours, alphas };
  }

  #fill(): void {
    this.#paintObject(gradientPaint(this.#gradient, this.#reader.colour(), this.#place));
  }

  #paintObject(paint: Paint): void {
    const place = this.#place;
    if (!isTurned(place) && place.radii.every((radius) => radius <= 0))
      paintArea(this.#surface, common(this.#clip, pixelsIn(place)), paint);
    else this.#paintOutlines([roundedBox(place, place.radii)], paint);
  }

  #paintOutlines(outlines: readonly Outline[], paint: Paint): void {
    fillOutlines(this.#surface, this.#clip, turned(outlines, this.#place), paint);
  }

  #ring(): void {
    const [inner = 0, outer = 0, join = 0] = this.#reader.list(3);
    const { scale } = this.#setting;
    const paint = gradientPaint(this.#gradient, this.#reader.colour(), this.#place);
    const { radii } = this.#place;
    const outlines = ring(this.#place, radii, inner * scale, outer * scale, joins[join] ?? "round");
    this.#paintOutlines(outlines, paint);
  }

  #box(): void {
    const [x = 0, y = 0, width = 0, height = 0, radius = 0] = this.#reader.list(5);
    const { scale } = this.#setting;
    const paint = gradientPaint(this.#gradient, this.#reader.colour(), this.#place);
    const own = {
      x: this.#place.x + x * scale,
      y: this.#place.y + y * scale,
      width: width * scale,
      height: height * scale,
    };
    if (!isTurned(this.#place) && radius <= 0)
      paintArea(this.#surface, common(this.#clip, pixelsIn(own)), paint);
    else {
      const round = radius * scale;
      this.#paintOutlines([roundedBox(own, [round, round, round, round])], paint);
    }
  }

  #image(): void {
    const name = this.#reader.name();
    const scaleType = scaleTypes[this.#reader.number()] ?? "Stretch";
    const isPixelated = this.#reader.number() === 1;
    const colour = this.#reader.colour();
    const [x = 0, y = 0, width = 0, height = 0] = this.#reader.list(4);
    const [left = 0, top = 0, right = 0, bottom = 0] = this.#reader.list(4);
    const [sliceScale = 1, tileWidth = 0, tileHeight = 0] = this.#reader.list(3);
    const image = this.#setting.image(name);
    const { scale } = this.#setting;
    if (image === undefined) {
      this.#count("images that are not on this machine, drawn as a crossed box");
      this.#crossedBox(colour.a);
      return;
    }
    const look = {
      colour,
      scaleType,
      isPixelated,
      part: { x, y, width, height },
      slice: [left, top, right, bottom],
      sliceScale,
      tile: [tileWidth * scale, tileHeight * scale],
    } as const;
    this.#paintObject(imagePaint(image, look, this.#place, this.#gradient, scale));
  }

  #crossedBox(opacity: number): void {
    const { x, y, width, height } = this.#place;
    const line = Math.max(this.#setting.scale, 1);
    this.#paintObject({ r: 0.5, g: 0.5, b: 0.5, a: 0.35 * opacity });
    const stroke: Colour = { r: 0.4, g: 0.4, b: 0.4, a: 0.8 * opacity };
    const [right, bottom] = [x + width, y + height];
    const cross = [
      [x, y, x + line, y, right, bottom, right - line, bottom],
      [right - line, y, right, y, x + line, bottom, x, bottom],
    ];
    for (const outline of cross) this.#paintOutlines([outline], stroke);
  }

  #glyphs(): void {
    const name = this.#reader.name();
    const [box = 0, stroke = 0] = this.#reader.list(2);
    const paint = gradientPaint(this.#gradient, this.#reader.colour(), this.#place);
    const count = this.#reader.number();
    const { scale, masks, faces } = this.#setting;
    const origins = this.#reader.list(count * 3);
    const [family = "", weight = "400", style = "Normal"] = name.split(" ");
    const chosen = chooseFace(faces(), family, Number(weight), style === "Italic");
    if (chosen === undefined) return;
    const { face, isOther } = chosen;
    if (isOther) this.#count(`texts in ${family}, drawn in ${face.family}`);
    for (let at = 0; at < origins.length; at += 3)
      if (isMissing(face, origins[at] ?? 0))
        this.#missing(origins[at + 1] ?? 0, origins[at + 2] ?? 0, box, paint);
    const stand = (box * face.ascent) / (face.ascent + face.descent);
    const glyphs = origins.map((value, index) =>
      index % 3 === 0
        ? value
        : index % 3 === 1
          ? this.#place.x + value * scale
          : this.#place.y + (value + stand) * scale,
    );
    const run = { face, box: box * scale, stroke: stroke * scale, glyphs };
    drawGlyphs(this.#surface, this.#clip, this.#place, run, paint, masks);
  }

  /** An empty box stands for a character, as in any program without its font. */
  #missing(x: number, y: number, box: number, paint: Paint): void {
    this.#count("characters that the fonts of sb lack, drawn as an empty box");
    const { scale } = this.#setting;
    const own = {
      ...this.#place,
      x: this.#place.x + (x + box * MISSING.left) * scale,
      y: this.#place.y + (y + box * MISSING.top) * scale,
      width: box * MISSING.width * scale,
      height: box * MISSING.height * scale,
    };
    const line = Math.max(scale, 1);
    this.#paintOutlines(ring(own, NOWHERE.radii, -line, 0, "miter"), paint);
  }

  /** A group has only the pixels that can show of it. */
  #beginGroup(): void {
    this.#groups.push({ surface: this.#surface, place: this.#place, clip: this.#clip });
    const reach = isTurned(this.#place) ? this.#surface : pixelsIn(grown(this.#place, 1));
    this.#surface = makeSurface(common(this.#clip, reach));
    this.#clip = this.#surface;
  }

  #endGroup(): void {
    const colour = this.#reader.colour();
    const group = this.#groups.pop();
    if (group === undefined) throw new Error("the scene ends a group that it has not begun");
    const content = this.#surface;
    const gradient = this.#gradient;
    this.#surface = group.surface;
    this.#clip = group.clip;
    this.#place = group.place;
    if (!isEmpty(content)) this.#paintObject(groupPaint(content, colour, gradient, group.place));
    this.#gradient = undefined;
  }

  #count(what: string): void {
    this.#leftOut.set(what, (this.#leftOut.get(what) ?? 0) + 1);
  }
}

/** A space has no outline, and is not missed; nor is what only joins or directs others. */
const isMissing = (face: FontFace, code: number): boolean =>
  face.glyph(code) === undefined && !/[\s\p{Cc}\p{Cf}\p{Mn}]/u.test(String.fromCodePoint(code));

/** What a group has painted, tinted. */
function groupPaint(content: Surface, base: Colour, gradient: Gradient | undefined, place: Place): Shader {
  return (x, y, count, into) => {
    const row = rowInObject(place, x, y);
    for (let index = 0; index < count; index += 1) {
      const column = x + index;
      const isInside =
        column >= content.left && column < content.right && y >= content.top && y < content.bottom;
      const from = isInside ? ((y - content.top) * content.width + column - content.left) * 4 : -1;
      const [u, v] = [row.u + row.du * index, row.v + row.dv * index];
      const tint =
        gradient === undefined
          ? base
          : gradientColour(gradient, gradientAt(gradient, place.width, place.height, u, v), base);
      const channel = (offset: number): number => (from < 0 ? 0 : (content.pixels[from + offset] ?? 0) / 255);
      into[index * 4] = byteOf(channel(0) * tint.r * tint.a);
      into[index * 4 + 1] = byteOf(channel(1) * tint.g * tint.a);
      into[index * 4 + 2] = byteOf(channel(2) * tint.b * tint.a);
      into[index * 4 + 3] = byteOf(channel(3) * tint.a);
    }
  };
}
