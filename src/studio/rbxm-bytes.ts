/** The number forms of the binary model format: little-endian fields, interleaved big-endian arrays, zigzag. */

export class ByteWriter {
  #parts: Uint8Array[] = [];

  bytes(part: Uint8Array): this {
    this.#parts.push(part);
    return this;
  }

  u8(value: number): this {
    return this.bytes(new Uint8Array([value]));
  }

  u16(value: number): this {
    return this.bytes(new Uint8Array([value & 0xff, value >>> 8]));
  }

  u32(value: number): this {
    return this.bytes(
      new Uint8Array([value & 0xff, (value >>> 8) & 0xff, (value >>> 16) & 0xff, value >>> 24]),
    );
  }

  /** UTF-8 with its length in front. */
  string(value: string): this {
    const encoded = new TextEncoder().encode(value);
    return this.u32(encoded.length).bytes(encoded);
  }

  finish(): Uint8Array {
    return Buffer.concat(this.#parts);
  }
}

/** Reads past the end throw; nothing is allocated on the word of a length field alone. */
export class ByteReader {
  readonly #data: Uint8Array;
  #offset = 0;

  constructor(data: Uint8Array) {
    this.#data = data;
  }

  bytes(length: number): Uint8Array {
    const end = this.#offset + length;
    if (end > this.#data.length) throw new Error("the file is cut short");
    const part = this.#data.subarray(this.#offset, end);
    this.#offset = end;
    return part;
  }

  u8(): number {
    return this.bytes(1)[0] ?? 0;
  }

  u32(): number {
    const [a = 0, b = 0, c = 0, d = 0] = this.bytes(4);
    return (a | (b << 8) | (c << 16) | (d << 24)) >>> 0;
  }

  string(): string {
    return new TextDecoder().decode(this.bytes(this.u32()));
  }
}

/** Four byte planes: all first bytes, then all second bytes, and so on, most significant first. */
export function interleave(values: readonly number[]): Uint8Array {
  const planes = new Uint8Array(values.length * 4);
  for (const [index, value] of values.entries()) {
    for (let plane = 0; plane < 4; plane++)
      planes[plane * values.length + index] = (value >>> (24 - plane * 8)) & 0xff;
  }
  return planes;
}

export function deinterleave(planes: Uint8Array): number[] {
  const count = planes.length / 4;
  return Array.from({ length: count }, (_, index) => {
    let value = 0;
    for (let plane = 0; plane < 4; plane++) value = (value << 8) | (planes[plane * count + index] ?? 0);
    return value >>> 0;
  });
}

export function zigzag(value: number): number {
  return ((value << 1) ^ (value >> 31)) >>> 0;
}

export function unzigzag(value: number): number {
  return (value >>> 1) ^ -(value & 1);
}
