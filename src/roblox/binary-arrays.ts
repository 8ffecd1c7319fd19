/** The shapes in which the binary format writes an array of values: component by component, or value by value. */
import type { ByteReader, ByteString, ByteWriter } from "../util/bytes.ts";
import { type Component, readFloats, writeFloats } from "./binary-components.ts";
import type { FileValue, NumberType, TextType, TupleType } from "./model.ts";

/** What arrays refer to beyond themselves. */
export interface ReadContext {
  readonly sharedStrings: readonly ByteString[];
  /** The id of the Instance with that referent; null where there is none. */
  readonly idOf: (referent: number) => number | null;
}

export interface WriteContext {
  /** The position of a shared string, which is added when it is new. */
  readonly sharedString: (value: ByteString) => number;
}

export interface ArrayCodec {
  readonly read: (reader: ByteReader, count: number, context: ReadContext) => FileValue[];
  readonly write: (writer: ByteWriter, values: readonly FileValue[], context: WriteContext) => void;
}

export const wrongType = (value: FileValue): Error =>
  new Error(`a ${value.type} among values of another type`);

export function numberOf(value: FileValue): number {
  if (typeof value.value === "number") return value.value;
  throw wrongType(value);
}

export function textOf(value: FileValue): ByteString {
  if (typeof value.value === "string") return value.value;
  throw wrongType(value);
}

export function tupleOf(value: FileValue): readonly number[] {
  if (isTuple(value)) return value.value;
  throw wrongType(value);
}

const isTuple = (value: FileValue): value is Extract<FileValue, { type: TupleType }> =>
  Array.isArray(value.value) && value.type !== "Tags";

export const numbers = (type: NumberType, component: Component): ArrayCodec => ({
  read: (reader, count) => {
    const read = component.read(reader, count);
    const values: FileValue[] = [];
    for (let index = 0; index < count; index++) values.push({ type, value: read[index] ?? 0 });
    return values;
  },
  write: (writer, values) => component.write(writer, values.map(numberOf)),
});

/** Each component is an array of its own; `order` gives for each array the position within the tuple. */
export const columns = (
  type: TupleType,
  components: readonly Component[],
  order?: readonly number[],
): ArrayCodec => {
  const positions = order ?? components.map((_, index) => index);
  return {
    read: (reader, count) => {
      const arrays = components.map((component) => component.read(reader, count));
      const ordered = arrays.map((_, position) => arrays[positions.indexOf(position)] ?? []);
      const values: FileValue[] = [];
      for (let index = 0; index < count; index++)
        values.push({ type, value: ordered.map((array) => array[index] ?? 0) });
      return values;
    },
    write: (writer, values) => {
      const tuples = values.map(tupleOf);
      for (const [array, component] of components.entries())
        component.write(
          writer,
          tuples.map((tuple) => tuple[positions[array] ?? 0] ?? 0),
        );
    },
  };
};

/** One value after the other. */
export const sequential = (
  read: (reader: ByteReader, context: ReadContext) => FileValue,
  write: (writer: ByteWriter, value: FileValue, context: WriteContext) => void,
): ArrayCodec => ({
  read: (reader, count, context) => {
    const values: FileValue[] = [];
    for (let index = 0; index < count; index++) values.push(read(reader, context));
    return values;
  },
  write: (writer, values, context) => {
    for (const value of values) write(writer, value, context);
  },
});

export const texts = (type: TextType): ArrayCodec =>
  sequential(
    (reader) => ({ type, value: reader.byteString() }),
    (writer, value) => writer.byteString(textOf(value)),
  );

export const floats = (type: TupleType, count: number): ArrayCodec =>
  sequential(
    (reader) => ({ type, value: readFloats(reader, count) }),
    (writer, value) => writeFloats(writer, tupleOf(value)),
  );

export const keypoints = (type: TupleType, size: number): ArrayCodec =>
  sequential(
    (reader) => ({ type, value: readFloats(reader, reader.u32() * size) }),
    (writer, value) => {
      const tuple = tupleOf(value);
      writeFloats(writer.u32(tuple.length / size), tuple);
    },
  );
