/** The types of values that the binary format has, each with the shape of its arrays (docs/binary.md of rbx-dom). */
import { deinterleave, deinterleaveReferents, interleave, interleaveReferents } from "../util/bytes.ts";
import type { ByteString } from "../util/bytes.ts";
import {
  type ArrayCodec,
  columns,
  floats,
  keypoints,
  numberOf,
  numbers,
  sequential,
  textOf,
  texts,
  tupleOf,
  wrongType,
} from "./binary-arrays.ts";
import {
  byte,
  type Component,
  float,
  int,
  readFloats,
  readFrames,
  unsigned,
  writeFloats,
  writeFrames,
} from "./binary-components.ts";
import { interleaveWide, deinterleaveWide } from "./binary-wide.ts";
import {
  countOf,
  type Datatype,
  DATATYPES,
  fileStrideOf,
  type NumberKind,
  TUPLE_TYPES,
  type TupleType,
  wholeForm,
} from "../values/datatypes.ts";
import type { ContentValue, FileValue, ValueType } from "./model.ts";

const frames: ArrayCodec = {
  read: (reader, count) => readFrames(reader, count).map((value) => ({ type: "CFrame", value })),
  write: (writer, values) => writeFrames(writer, values.map(tupleOf)),
};

const FRAME_ID = DATATYPES.CFrame.binary.id;
const IDENTITY = DATATYPES.CFrame.zero;

const optionalFrames: ArrayCodec = {
  read: (reader, count) => {
    if (reader.u8() !== FRAME_ID) throw new Error("an optional value that is not a CFrame");
    const read = readFrames(reader, count);
    if (reader.u8() !== TYPE_IDS.Bool) throw new Error("an optional value without its flags");
    return read.map((value) => ({ type: "OptionalCFrame", value: reader.u8() === 0 ? null : value }));
  },
  write: (writer, values) => {
    writer.u8(FRAME_ID);
    writeFrames(
      writer,
      values.map((value) => (value.value === null ? IDENTITY : tupleOf(value))),
    );
    writer.u8(TYPE_IDS.Bool);
    for (const { value } of values) writer.u8(value === null ? 0 : 1);
  },
};

const CUSTOM_PHYSICS = 1;
const HAS_ACOUSTICS = 2;
const PHYSICAL_COUNT = countOf("PhysicalProperties");

const physicalProperties = sequential(
  (reader) => {
    const flags = reader.u8();
    if ((flags & CUSTOM_PHYSICS) === 0) return { type: "PhysicalProperties", value: null };
    const value = readFloats(reader, PHYSICAL_COUNT - ((flags & HAS_ACOUSTICS) === 0 ? 1 : 0));
    return { type: "PhysicalProperties", value: wholeForm("PhysicalProperties", value) };
  },
  (writer, value) => {
    if (value.value === null) return void writer.u8(0);
    writer.u8(CUSTOM_PHYSICS | HAS_ACOUSTICS);
    writeFloats(writer, tupleOf(value));
  },
);

const wide = (type: "Int64" | "SecurityCapabilities"): ArrayCodec => ({
  read: (reader, count) =>
    deinterleaveWide(reader.bytes(count * 8), 8).map((bytes) => {
      const bits = bytes.getBigUint64(0);
      return { type, value: (bits >> 1n) ^ -(bits & 1n) };
    }),
  write: (writer, values) => {
    const rows = values.map((value) => {
      if (typeof value.value !== "bigint") throw wrongType(value);
      const row = new DataView(new ArrayBuffer(8));
      row.setBigUint64(0, BigInt.asUintN(64, (value.value << 1n) ^ (value.value >> 63n)));
      return row;
    });
    writer.bytes(interleaveWide(rows, 8));
  },
});

const uniqueIds: ArrayCodec = {
  read: (reader, count) =>
    deinterleaveWide(reader.bytes(count * 16), 16).map((row) => ({
      type: "UniqueId",
      value: Buffer.from(row.buffer, row.byteOffset, 16).toString("latin1"),
    })),
  write: (writer, values) => {
    const rows = values.map((value) => {
      const bytes = Buffer.from(textOf(value), "latin1");
      return new DataView(bytes.buffer, bytes.byteOffset, 16);
    });
    writer.bytes(interleaveWide(rows, 16));
  },
};

const fonts = sequential(
  (reader) => ({
    type: "Font",
    value: {
      family: reader.byteString(),
      weight: reader.u16(),
      style: reader.u8(),
      cachedFaceId: reader.byteString(),
    },
  }),
  (writer, value) => {
    if (value.type !== "Font") throw wrongType(value);
    const { family, weight, style, cachedFaceId } = value.value;
    writer.byteString(family).u16(weight).u8(style).byteString(cachedFaceId);
  },
);

const NULL_REFERENT = -1;

const referents: ArrayCodec = {
  read: (reader, count, { idOf }) =>
    deinterleaveReferents(reader.bytes(count * 4)).map((referent) => ({
      type: "Ref",
      value: idOf(referent),
    })),
  write: (writer, values) =>
    writer.bytes(
      interleaveReferents(values.map((value) => (value.value === null ? NULL_REFERENT : numberOf(value)))),
    ),
};

const CONTENT_KINDS = ["none", "uri", "object"] as const;

const contents: ArrayCodec = {
  read: (reader, count, { idOf }) => {
    const kinds = int.read(reader, count);
    const uris: ByteString[] = [];
    for (let rest = reader.u32(); rest > 0; rest--) uris.push(reader.byteString());
    const objects = deinterleaveReferents(reader.bytes(reader.u32() * 4));
    reader.bytes(reader.u32() * 4);
    let nextUri = 0;
    let nextObject = 0;
    return Array.from(kinds, (kind): FileValue => {
      if (kind === 1) return { type: "Content", value: { kind: "uri", uri: uris[nextUri++] ?? "" } };
      const id = kind === 2 ? idOf(objects[nextObject++] ?? NULL_REFERENT) : null;
      return { type: "Content", value: id === null ? { kind: "none" } : { kind: "object", id } };
    });
  },
  write: (writer, values) => {
    const contents = values.map((value): ContentValue => {
      if (value.type === "Content") return value.value;
      throw wrongType(value);
    });
    int.write(
      writer,
      contents.map(({ kind }) => CONTENT_KINDS.indexOf(kind)),
    );
    const uris = contents.flatMap((content) => (content.kind === "uri" ? [content.uri] : []));
    writer.u32(uris.length);
    for (const uri of uris) writer.byteString(uri);
    const objects = contents.flatMap((content) => (content.kind === "object" ? [content.id] : []));
    writer.u32(objects.length).bytes(interleaveReferents(objects)).u32(0);
  },
};

const sharedStrings: ArrayCodec = {
  read: (reader, count, context) =>
    Array.from(deinterleave(reader.bytes(count * 4)), (position) => {
      const value = context.sharedStrings[position];
      if (value === undefined) throw new Error(`there is no shared string ${position}`);
      return { type: "SharedString", value };
    }),
  write: (writer, values, { sharedString }) =>
    writer.bytes(interleave(values.map((value) => sharedString(textOf(value))))),
};

/** Of what is not made of numbers alone; values/datatypes.ts has the others. */
export const TYPE_IDS = {
  String: 0x01,
  BinaryString: 0x01,
  ProtectedString: 0x01,
  ContentId: 0x01,
  Bool: 0x02,
  Int32: 0x03,
  Float32: 0x04,
  Float64: 0x05,
  Faces: 0x09,
  Axes: 0x0a,
  BrickColor: 0x0b,
  Enum: 0x12,
  Ref: 0x13,
  PhysicalProperties: 0x19,
  Int64: 0x1b,
  SharedString: 0x1c,
  NetAssetRef: 0x1c,
  Bytecode: 0x1d,
  OptionalCFrame: 0x1e,
  UniqueId: 0x1f,
  Font: 0x20,
  SecurityCapabilities: 0x21,
  Content: 0x22,
} as const satisfies Partial<Record<ValueType, number>>;

const COMPONENTS: Readonly<Partial<Record<NumberKind, Component>>> = { float, int, byte };

/** The arrays of a datatype; made once for each, so that no row is looked at while values are read. */
function numbersCodec(type: TupleType): ArrayCodec {
  const { fields, kinds, isSequence, binary }: Datatype = DATATYPES[type];
  if (type === "CFrame") return frames;
  if (isSequence === true) return keypoints(type, fileStrideOf(type));
  if (kinds?.includes("int16") === true) return shorts(type, fields.length);
  if (binary?.inTurn === true) return floats(type, fields.length);
  const order = binary?.order ?? fields.map((_, index) => index);
  return columns(
    type,
    order.map((position) => COMPONENTS[kinds?.[position] ?? "float"] ?? float),
    binary?.order,
  );
}

const shorts = (type: TupleType, count: number): ArrayCodec =>
  sequential(
    (reader) => ({ type, value: Array.from({ length: count }, () => reader.i16()) }),
    (writer, value) => {
      for (const part of tupleOf(value)) writer.u16(part & 0xffff);
    },
  );

const CODECS: Readonly<Record<number, ArrayCodec>> = {
  ...Object.fromEntries(TUPLE_TYPES.map((type) => [DATATYPES[type].binary.id, numbersCodec(type)])),
  [TYPE_IDS.String]: texts("String"),
  [TYPE_IDS.Bool]: sequential(
    (reader) => ({ type: "Bool", value: reader.u8() !== 0 }),
    (writer, { value }) => writer.u8(value === true ? 1 : 0),
  ),
  [TYPE_IDS.Int32]: numbers("Int32", int),
  [TYPE_IDS.Float32]: numbers("Float32", float),
  [TYPE_IDS.Float64]: sequential(
    (reader) => ({ type: "Float64", value: reader.f64() }),
    (writer, value) => writer.f64(numberOf(value)),
  ),
  [TYPE_IDS.Faces]: numbers("Faces", byte),
  [TYPE_IDS.Axes]: numbers("Axes", byte),
  [TYPE_IDS.BrickColor]: numbers("BrickColor", unsigned),
  [TYPE_IDS.Enum]: numbers("Enum", unsigned),
  [TYPE_IDS.Ref]: referents,
  [TYPE_IDS.PhysicalProperties]: physicalProperties,
  [TYPE_IDS.Int64]: wide("Int64"),
  [TYPE_IDS.SharedString]: sharedStrings,
  [TYPE_IDS.Bytecode]: texts("Bytecode"),
  [TYPE_IDS.OptionalCFrame]: optionalFrames,
  [TYPE_IDS.UniqueId]: uniqueIds,
  [TYPE_IDS.Font]: fonts,
  [TYPE_IDS.SecurityCapabilities]: wide("SecurityCapabilities"),
  [TYPE_IDS.Content]: contents,
};

const typeIds: Partial<Record<ValueType, number>> = {
  ...TYPE_IDS,
  ...Object.fromEntries(TUPLE_TYPES.map((type) => [type, DATATYPES[type].binary.id])),
};

/** The byte that announces values of a type; undefined for a type that this format does not have. */
export const typeIdOf = (type: ValueType): number | undefined => typeIds[type];

/** Undefined for a type of which nothing is known. */
export const codecOf = (typeId: number): ArrayCodec | undefined => CODECS[typeId];
