/** A short number for the text of a script. By it, the harness sees whether a script of the place equals the project's file. */
import { type ByteString, bytesOf } from "../../util/bytes.ts";

/** Equal to src/testing/harness/Checksum.luau. Line ends do not count, because Studio changes them. */
export function checksumOf(source: ByteString): number {
  const { buffer, byteOffset, length } = bytesOf(source.replaceAll("\r\n", "\n"));
  const view = Buffer.from(buffer, byteOffset, length);
  const whole = view.length - (view.length % 4);
  let sum = view.length;
  for (let at = 0; at < whole; at += 4) sum = (sum * 31 + view.readUInt32LE(at)) % 2 ** 32;
  for (const byte of view.subarray(whole)) sum = (sum * 31 + byte) % 2 ** 32;
  return sum;
}
