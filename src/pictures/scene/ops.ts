/**
 * The words of a scene: what headless Studio tells the rasteriser, as numbers. A scene begins with the part
 * of the canvas that the picture shows (left, top, width, height), pixels of the picture for each unit, and the ground: 0 none, 1 the
 * world. Then each operation is its position in this list and its numbers. Positions and sizes are in units of the interface.
 */
export const PICTURE_OPS = [
  /** left, top, right, bottom: what comes shows only there. */
  "clip",
  /** x, y, width, height, cosine and sine of the rotation, four radii: what comes belongs to this object. */
  "object",
  /**
   * cosine, sine, offset x and y, number of colours, for each its place and red, green, blue; number of transparencies,
   * for each its place and value: what comes of this object has this gradient.
   */
  "gradient",
  /** What comes has no gradient. */
  "plain",
  /** red, green, blue, opacity: the object's background. */
  "fill",
  /** how far inwards and outwards of the object's edge (outwards is positive), number of the join, red, green, blue, opacity. */
  "ring",
  /** x, y, width, height within the object, radius, red, green, blue, opacity. */
  "box",
  /**
   * number of a name, number of the scale type, 1 for whole pixels, red, green, blue, opacity, x, y, width, height of the part
   * that shows, left, top, right, bottom of the middle piece, scale of the edges, width and height of a tile.
   */
  "image",
  /**
   * number of the name of a face (`FAMILY WEIGHT STYLE`), height of the font's box, thickness of a stroke (0: the glyphs
   * themselves), red, green, blue, opacity, number of glyphs, for each its code, x of its origin and y of the
   * top of the font's box within the object.
   */
  "glyphs",
  /** What comes until endGroup is painted apart. */
  "beginGroup",
  /** red, green, blue, opacity: the group is laid over what is below it, tinted, within the round corners of the object. */
  "endGroup",
] as const;
export type PictureOp = (typeof PICTURE_OPS)[number];
