/** The blob in which files keep the attributes of an Instance: `AttributesSerialize`. */
import { ByteReader, ByteWriter, bytesOf, byteStringOf } from "../util/bytes.ts";
import type { ByteString } from "../util/bytes.ts";
import { readFloats, writeFloats } from "./binary-components.ts";
import {
  type Datatype,
  datatype,
  DATATYPES,
  fileStrideOf,
  type NumberKind,
  TUPLE_TYPES,
  type TupleType,
} from "../values/datatypes.ts";
import { type AttributeMap, type FileValue, isTuple } from "./model.ts";
import { rotationId, rotationOf } from "./rotations.ts";

/** Of what is not made of numbers alone. */
const ID = {
  String: 0x02,
  Bool: 0x03,
  Int32: 0x04,
  Float32: 0x05,
  Float64: 0x06,
  BrickColor: 0x0e,
  EnumItem: 0x15,
  Font: 0x21,
} as const;

/** The datatypes made of numbers, by their ids. */
const TYPES: ReadonlyMap<number | undefined, TupleType> = new Map(
  TUPLE_TYPES.flatMap((type): [number, TupleType][] => {
    const id = datatype(type)?.attribute;
    return id === undefined ? [] : [[id, type]];
  }),
);

/** Throws for a type that is not known: where its value ends is not known either. */
export function decodeAttributes(blob: ByteString): AttributeMap {
  const attributes = new Map<ByteString, FileValue>();
  if (blob === "") return attributes;
  const reader = new ByteReader(bytesOf(blob));
  for (let rest = reader.u32(); rest > 0; rest--) {
    const name = reader.byteString();
    attributes.set(name, readValue(reader));
  }
  return attributes;
}

function readValue(reader: ByteReader): FileValue {
  const id = reader.u8();
  const type = TYPES.get(id);
  if (type !== undefined) return { type, value: readNumbers(reader, type) };
  switch (id) {
    case ID.String:
      return { type: "String", value: reader.byteString() };
    case ID.Bool:
      return { type: "Bool", value: reader.u8() !== 0 };
    case ID.Int32:
      return { type: "Float64", value: reader.i32() };
    case ID.Float32:
      return { type: "Float64", value: reader.f32() };
    case ID.Float64:
      return { type: "Float64", value: reader.f64() };
    case ID.BrickColor:
      return { type: "BrickColor", value: reader.u32() };
    case ID.EnumItem:
      return { type: "EnumItem", value: { enumName: reader.string(), number: reader.u32() } };
    case ID.Font: {
      const [weight, style] = [reader.u16(), reader.u8()];
      const [family, cachedFaceId] = [reader.byteString(), reader.byteString()];
      return { type: "Font", value: { family, weight, style, cachedFaceId } };
    }
    default:
      throw new Error(`an attribute has the type ${id}, which is not known`);
  }
}

function readNumbers(reader: ByteReader, type: TupleType): number[] {
  const { fields, kinds, isSequence }: Datatype = DATATYPES[type];
  if (type === "CFrame") return readFrame(reader);
  const size = fileStrideOf(type);
  // Keypoints begin with their envelope here, and end with it everywhere else.
  if (isSequence === true) return turn(readFloats(reader, reader.u32() * size), size, 1);
  if (kinds === undefined) return readFloats(reader, fields.length);
  return kinds.map((kind) => (kind === "int" ? reader.i32() : reader.f32()));
}

function readFrame(reader: ByteReader): number[] {
  const position = readFloats(reader, 3);
  const id = reader.u8();
  return [...position, ...(id === 0 ? readFloats(reader, 9) : rotationOf(id))];
}

/** Each group of `size` with its first `by` values moved to its end. */
function turn(values: readonly number[], size: number, by: number): number[] {
  const turned: number[] = [];
  for (let at = 0; at < values.length; at += size)
    turned.push(...values.slice(at + by, at + size), ...values.slice(at, at + by));
  return turned;
}

export function encodeAttributes(attributes: AttributeMap): ByteString {
  const writer = new ByteWriter().u32(attributes.size);
  for (const [name, value] of attributes) {
    writer.byteString(name);
    writeValue(writer, value);
  }
  return byteStringOf(writer.finish());
}

function writeValue(writer: ByteWriter, value: FileValue): void {
  switch (value.type) {
    case "String":
      return void writer.u8(ID.String).byteString(value.value);
    case "Bool":
      return void writer.u8(ID.Bool).u8(value.value ? 1 : 0);
    case "Float64":
      return void writer.u8(ID.Float64).f64(value.value);
    case "BrickColor":
      return void writer.u8(ID.BrickColor).u32(value.value);
    case "EnumItem":
      return void writer.u8(ID.EnumItem).string(value.value.enumName).u32(value.value.number);
    case "Font": {
      const { weight, style, family, cachedFaceId } = value.value;
      return void writer.u8(ID.Font).u16(weight).u8(style).byteString(family).byteString(cachedFaceId);
    }
    default:
      return writeTuple(writer, value);
  }
}

function writeTuple(writer: ByteWriter, value: FileValue): void {
  const id = datatype(value.type)?.attribute;
  if (id === undefined || !isTuple(value)) throw new Error(`an attribute cannot be a ${value.type}`);
  const { kinds, isSequence }: Datatype = DATATYPES[value.type];
  writer.u8(id);
  if (value.type === "CFrame") writeFrame(writer, value.value);
  else if (isSequence === true) writeKeypoints(writer, value.value, fileStrideOf(value.type));
  else if (kinds === undefined) writeFloats(writer, value.value);
  else writeMixed(writer, value.value, kinds);
}

function writeMixed(writer: ByteWriter, values: readonly number[], kinds: readonly NumberKind[]): void {
  for (const [index, value] of values.entries()) {
    if (kinds[index] === "int") writer.u32(value >>> 0);
    else writer.f32(value);
  }
}

function writeKeypoints(writer: ByteWriter, values: readonly number[], size: number): void {
  writeFloats(writer.u32(values.length / size), turn(values, size, size - 1));
}

function writeFrame(writer: ByteWriter, frame: readonly number[]): void {
  const rotation = frame.slice(3);
  const id = rotationId(rotation);
  writeFloats(writer, frame.slice(0, 3));
  writer.u8(id);
  if (id === 0) writeFloats(writer, rotation);
}
