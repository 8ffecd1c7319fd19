/** The blob in which files keep the attributes of an Instance: `AttributesSerialize`. */
import { ByteReader, ByteWriter, bytesOf, byteStringOf } from "../util/bytes.ts";
import type { ByteString } from "../util/bytes.ts";
import { readFloats, writeFloats } from "./binary-components.ts";
import type { AttributeMap, FileValue, TupleType } from "./model.ts";
import { rotationId, rotationOf } from "./rotations.ts";

const ID = {
  String: 0x02,
  Bool: 0x03,
  Int32: 0x04,
  Float32: 0x05,
  Float64: 0x06,
  UDim: 0x09,
  UDim2: 0x0a,
  BrickColor: 0x0e,
  Color3: 0x0f,
  Vector2: 0x10,
  Vector3: 0x11,
  CFrame: 0x14,
  EnumItem: 0x15,
  NumberSequence: 0x17,
  ColorSequence: 0x19,
  NumberRange: 0x1b,
  Rect: 0x1c,
  Font: 0x21,
} as const;

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
  const tuple = (type: TupleType, count: number): FileValue => ({ type, value: readFloats(reader, count) });
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
    case ID.UDim:
      return { type: "UDim", value: [reader.f32(), reader.i32()] };
    case ID.UDim2:
      return { type: "UDim2", value: [reader.f32(), reader.i32(), reader.f32(), reader.i32()] };
    case ID.BrickColor:
      return { type: "BrickColor", value: reader.u32() };
    case ID.Color3:
      return tuple("Color3", 3);
    case ID.Vector2:
      return tuple("Vector2", 2);
    case ID.Vector3:
      return tuple("Vector3", 3);
    case ID.NumberRange:
      return tuple("NumberRange", 2);
    case ID.Rect:
      return tuple("Rect", 4);
    case ID.CFrame:
      return readFrame(reader);
    case ID.EnumItem:
      return { type: "EnumItem", value: { enumName: reader.string(), number: reader.u32() } };
    // Keypoints begin with their envelope here, and end with it everywhere else.
    case ID.NumberSequence:
      return { type: "NumberSequence", value: turn(readFloats(reader, reader.u32() * 3), 3, 1) };
    case ID.ColorSequence:
      return { type: "ColorSequence", value: turn(readFloats(reader, reader.u32() * 5), 5, 1) };
    case ID.Font: {
      const [weight, style] = [reader.u16(), reader.u8()];
      const [family, cachedFaceId] = [reader.byteString(), reader.byteString()];
      return { type: "Font", value: { family, weight, style, cachedFaceId } };
    }
    default:
      throw new Error(`an attribute has the type ${id}, which is not known`);
  }
}

function readFrame(reader: ByteReader): FileValue {
  const position = readFloats(reader, 3);
  const id = reader.u8();
  return { type: "CFrame", value: [...position, ...(id === 0 ? readFloats(reader, 9) : rotationOf(id))] };
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
    case "UDim":
    case "UDim2":
      return writeDims(writer.u8(ID[value.type]), value.value);
    case "BrickColor":
      return void writer.u8(ID.BrickColor).u32(value.value);
    case "Color3":
    case "Vector2":
    case "Vector3":
    case "NumberRange":
    case "Rect":
      return writeFloats(writer.u8(ID[value.type]), value.value);
    case "CFrame":
      return writeFrame(writer.u8(ID.CFrame), value.value);
    case "EnumItem":
      return void writer.u8(ID.EnumItem).string(value.value.enumName).u32(value.value.number);
    case "NumberSequence":
      return writeKeypoints(writer.u8(ID.NumberSequence), value.value, 3);
    case "ColorSequence":
      return writeKeypoints(writer.u8(ID.ColorSequence), value.value, 5);
    case "Font": {
      const { weight, style, family, cachedFaceId } = value.value;
      return void writer.u8(ID.Font).u16(weight).u8(style).byteString(family).byteString(cachedFaceId);
    }
    default:
      throw new Error(`an attribute cannot be a ${value.type}`);
  }
}

function writeDims(writer: ByteWriter, values: readonly number[]): void {
  for (const [index, value] of values.entries()) {
    if (index % 2 === 0) writer.f32(value);
    else writer.u32(value >>> 0);
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
