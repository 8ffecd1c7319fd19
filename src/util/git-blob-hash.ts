/** The id that git gives to a file: two texts with the same id are the same text. */

/** In hexadecimal, of the bytes behind git's header of a blob. Almost every repository uses SHA-1. */
export function gitBlobHash(content: string | Uint8Array, algorithm: "sha1" | "sha256" = "sha1"): string {
  const bytes = typeof content === "string" ? Buffer.from(content) : content;
  return new Bun.CryptoHasher(algorithm).update(`blob ${bytes.byteLength}\0`).update(bytes).digest("hex");
}
