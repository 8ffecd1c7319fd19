/** The number arrays that the binary format's values are made of (docs/binary.md of rbx-dom). */
import { ByteReader, ByteWriter, deinterleave, interleave, unzigzag, zigzag } from "../util/bytes.ts";
import { rotationId, rotationOf } from "./rotations.ts";

type Numbers = ArrayLike<number>;
export type Component = {
  readonly read: (reader: ByteReader, count: number) => Numbers;
  readonly write: (writer: ByteWriter, values: number[]) => void;
};

export const int: Component = {
  read: (reader, count) => {
    const values = deinterleave(reader.bytes(count * 4));
    const numbers = new Int32Array(values.length);
    for (let index = 0; index < values.length; index++) numbers[index] = unzigzag(values[index] ?? 0);
    return numbers;
  },
  write: (writer, values) => writer.bytes(interleave(values.map(zigzag))),
};
export const unsigned: Component = {
  read: (reader, count) => deinterleave(reader.bytes(count * 4)),
  write: (writer, values) => writer.bytes(interleave(values)),
};
/** The sign is the last bit instead of the first. */
export const float: Component = {
  read: (reader, count) => {
    const bits = deinterleave(reader.bytes(count * 4));
    for (let index = 0; index < count; index++) {
      const rotated = bits[index] ?? 0;
      bits[index] = (rotated >>> 1) | (rotated << 31);
    }
    return new Float32Array(bits.buffer);
  },
  write: (writer, values) => {
    const bits = new Uint32Array(Float32Array.from(values).buffer);
    for (let index = 0; index < bits.length; index++) {
      const value = bits[index] ?? 0;
      bits[index] = (value << 1) | (value >>> 31);
    }
    writer.bytes(interleave(bits));
  },
};
export const byte: Component = {
  read: (reader, count) => reader.bytes(count),
  write: (writer, values) => writer.bytes(new Uint8Array(values)),
};

export function readFloats(reader: ByteReader, count: number): number[] {
  // Checked first, so that nothing is collected on the word of a count alone.
  const floats = new ByteReader(reader.bytes(count * 4));
  const numbers: number[] = [];
  for (let index = 0; index < count; index++) numbers.push(floats.f32());
  return numbers;
}

export function writeFloats(writer: ByteWriter, values: readonly number[]): void {
  for (const value of values) writer.f32(value);
}

export function readFrames(reader: ByteReader, count: number): number[][] {
  const rotations: (readonly number[])[] = [];
  for (let index = 0; index < count; index++) {
    const id = reader.u8();
    rotations.push(id === 0 ? readFloats(reader, 9) : rotationOf(id));
  }
  const [x, y, z] = [float.read(reader, count), float.read(reader, count), float.read(reader, count)];
  return rotations.map((rotation, index) => [x[index] ?? 0, y[index] ?? 0, z[index] ?? 0, ...rotation]);
}

export function writeFrames(writer: ByteWriter, frames: readonly (readonly number[])[]): void {
  for (const frame of frames) {
    const rotation = frame.slice(3);
    const id = rotationId(rotation);
    writer.u8(id);
    if (id === 0) writeFloats(writer, rotation);
  }
  for (const axis of [0, 1, 2])
    float.write(
      writer,
      frames.map((frame) => frame[axis] ?? 0),
    );
}
