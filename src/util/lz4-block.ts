/** LZ4 blocks without a frame: a decoder, and an encoder that is quick and not thorough. */

const LITERAL_ESCAPE = 15;
const MIN_MATCH = 4;
const MAX_OFFSET = 0xffff;
/** The last bytes of a block are always literals, and no match starts so late. */
const LAST_LITERALS = 5;
const MATCH_SEARCH_END = 12;
const HASH_BITS = 14;
const HASH_FACTOR = 2654435761;

/** A compressed part that unpacks to less than its file says. */
export const partCutShort = () => new Error("a compressed part is cut short");

/** Writes the sequences of a block, for which there is always room. */
class BlockWriter {
  readonly #out: Uint8Array;
  #length = 0;

  /** A block is at most this much larger than what it packs. */
  constructor(dataLength: number) {
    this.#out = new Uint8Array(dataLength + Math.ceil(dataLength / 255) + 16);
  }

  /** `match` is undefined for the last sequence, which is literals alone. */
  sequence(
    literals: Uint8Array,
    match: { readonly offset: number; readonly length: number } | undefined,
  ): void {
    const extra = match === undefined ? 0 : match.length - MIN_MATCH;
    const token = (Math.min(literals.length, LITERAL_ESCAPE) << 4) | Math.min(extra, LITERAL_ESCAPE);
    this.#byte(token);
    this.#restOf(literals.length);
    this.#out.set(literals, this.#length);
    this.#length += literals.length;
    if (match === undefined) return;
    this.#byte(match.offset & 0xff);
    this.#byte(match.offset >>> 8);
    this.#restOf(extra);
  }

  finish(): Uint8Array {
    return this.#out.subarray(0, this.#length);
  }

  #byte(value: number): void {
    this.#out[this.#length++] = value;
  }

  /** What of a length does not fit into the token. */
  #restOf(length: number): void {
    if (length < LITERAL_ESCAPE) return;
    let rest = length - LITERAL_ESCAPE;
    for (; rest >= 255; rest -= 255) this.#byte(255);
    this.#byte(rest);
  }
}

/** A block with the matches that one look at a hash table finds. */
export function lz4Encode(data: Uint8Array): Uint8Array {
  const view = new DataView(data.buffer, data.byteOffset, data.length);
  const lastSeen = new Int32Array(1 << HASH_BITS).fill(-1);
  const block = new BlockWriter(data.length);
  let literalsFrom = 0;
  let at = 0;
  while (at + MATCH_SEARCH_END <= data.length) {
    const word = view.getUint32(at, true);
    const hash = Math.imul(word, HASH_FACTOR) >>> (32 - HASH_BITS);
    const candidate = lastSeen[hash] ?? -1;
    lastSeen[hash] = at;
    if (candidate < 0 || at - candidate > MAX_OFFSET || view.getUint32(candidate, true) !== word) {
      at++;
      continue;
    }
    const length = matchLength(data, candidate, at);
    block.sequence(data.subarray(literalsFrom, at), { offset: at - candidate, length });
    at += length;
    literalsFrom = at;
  }
  block.sequence(data.subarray(literalsFrom), undefined);
  return block.finish();
}

function matchLength(data: Uint8Array, from: number, at: number): number {
  const limit = data.length - LAST_LITERALS;
  let end = at + MIN_MATCH;
  while (end < limit && data[end] === data[from + end - at]) end++;
  return end - at;
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
      if (byte === undefined) throw partCutShort();
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
  if (to !== length) throw partCutShort();
  return out;
}
