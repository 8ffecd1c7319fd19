/** LZ4 blocks without a frame: a decoder, and an encoder that is quick and not thorough. */

const LITERAL_ESCAPE = 15;
const MIN_MATCH = 4;
const MAX_OFFSET = 0xffff;
/** The last bytes of a block are always literals, and no match starts so late. */
const LAST_LITERALS = 5;
const MATCH_SEARCH_END = 12;
const HASH_BITS = 14;
const HASH_FACTOR = 2654435761;
const LONG_COPY = 64;

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

  /** Literals from one place of the data to another, then a match that lies `offset` back. */
  sequence(data: Uint8Array, from: number, to: number, offset: number, length: number): void {
    const extra = length - MIN_MATCH;
    this.#literals(data, from, to, Math.min(extra, LITERAL_ESCAPE));
    this.#byte(offset & 0xff);
    this.#byte(offset >>> 8);
    this.#restOf(extra);
  }

  /** The last sequence, which has no match. */
  last(data: Uint8Array, from: number): void {
    this.#literals(data, from, data.length, 0);
  }

  #literals(data: Uint8Array, from: number, to: number, matchToken: number): void {
    const length = to - from;
    this.#byte((Math.min(length, LITERAL_ESCAPE) << 4) | matchToken);
    this.#restOf(length);
    // Most are a few bytes, for which a view costs more than the copy.
    if (length > LONG_COPY) this.#out.set(data.subarray(from, to), this.#length);
    else for (let at = 0; at < length; at++) this.#out[this.#length + at] = data[from + at] ?? 0;
    this.#length += length;
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
  const wordAt = (at: number): number =>
    (data[at] ?? 0) | ((data[at + 1] ?? 0) << 8) | ((data[at + 2] ?? 0) << 16) | ((data[at + 3] ?? 0) << 24);
  const lastSeen = new Int32Array(1 << HASH_BITS).fill(-1);
  const block = new BlockWriter(data.length);
  let literalsFrom = 0;
  let at = 0;
  while (at + MATCH_SEARCH_END <= data.length) {
    const word = wordAt(at);
    const hash = Math.imul(word, HASH_FACTOR) >>> (32 - HASH_BITS);
    const candidate = lastSeen[hash] ?? -1;
    lastSeen[hash] = at;
    if (candidate < 0 || at - candidate > MAX_OFFSET || wordAt(candidate) !== word) {
      at++;
      continue;
    }
    const length = matchLength(data, candidate, at);
    block.sequence(data, literalsFrom, at, at - candidate, length);
    at += length;
    literalsFrom = at;
  }
  block.last(data, literalsFrom);
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
