/** Writes and reads the PNG that screenshots need: 8 bits a channel, not interlaced. */
import zlib from "node:zlib";

/** Four bytes a pixel, row by row from the top left. */
export interface Picture {
  readonly width: number;
  readonly height: number;
  readonly pixels: Uint8Array;
}

/** The key under which pictures of headless Studio say with which fonts they were drawn. */
export const FONTS_KEY = "sb-fonts";

const SIGNATURE = Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a);
const BYTES_PER_PIXEL = 4;
const UP = 2;
const TEXT = "tEXt";
const RGBA = 6;

/** Colour type → channels. */
const channelsOf: { readonly [colorType: number]: number } = { 0: 1, 2: 3, 4: 2, [RGBA]: 4 };

/** `texts`: what the file says besides the picture, in Latin letters, by keys. */
export function encodePng(
  { width, height, pixels }: Picture,
  texts: Readonly<Record<string, string>> = {},
): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, RGBA, 0, 0, 0], 8);
  // More effort costs several times the time and saves little on rendered frames.
  const data = zlib.deflateSync(filterUp(pixels, width, height), { level: 1 });
  return Buffer.concat([
    SIGNATURE,
    ...chunk("IHDR", header),
    ...Object.entries(texts).flatMap(([key, text]) => chunk(TEXT, Buffer.from(`${key}\0${text}`, "latin1"))),
    ...chunk("IDAT", data),
    ...chunk("IEND", new Uint8Array(0)),
  ]);
}

function chunk(type: string, data: Uint8Array): Uint8Array[] {
  const head = Buffer.alloc(8);
  head.writeUInt32BE(data.byteLength, 0);
  head.write(type, 4, "latin1");
  const tail = Buffer.alloc(4);
  tail.writeUInt32BE(zlib.crc32(data, zlib.crc32(head.subarray(4))), 0);
  return [head, data, tail];
}

/** Each row as its difference to the one above, behind the number of that filter. */
function filterUp(pixels: Uint8Array, width: number, height: number): Uint8Array {
  const rowBytes = width * BYTES_PER_PIXEL;
  const words = wordsOf(pixels);
  const row = new Int32Array(width);
  const bytesOfRow = new Uint8Array(row.buffer);
  const filtered = new Uint8Array((rowBytes + 1) * height);
  for (let top = 0; top < height; top += 1) {
    const start = top * width;
    for (let column = 0; column < width; column += 1) {
      const above = top === 0 ? 0 : (words[start + column - width] ?? 0);
      row[column] = bytewiseDifference(words[start + column] ?? 0, above);
    }
    filtered[top * (rowBytes + 1)] = UP;
    filtered.set(bytesOfRow, top * (rowBytes + 1) + 1);
  }
  return filtered;
}

/** Four subtractions modulo 256 at once: the top bit of each byte is kept from borrowing. */
function bytewiseDifference(left: number, right: number): number {
  return ((left | 0x80808080) - (right & 0x7f7f7f7f)) ^ ((left ^ ~right) & 0x80808080);
}

function wordsOf(pixels: Uint8Array): Int32Array {
  const isAligned = pixels.byteOffset % Int32Array.BYTES_PER_ELEMENT === 0;
  const { buffer, byteOffset, byteLength } = isAligned ? pixels : Uint8Array.from(pixels);
  return new Int32Array(buffer, byteOffset, byteLength / Int32Array.BYTES_PER_ELEMENT);
}

/** Every pixel is the same. */
export function isOneColour({ pixels }: Picture): boolean {
  const words = wordsOf(pixels);
  return words.every((word) => word === words[0]);
}

/** Undefined for what is no PNG, or none of the kind that this module knows. */
export function decodePng(bytes: Uint8Array): Picture | undefined {
  if (bytes.length < 33 || !SIGNATURE.every((byte, index) => bytes[index] === byte)) return undefined;
  const view = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const [width, height] = [view.readUInt32BE(16), view.readUInt32BE(20)];
  const channels = channelsOf[view.readUInt8(25)];
  const isPlain = view.readUInt8(24) === 8 && view.readUInt8(28) === 0;
  if (channels === undefined || !isPlain) return undefined;
  try {
    const rows = zlib.inflateSync(Buffer.concat(chunksOf(view, "IDAT")));
    if (rows.length !== (width * channels + 1) * height) return undefined;
    return { width, height, pixels: toRgba(unfilter(rows, width * channels, height, channels), channels) };
  } catch {
    return undefined;
  }
}

/** A text that encodePng has written into the file; undefined where there is none of that key. */
export function pngText(bytes: Uint8Array, key: string): string | undefined {
  const view = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const start = `${key}\0`;
  const texts = chunksOf(view, TEXT).map((chunk) => chunk.toString("latin1"));
  return texts.find((text) => text.startsWith(start))?.slice(start.length);
}

function chunksOf(view: Buffer, type: string): Buffer[] {
  const found: Buffer[] = [];
  let offset = SIGNATURE.length;
  while (offset + 8 <= view.length) {
    const sizeBytes = view.readUInt32BE(offset);
    const start = offset + 8;
    if (view.toString("latin1", offset + 4, start) === type)
      found.push(view.subarray(start, start + sizeBytes));
    offset = start + sizeBytes + 4;
  }
  return found;
}

/** The bytes of all rows without their filters. `step` is how far back the pixel to the left is. */
function unfilter(rows: Uint8Array, rowBytes: number, height: number, step: number): Uint8Array {
  const plain = new Uint8Array(rowBytes * height);
  for (let row = 0; row < height; row += 1) {
    const filter = rows[row * (rowBytes + 1)] ?? 0;
    for (let column = 0; column < rowBytes; column += 1) {
      const at = row * rowBytes + column;
      const left = column < step ? 0 : (plain[at - step] ?? 0);
      const above = row === 0 ? 0 : (plain[at - rowBytes] ?? 0);
      const corner = row === 0 || column < step ? 0 : (plain[at - rowBytes - step] ?? 0);
      plain[at] = (rows[row * (rowBytes + 1) + 1 + column] ?? 0) + predicted(filter, left, above, corner);
    }
  }
  return plain;
}

function predicted(filter: number, left: number, above: number, corner: number): number {
  if (filter === 1) return left;
  if (filter === UP) return above;
  if (filter === 3) return (left + above) >> 1;
  return filter === 4 ? paeth(left, above, corner) : 0;
}

function paeth(left: number, above: number, corner: number): number {
  const guess = left + above - corner;
  const [toLeft, toAbove, toCorner] = [left, above, corner].map((value) => Math.abs(guess - value));
  if ((toLeft ?? 0) <= (toAbove ?? 0) && (toLeft ?? 0) <= (toCorner ?? 0)) return left;
  return (toAbove ?? 0) <= (toCorner ?? 0) ? above : corner;
}

function toRgba(plain: Uint8Array, channels: number): Uint8Array {
  if (channels === BYTES_PER_PIXEL) return plain;
  const count = plain.length / channels;
  const pixels = new Uint8Array(count * BYTES_PER_PIXEL);
  for (let pixel = 0; pixel < count; pixel += 1) {
    const channel = (index: number) => plain[pixel * channels + index] ?? 0;
    const isGrey = channels < 3;
    const alpha = channels === 2 ? channel(1) : 255;
    pixels.set(
      [channel(0), channel(isGrey ? 0 : 1), channel(isGrey ? 0 : 2), alpha],
      pixel * BYTES_PER_PIXEL,
    );
  }
  return pixels;
}
