/**
 * The host's part of EncodingService, HttpService and utf8: hashes, Zstandard, long JSON strings and the tables of
 * Unicode.
 */
import zlib from "node:zlib";
import type { HostOpHandlers } from "../vm/engine-vm.ts";
import { decodeUtf8 } from "../vm/memory.ts";
import { quoteJson } from "./quote-json.ts";

/** More than this no script gets unpacked, whatever the frame says. */
const MAX_UNPACKED_BYTES = 256 * 1024 * 1024;

/** Names of Enum.HashAlgorithm. Blake2b is missing because its length in Roblox is not documented, Blake3 because Bun has none. */
const HASHES = { Md5: "md5", Sha1: "sha1", Sha256: "sha256" } as const;

const isHash = (name: string): name is keyof typeof HASHES => Object.hasOwn(HASHES, name);

export const encodingHandlers: Pick<
  HostOpHandlers,
  "digest" | "base64" | "zstd" | "unzstd" | "normalize" | "graphemes" | "quoteJson"
> = {
  digest: ({ first, second }) => {
    const name = decodeUtf8(first);
    if (!isHash(name)) throw new Error(`no hash ${name}`);
    return { text: new Bun.CryptoHasher(HASHES[name]).update(second).digest() };
  },
  base64: ({ first }) => ({ text: Buffer.from(first).toString("base64") }),
  zstd: ({ number, first }) => ({
    text: zlib.zstdCompressSync(first, { params: { [zlib.constants.ZSTD_c_compressionLevel]: number } }),
  }),
  unzstd: ({ first }) => ({ text: unpack(first) }),
  normalize: ({ first, second }) => ({
    text: strictUtf8.decode(second).normalize(decodeUtf8(first) === "NFD" ? "NFD" : "NFC"),
  }),
  graphemes: ({ first }) => ({
    text: graphemesOf(strictUtf8.decode(first))
      .map((grapheme) => Buffer.byteLength(grapheme))
      .join(" "),
  }),
  quoteJson: ({ first }) => ({ text: quoteJson(first) }),
};

const strictUtf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
let segmenter: Intl.Segmenter | undefined;

function graphemesOf(text: string): string[] {
  segmenter ??= new Intl.Segmenter("en", { granularity: "grapheme" });
  return Array.from(segmenter.segment(text), ({ segment }) => segment);
}

function unpack(frame: Uint8Array): Uint8Array {
  try {
    return zlib.zstdDecompressSync(frame, { maxOutputLength: MAX_UNPACKED_BYTES });
  } catch (error) {
    throw new Error("the data is damaged or too large", { cause: error });
  }
}
