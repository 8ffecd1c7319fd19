/** Zstandard frames as chunks hold them; a frame that unpacks to more than it should is refused before it does. */
import zlib from "node:zlib";
import { partCutShort } from "../util/lz4-block.ts";

const MAGIC = [0x28, 0xb5, 0x2f, 0xfd];

export const isZstd = (data: Uint8Array): boolean => MAGIC.every((byte, index) => data[index] === byte);

/** Exactly `length` bytes. */
export function unzstd(data: Uint8Array, length: number): Uint8Array {
  let unpacked: Uint8Array;
  try {
    unpacked = zlib.zstdDecompressSync(data, { maxOutputLength: Math.max(length, 1) });
  } catch (error) {
    throw new Error("a compressed part is damaged", { cause: error });
  }
  if (unpacked.length !== length) throw partCutShort();
  return unpacked;
}
