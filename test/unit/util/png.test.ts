import { describe, expect, test } from "bun:test";
import { deflateSync, inflateSync } from "node:zlib";
import { decodePng, encodePng, isOneColour } from "../../../src/util/png.ts";
import type { Picture } from "../../../src/util/png.ts";

function picture(width: number, height: number, shade: (index: number) => number): Picture {
  return {
    width,
    height,
    pixels: Uint8Array.from({ length: width * height * 4 }, (_, index) => shade(index)),
  };
}

const scattered = picture(7, 5, (index) => (index * 73 + (index >> 3) * 31) & 255);

/** Type and data of every chunk, each with a sound checksum. */
function chunksOf(png: Buffer): { type: string; data: Buffer }[] {
  const found = [];
  for (let offset = 8; offset < png.length;) {
    const sizeBytes = png.readUInt32BE(offset);
    const body = png.subarray(offset + 4, offset + 8 + sizeBytes);
    expect(png.readUInt32BE(offset + 8 + sizeBytes)).toBe(Bun.hash.crc32(body));
    found.push({ type: body.toString("latin1", 0, 4), data: body.subarray(4) });
    offset += 12 + sizeBytes;
  }
  return found;
}

describe("a PNG that was written", () => {
  test("has the parts that the format asks for", () => {
    const png = encodePng(scattered);
    expect(png.subarray(0, 8).toString("hex")).toBe("89504e470d0a1a0a");
    const [header, data, end] = chunksOf(png);
    expect(header).toEqual({ type: "IHDR", data: Buffer.from([0, 0, 0, 7, 0, 0, 0, 5, 8, 6, 0, 0, 0]) });
    expect(data?.type).toBe("IDAT");
    expect(end).toEqual({ type: "IEND", data: Buffer.alloc(0) });
  });

  test("holds each row as the difference to the one above", () => {
    const { width, height, pixels } = scattered;
    const rows = inflateSync(chunksOf(encodePng(scattered))[1]?.data ?? Buffer.alloc(0));
    const rowBytes = width * 4;
    for (let row = 0; row < height; row += 1) {
      expect(rows[row * (rowBytes + 1)]).toBe(2);
      for (let column = 0; column < rowBytes; column += 1) {
        const above = row === 0 ? 0 : Number(pixels[(row - 1) * rowBytes + column]);
        const difference = (Number(pixels[row * rowBytes + column]) - above) & 255;
        expect(rows[row * (rowBytes + 1) + 1 + column]).toBe(difference);
      }
    }
  });

  test("is read back as it was, from any place in memory", () => {
    expect(decodePng(encodePng(scattered))).toEqual(scattered);
    const shifted = new Uint8Array(scattered.pixels.length + 1);
    shifted.set(scattered.pixels, 1);
    expect(decodePng(encodePng({ ...scattered, pixels: shifted.subarray(1) }))).toEqual(scattered);
  });
});

describe("a PNG made by another program", () => {
  /** One grey row per filter, as the format defines them. */
  function greyPng(rows: readonly (readonly number[])[]): Buffer {
    const width = (rows[0]?.length ?? 1) - 1;
    const header = Buffer.from([0, 0, 0, width, 0, 0, 0, rows.length, 8, 0, 0, 0, 0]);
    const chunk = (type: string, data: Uint8Array) => {
      const size = Buffer.alloc(4);
      size.writeUInt32BE(data.length);
      return Buffer.concat([size, Buffer.from(type), data, Buffer.alloc(4)]);
    };
    const signature = Buffer.from("89504e470d0a1a0a", "hex");
    const data = deflateSync(Uint8Array.from(rows.flat()));
    return Buffer.concat([
      signature,
      chunk("IHDR", header),
      chunk("IDAT", data),
      chunk("IEND", Buffer.alloc(0)),
    ]);
  }

  test("is read with every filter", () => {
    const rows = [
      [0, 10, 20, 30],
      [1, 10, 10, 10],
      [2, 0, 0, 0],
      [3, 5, 5, 5],
      [4, 0, 10, 10],
    ];
    const grey = [
      [10, 20, 30],
      [10, 20, 30],
      [10, 20, 30],
      [10, 20, 30],
      [10, 30, 40],
    ];
    const pixels = Uint8Array.from(grey.flat().flatMap((shade) => [shade, shade, shade, 255]));
    expect(decodePng(greyPng(rows))).toEqual({ width: 3, height: 5, pixels });
  });

  test.each([
    ["nothing", Buffer.alloc(0)],
    ["a JPEG", Buffer.from("ffd8ffe000104a46494600010100000100010000ffdb0043000302020202020302", "hex")],
    ["a PNG that is cut off", encodePng(scattered).subarray(0, 60)],
  ])("is refused where it is %s", (_, bytes) => {
    expect(decodePng(bytes)).toBeUndefined();
  });
});

test("one colour is told from two", () => {
  expect(isOneColour(picture(9, 9, (index) => [1, 2, 3, 255][index % 4] ?? 0))).toBe(true);
  const almost = picture(9, 9, (index) => (index === 322 ? 4 : ([1, 2, 3, 255][index % 4] ?? 0)));
  expect(isOneColour(almost)).toBe(false);
});
