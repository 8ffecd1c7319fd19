/** Unpacks a WOFF 1 file into the OpenType font in it. Format: https://www.w3.org/TR/WOFF/. */
import { inflateSync } from "node:zlib";

const WOFF_HEADER = 44;
const WOFF_ENTRY = 20;
const FONT_HEADER = 12;
const FONT_ENTRY = 16;

export function fontInWoff(file: Uint8Array): Uint8Array {
  const woff = Buffer.from(file);
  if (woff.toString("latin1", 0, 4) !== "wOFF") throw new Error("no WOFF file");
  const count = woff.readUInt16BE(12);
  const header = Buffer.alloc(FONT_HEADER + FONT_ENTRY * count);
  woff.copy(header, 0, 4, 8);
  header.writeUInt16BE(count, 4);
  const parts: Buffer[] = [header];
  let at = header.length;
  for (let index = 0; index < count; index += 1) {
    const entry = WOFF_HEADER + index * WOFF_ENTRY;
    const start = woff.readUInt32BE(entry + 4);
    const packedBytes = woff.readUInt32BE(entry + 8);
    const bytes = woff.readUInt32BE(entry + 12);
    const packed = woff.subarray(start, start + packedBytes);
    const table = packedBytes < bytes ? inflateSync(packed) : packed;
    const own = FONT_HEADER + index * FONT_ENTRY;
    woff.copy(header, own, entry, entry + 4);
    woff.copy(header, own + 4, entry + 16, entry + 20);
    header.writeUInt32BE(at, own + 8);
    header.writeUInt32BE(bytes, own + 12);
    // Tables begin at multiples of four.
    const padding = Buffer.alloc((4 - (bytes % 4)) % 4);
    parts.push(table, padding);
    at += bytes + padding.length;
  }
  return Buffer.concat(parts);
}
