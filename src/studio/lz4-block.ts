/** LZ4 blocks without a frame: a full decoder, and an encoder that writes literals only. */

const LITERAL_ESCAPE = 15;
const MIN_MATCH = 4;

/** One sequence without a match: any decoder takes it, and it needs no search. */
export function lz4EncodeLiteral(data: Uint8Array): Uint8Array {
  const header = [Math.min(data.length, LITERAL_ESCAPE) << 4];
  if (data.length >= LITERAL_ESCAPE) {
    let rest = data.length - LITERAL_ESCAPE;
    for (; rest >= 255; rest -= 255) header.push(255);
    header.push(rest);
  }
  return Buffer.concat([new Uint8Array(header), data]);
}

/** Exactly `length` bytes; throws on anything that does not decode to them. */
export function lz4Decode(block: Uint8Array, length: number): Uint8Array {
  // A byte of a block stands for at most 255 bytes of output, so a larger claim is a lie, not a reason to allocate.
  if (length > block.length * 255) throw new Error("a compressed part claims an impossible size");
  const out = new Uint8Array(length);
  let from = 0;
  let to = 0;
  const extended = (start: number): number => {
    let total = start;
    if (start !== LITERAL_ESCAPE) return total;
    for (;;) {
      const byte = block[from++];
      if (byte === undefined) throw new Error("a compressed part is cut short");
      total += byte;
      if (byte !== 255) return total;
    }
  };
  while (from < block.length) {
    const token = block[from++] ?? 0;
    const literals = extended(token >> 4);
    if (from + literals > block.length || to + literals > length)
      throw new Error("a compressed part overruns");
    out.set(block.subarray(from, from + literals), to);
    from += literals;
    to += literals;
    if (from >= block.length) break;
    const offset = (block[from] ?? 0) | ((block[from + 1] ?? 0) << 8);
    from += 2;
    const match = extended(token & 15) + MIN_MATCH;
    if (offset === 0 || offset > to || to + match > length)
      throw new Error("a compressed part refers outside itself");
    for (let end = to + match; to < end; to++) out[to] = out[to - offset] ?? 0;
  }
  if (to !== length) throw new Error("a compressed part is cut short");
  return out;
}
