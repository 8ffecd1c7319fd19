/**
 * How much of each pixel a shape covers, exactly: the signed area that its outline leaves to its right is added up along
 * each row. Only additions, multiplications and divisions, so that every machine finds the same numbers.
 */
import { common, isEmpty, paintRow, type Area, type Paint, type Surface } from "../surface.ts";

/** A closed outline: x and y of each corner, in turn. */
export type Outline = readonly number[];

/** Room for one row, which a line may leave by a column. */
const EDGE = 2;

let sums = new Float32Array(0);
let row = new Uint8Array(0);

/** Paints what the outlines enclose. Those that turn the other way are holes. */
export function fillOutlines(surface: Surface, clip: Area, outlines: readonly Outline[], paint: Paint): void {
  const area = common(common(surface, clip), boundsOf(outlines));
  if (isEmpty(area)) return;
  const width = area.right - area.left;
  const stride = width + EDGE;
  const needed = stride * (area.bottom - area.top);
  if (sums.length < needed) sums = new Float32Array(needed * 2);
  if (row.length < width) row = new Uint8Array(width * 2);
  for (const outline of outlines) addOutline(outline, area, stride);
  for (let y = area.top; y < area.bottom; y += 1) {
    coverRow((y - area.top) * stride, width);
    paintRow(surface, area.left, y, row, width, paint);
  }
}

/** The same as one mask: a byte a pixel of the area. */
export function maskOf(area: Area, outlines: readonly Outline[]): Uint8Array {
  const width = area.right - area.left;
  const height = area.bottom - area.top;
  const mask = new Uint8Array(width * height);
  const stride = width + EDGE;
  if (sums.length < stride * height) sums = new Float32Array(stride * height * 2);
  if (row.length < width) row = new Uint8Array(width * 2);
  for (const outline of outlines) addOutline(outline, area, stride);
  for (let y = 0; y < height; y += 1) {
    coverRow(y * stride, width);
    mask.set(row.subarray(0, width), y * width);
  }
  return mask;
}

/** The pixels that outlines touch. */
export function boundsOf(outlines: readonly Outline[]): Area {
  let [left, top, right, bottom] = [Infinity, Infinity, -Infinity, -Infinity];
  for (const outline of outlines)
    for (let at = 0; at < outline.length; at += 2) {
      const x = outline[at] ?? 0;
      const y = outline[at + 1] ?? 0;
      if (x < left) left = x;
      if (x > right) right = x;
      if (y < top) top = y;
      if (y > bottom) bottom = y;
    }
  return { left: Math.floor(left), top: Math.floor(top), right: Math.ceil(right), bottom: Math.ceil(bottom) };
}

/** Adds up one row of the sums into bytes, and leaves the sums at zero. */
function coverRow(start: number, width: number): void {
  let sum = 0;
  for (let index = 0; index < width; index += 1) {
    const step = sums[start + index] ?? 0;
    if (step !== 0) {
      sum += step;
      sums[start + index] = 0;
    }
    const covered = sum < 0 ? -sum : sum;
    row[index] = covered >= 1 ? 255 : (covered * 255 + 0.5) | 0;
  }
  sums[start + width] = 0;
  sums[start + width + 1] = 0;
}

function addOutline(outline: Outline, area: Area, stride: number): void {
  const width = area.right - area.left;
  const height = area.bottom - area.top;
  let fromX = (outline.at(-2) ?? 0) - area.left;
  let fromY = (outline.at(-1) ?? 0) - area.top;
  for (let at = 0; at < outline.length; at += 2) {
    const toX = (outline[at] ?? 0) - area.left;
    const toY = (outline[at + 1] ?? 0) - area.top;
    if (fromY < toY) addLine(fromX, fromY, toX, toY, 1, width, height, stride);
    else if (toY < fromY) addLine(toX, toY, fromX, fromY, -1, width, height, stride);
    fromX = toX;
    fromY = toY;
  }
}

/** A line downwards, cut to the rows of the area. */
function addLine(
  x0: number,
  y0: number,
  x1: number,
  y1: number,
  sign: number,
  width: number,
  height: number,
  stride: number,
): void {
  if (y1 <= 0 || y0 >= height) return;
  const slope = (x1 - x0) / (y1 - y0);
  const top = y0 < 0 ? 0 : y0;
  const bottom = y1 > height ? height : y1;
  let x = y0 < 0 ? x0 - y0 * slope : x0;
  for (let y = Math.floor(top); y < bottom; y += 1) {
    const from = y < top ? top : y;
    const to = y + 1 > bottom ? bottom : y + 1;
    const next = x + (to - from) * slope;
    addPiece(x, next, (to - from) * sign, y * stride, width);
    x = next;
  }
}

/** The part of a line within one row: `depth` is how much of the row it passes, with its sign. */
function addPiece(x0: number, x1: number, depth: number, start: number, width: number): void {
  const left = x0 < x1 ? x0 : x1;
  const right = x0 < x1 ? x1 : x0;
  if (left >= width) return;
  if (right <= 0) {
    sums[start] = (sums[start] ?? 0) + depth;
    return;
  }
  if (left < 0 || right > width) {
    addCutPiece(left, right, depth, start, width);
    return;
  }
  const first = Math.floor(left);
  const last = Math.ceil(right);
  if (last <= first + 1) {
    const inside = depth * (1 - ((left + right) / 2 - first));
    sums[start + first] = (sums[start + first] ?? 0) + inside;
    sums[start + first + 1] = (sums[start + first + 1] ?? 0) + depth - inside;
    return;
  }
  const perColumn = depth / (right - left);
  let added = 0;
  for (let column = first; column < last; column += 1) {
    const from = column < left ? left : column;
    const to = column + 1 > right ? right : column + 1;
    // What the pieces up to here cover of this column: those before it wholly, its own from its middle on.
    const own = perColumn * (to - from);
    const covered = perColumn * (from - left) + own * (1 - ((from + to) / 2 - column));
    sums[start + column] = (sums[start + column] ?? 0) + covered - added;
    added = covered;
  }
  sums[start + last] = (sums[start + last] ?? 0) + depth - added;
}

/** A piece that leaves the area to the left or to the right: what is left of it counts as at the edge. */
function addCutPiece(left: number, right: number, depth: number, start: number, width: number): void {
  const perColumn = depth / (right - left);
  const from = left < 0 ? 0 : left;
  const to = right > width ? width : right;
  if (left < 0) sums[start] = (sums[start] ?? 0) + perColumn * -left;
  if (to > from) addPiece(from, to, perColumn * (to - from), start, width);
}
