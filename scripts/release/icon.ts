/** The icon of `sb.exe` and of the MCP server, drawn here: a bridge between two towers. */
import { deflateSync } from "node:zlib";

/** `#` is the bridge, `~` the water below it, and a space is not drawn. */
const PICTURE = [
  "                ",
  "                ",
  "   ##      ##   ",
  "   ##      ##   ",
  "  ####    ####  ",
  " # ## #  # ## # ",
  "#  ##  ##  ##  #",
  "   ##      ##   ",
  "################",
  "################",
  "   ##      ##   ",
  "   ##      ##   ",
  "~~~##~~~~~~##~~~",
  "~~~##~~~~~~##~~~",
  "~~~~~~~~~~~~~~~~",
  "                ",
];
const colours: { readonly [sign: string]: readonly number[] } = {
  "#": [0x1f, 0x6f, 0xeb, 255],
  "~": [0x56, 0xb6, 0xc2, 255],
};
const SIZES = [16, 32, 48, 256] as const;
const FOLDER_ENTRY = 16;
const HEADER = 6;

/** A file as Windows has them, with a PNG for each size. */
export function icon(): ArrayBuffer {
  const images = SIZES.map(iconPng);
  const head = Buffer.alloc(HEADER + images.length * FOLDER_ENTRY);
  head.writeUInt16LE(1, 2);
  head.writeUInt16LE(images.length, 4);
  let offset = head.length;
  for (const [index, size] of SIZES.entries()) {
    const at = HEADER + index * FOLDER_ENTRY;
    const length = images[index]?.length ?? 0;
    // 0 stands for 256.
    head.writeUInt8(size % 256, at);
    head.writeUInt8(size % 256, at + 1);
    head.writeUInt16LE(1, at + 4);
    head.writeUInt16LE(32, at + 6);
    head.writeUInt32LE(length, at + 8);
    head.writeUInt32LE(offset, at + 12);
    offset += length;
  }
  return new Uint8Array(Buffer.concat([head, ...images])).buffer;
}

export function iconPng(size: number): Buffer {
  const scale = size / PICTURE.length;
  const rows = Array.from({ length: size }, (_, y) => {
    const signs = PICTURE[Math.floor(y / scale)] ?? "";
    const row = Array.from(
      { length: size },
      (_, x) => colours[signs[Math.floor(x / scale)] ?? ""] ?? [0, 0, 0, 0],
    );
    // Each row begins with the number of its filter.
    return [0, ...row.flat()];
  });
  const header = Buffer.alloc(13);
  header.writeUInt32BE(size, 0);
  header.writeUInt32BE(size, 4);
  // Eight bits for each of red, green, blue and alpha.
  header.set([8, 6], 8);
  return Buffer.concat([
    Buffer.from("\x89PNG\r\n\x1a\n", "latin1"),
    chunk("IHDR", header),
    chunk("IDAT", deflateSync(Buffer.from(rows.flat()))),
    chunk("IEND", Buffer.alloc(0)),
  ]);
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, "latin1"), data]);
  const [length, check] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  check.writeUInt32BE(Bun.hash.crc32(body));
  return Buffer.concat([length, body, check]);
}
