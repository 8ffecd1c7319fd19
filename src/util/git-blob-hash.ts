/** The id that git gives to a file: two texts with the same id are the same text. */

/** SHA-1 in hexadecimal, of the bytes behind git's header of a blob. */
export function gitBlobHash(content: string | Uint8Array): string {
  const bytes = typeof content === "string" ? Buffer.from(content) : content;
  return new Bun.CryptoHasher("sha1").update(`blob ${bytes.byteLength}\0`).update(bytes).digest("hex");
}
