/**
 * Numbers and strings as bytes: little-endian fields one after the other, and the interleaved big-endian arrays of
 * Roblox's binary model format (docs/binary.md of rbx-dom).
 */

const INITIAL_BYTES = 256;
const encoder = new TextEncoder();
/** A byte order mark is a character of a value like any other. */
const decoder = new TextDecoder("utf-8", { ignoreBOM: true });

/** Bytes in a string, one per character: comparable, usable as a key, and never copied. */
export type ByteString = string;

export function byteStringOf(bytes: Uint8Array): ByteString {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString("latin1");
}

export function bytesOf(text: ByteString): Uint8Array {
  return Buffer.from(text, "latin1");
}

/** Such a text is the same as its bytes, which spares most texts the conversion. */
const ASCII = /^[\0-\x7f]*$/;

/** The UTF-8 bytes of a text. */
export function utf8ByteString(text: string): ByteString {
  return ASCII.test(text) ? text : Buffer.from(text).toString("latin1");
}

/** The text of UTF-8 bytes; what is no UTF-8 becomes replacement characters. */
export function textOfByteString(bytes: ByteString): string {
  return ASCII.test(bytes) ? bytes : decoder.decode(bytesOf(bytes));
}

const viewOf = ({ buffer, byteOffset, length }: Uint8Array): DataView =>
  new DataView(buffer, byteOffset, length);

export class ByteWriter {
  #data = Buffer.allocUnsafe(INITIAL_BYTES);
  #view = viewOf(this.#data);
  #length = 0;

  get length(): number {
    return this.#length;
  }

  bytes(part: Uint8Array): this {
    const at = this.#claim(part.length);
    this.#data.set(part, at);
    return this;
  }

  u8(value: number): this {
    const at = this.#claim(1);
    this.#data[at] = value;
    return this;
  }

  u16(value: number): this {
    const at = this.#claim(2);
    this.#view.setUint16(at, value, true);
    return this;
  }

  u32(value: number): this {
    const at = this.#claim(4);
    this.#view.setUint32(at, value, true);
    return this;
  }

  f32(value: number): this {
    const at = this.#claim(4);
    this.#view.setFloat32(at, value, true);
    return this;
  }

  f64(value: number): this {
    const at = this.#claim(8);
    this.#view.setFloat64(at, value, true);
    return this;
  }

  i64(value: bigint): this {
    const at = this.#claim(8);
    this.#view.setBigInt64(at, value, true);
    return this;
  }

  /** UTF-8 with its length in front. */
  string(value: string): this {
    const encoded = encoder.encode(value);
    return this.u32(encoded.length).bytes(encoded);
  }

  /** Bytes with their length in front. */
  byteString(value: ByteString): this {
    this.u32(value.length);
    const at = this.#claim(value.length);
    this.#data.write(value, at, "latin1");
    return this;
  }

  finish(): Uint8Array<ArrayBuffer> {
    return new Uint8Array(this.#data.subarray(0, this.#length));
  }

  /** Makes room for `size` more bytes and returns where they start; the views are those of the larger array then. */
  #claim(size: number): number {
    const start = this.#length;
    this.#length += size;
    if (this.#length > this.#data.length) {
      const larger = Buffer.allocUnsafe(Math.max(this.#length, this.#data.length * 2));
      larger.set(this.#data.subarray(0, start));
      this.#data = larger;
      this.#view = viewOf(larger);
    }
    return start;
  }
}

/** Reads past the end throw; nothing is allocated on the word of a length field alone. */
export class ByteReader {
  readonly #data: Buffer;
  readonly #view: DataView;
  #offset = 0;

  constructor(data: Uint8Array) {
    this.#data = Buffer.from(data.buffer, data.byteOffset, data.length);
    this.#view = viewOf(data);
  }

  get remaining(): number {
    return this.#data.length - this.#offset;
  }

  bytes(length: number): Uint8Array {
    const start = this.#take(length);
    return this.#data.subarray(start, start + length);
  }

  u8(): number {
    return this.#view.getUint8(this.#take(1));
  }

  u16(): number {
    return this.#view.getUint16(this.#take(2), true);
  }

  i16(): number {
    return this.#view.getInt16(this.#take(2), true);
  }

  u32(): number {
    return this.#view.getUint32(this.#take(4), true);
  }

  i32(): number {
    return this.#view.getInt32(this.#take(4), true);
  }

  f32(): number {
    return this.#view.getFloat32(this.#take(4), true);
  }

  f64(): number {
    return this.#view.getFloat64(this.#take(8), true);
  }

  i64(): bigint {
    return this.#view.getBigInt64(this.#take(8), true);
  }

  string(): string {
    return textOfByteString(this.byteString());
  }

  byteString(): ByteString {
    const length = this.u32();
    const start = this.#take(length);
    return this.#data.toString("latin1", start, start + length);
  }

  #take(length: number): number {
    const start = this.#offset;
    if (length > this.#data.length - start) throw new Error("the file is cut short");
    this.#offset = start + length;
    return start;
  }
}

/** Four byte planes: all first bytes, then all second bytes, and so on, most significant first. */
export function interleave(values: ArrayLike<number>): Uint8Array {
  const count = values.length;
  const planes = new Uint8Array(count * 4);
  for (let index = 0; index < count; index++) {
    const value = values[index] ?? 0;
    planes[index] = value >>> 24;
    planes[count + index] = value >>> 16;
    planes[2 * count + index] = value >>> 8;
    planes[3 * count + index] = value;
  }
  return planes;
}

export function deinterleave(planes: Uint8Array): Uint32Array {
  const count = planes.length / 4;
  const values = new Uint32Array(count);
  for (let index = 0; index < count; index++) {
    const high = ((planes[index] ?? 0) << 8) | (planes[count + index] ?? 0);
    values[index] = (high << 16) | ((planes[2 * count + index] ?? 0) << 8) | (planes[3 * count + index] ?? 0);
  }
  return values;
}

export function zigzag(value: number): number {
  return ((value << 1) ^ (value >> 31)) >>> 0;
}

export function unzigzag(value: number): number {
  return (value >>> 1) ^ -(value & 1);
}

/** Differences from one to the next, as referents are written. */
export function interleaveReferents(referents: readonly number[]): Uint8Array {
  const differences = new Uint32Array(referents.length);
  let last = 0;
  for (let index = 0; index < referents.length; index++) {
    const value = referents[index] ?? 0;
    differences[index] = zigzag(value - last);
    last = value;
  }
  return interleave(differences);
}

export function deinterleaveReferents(planes: Uint8Array): number[] {
  const referents: number[] = [];
  let current = 0;
  const differences = deinterleave(planes);
  // An iterator over typed numbers takes several times as long.
  for (let index = 0; index < differences.length; index++) {
    current = (current + unzigzag(differences[index] ?? 0)) | 0;
    referents.push(current);
  }
  return referents;
}
