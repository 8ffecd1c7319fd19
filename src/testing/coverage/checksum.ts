/** A short number for the text of a script, by which a place can tell whether it has the same one as the project's file. */
import { type ByteString, bytesOf } from "../../util/bytes.ts";

/** The same as checksumOf in src/testing/harness/Coverage.luau. Ends of lines do not count, because Studio changes them. */
export function checksumOf(source: ByteString): number {
  const { buffer, byteOffset, length } = bytesOf(source.replaceAll("\r\n", "\n"));
  const view = Buffer.from(buffer, byteOffset, length);
  const whole = view.length - (view.length % 4);
  let sum = view.length;
  for (let at = 0; at < whole; at += 4) sum = (sum * 31 + view.readUInt32LE(at)) % 2 ** 32;
  for (const byte of view.subarray(whole)) sum = (sum * 31 + byte) % 2 ** 32;
  return sum;
}
