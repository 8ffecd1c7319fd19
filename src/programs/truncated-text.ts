/** The start of a text that is too long, cut between characters, with the exact number of bytes that are missing. */

/** `bytes` are the first of `totalBytes`. */
export function truncatedText(bytes: Uint8Array, totalBytes: number): string {
  const whole = bytes.subarray(0, endOfCharacters(bytes));
  return `${new TextDecoder("utf-8", { ignoreBOM: true }).decode(whole)}\n[truncated: ${totalBytes - whole.byteLength} more bytes]`;
}

/** Where the last whole UTF-8 character ends. */
function endOfCharacters(bytes: Uint8Array): number {
  for (let back = 1; back <= Math.min(4, bytes.byteLength); back++) {
    const byte = bytes[bytes.byteLength - back] ?? 0;
    if (byte < 0x80) return bytes.byteLength;
    if (byte < 0xc0) continue;
    const length = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2;
    return length > back ? bytes.byteLength - back : bytes.byteLength;
  }
  return bytes.byteLength;
}
