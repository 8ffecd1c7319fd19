/**
 * Models as the engine takes and gives them: one buffer that Luau reads from start to end without a parser.
 * src/headless/engine/Files reads and writes the same. The parents come first, then the classes with their members, then
 * the columns of all classes.
 */
import { ByteReader, ByteWriter, byteStringOf, bytesOf } from "../../util/bytes.ts";
import type { ReadContext, WriteContext } from "../../roblox/binary-arrays.ts";
import { codecOf, typeIdOf, TYPE_IDS } from "../../roblox/binary-values.ts";
import type { EngineModel } from "./to-engine.ts";
import {
  type FileValue,
  isTuple,
  type Model,
  type ModelClass,
  type ModelColumn,
  type TupleType,
} from "../../roblox/model.ts";
import { TUPLE_TYPES } from "../../values/datatypes.ts";

/** The byte before a value is the position of its kind in this list. */
export const VALUE_KINDS = [
  "false",
  "true",
  "number",
  "string",
  "enum",
  "reference",
  ...TUPLE_TYPES,
  "PhysicalProperties",
  "BrickColor",
  "Faces",
  "Axes",
  "Font",
  "uri",
  "object",
  "noContent",
  "attributes",
  "tags",
  "opaque",
] as const;
type Kind = (typeof VALUE_KINDS)[number];
const CODES: ReadonlyMap<string, number> = new Map(VALUE_KINDS.map((kind, code) => [kind, code]));

export function encodeEngineModel(model: Model): Uint8Array<ArrayBuffer> {
  const writer = new ByteWriter();
  writeModel(writer, model);
  return writer.finish();
}

/** A place with what its reader has left out, for the Output. */
export function encodePlace({ model, problems }: EngineModel): Uint8Array<ArrayBuffer> {
  const writer = new ByteWriter().u32(problems.length);
  for (const problem of problems) writer.string(problem);
  writeModel(writer, model);
  return writer.finish();
}

function writeModel(writer: ByteWriter, { parents, classes }: Model): void {
  writer.u32(parents.length);
  for (const parent of parents) writer.u32(parent);
  writer.u32(classes.length);
  for (const { className, members, columns } of classes) {
    writer.string(className).u32(members.length);
    for (const id of members) writer.u32(id);
    writer.u32(columns.size);
  }
  for (const { columns } of classes) {
    for (const [name, column] of uniformFirst(columns)) writeColumn(writer.string(name), column);
  }
}

type NamedColumn = readonly [name: string, column: ModelColumn];

/** So that the engine gives all members a copy of these values at once. */
function uniformFirst(columns: ReadonlyMap<string, ModelColumn>): NamedColumn[] {
  const all = [...columns];
  return [
    ...all.filter(([, column]) => isUniform(column)),
    ...all.filter(([, column]) => !isUniform(column)),
  ];
}

const isUniform = ({ values, rows }: ModelColumn): boolean => values.length === 1 && !rows.includes(0);

/** Rows are left out where all members have the one value. */
function writeColumn(writer: ByteWriter, column: ModelColumn): void {
  const { values, rows } = column;
  writer.u32(values.length);
  for (const value of values) writeValue(writer, value);
  const hasOneValue = isUniform(column);
  writer.u8(hasOneValue ? 1 : 0);
  if (!hasOneValue) for (const row of rows) writer.u32(row);
}

const put = (writer: ByteWriter, kind: Kind): ByteWriter => writer.u8(CODES.get(kind) ?? 0);

function putNumbers(writer: ByteWriter, kind: Kind, values: readonly number[]): void {
  put(writer, kind).u32(values.length);
  for (const value of values) writer.f64(value);
}

function writeValue(writer: ByteWriter, value: FileValue): void {
  switch (value.type) {
    case "Bool":
      return void put(writer, value.value ? "true" : "false");
    case "Float64":
      return void put(writer, "number").f64(value.value);
    case "String":
      return void put(writer, "string").byteString(value.value);
    case "EnumItem":
      return void put(writer, "enum").string(value.value.enumName).f64(value.value.number);
    case "Ref":
      return void put(writer, "reference").u32(value.value ?? 0xffff_ffff);
    case "BrickColor":
    case "Faces":
    case "Axes":
      return void put(writer, value.type).f64(value.value);
    case "Font": {
      const { family, weight, style } = value.value;
      return void put(writer, "Font").byteString(family).f64(weight).f64(style);
    }
    case "Content": {
      const content = value.value;
      if (content.kind === "uri") return void put(writer, "uri").byteString(content.uri);
      if (content.kind === "object") return void put(writer, "object").u32(content.id);
      return void put(writer, "noContent");
    }
    case "Attributes":
      put(writer, "attributes").u32(value.value.size);
      for (const [name, attribute] of value.value) writeValue(writer.byteString(name), attribute);
      return;
    case "Tags":
      put(writer, "tags").u32(value.value.length);
      for (const tag of value.value) writer.byteString(tag);
      return;
    case "Opaque":
      return void put(writer, "opaque").byteString(byteStringOf(encodeOpaque(value.value)));
    case "PhysicalProperties":
      return putNumbers(writer, "PhysicalProperties", value.value ?? []);
    default:
      if (!isTuple(value)) throw new Error(`the engine has no ${value.type}`);
      return putNumbers(writer, value.type, value.value);
  }
}

const noReferences: ReadContext & WriteContext = {
  sharedStrings: [],
  idOf: () => null,
  sharedString: () => 0,
};

/** Texts that the binary format does not tell apart, behind bytes that announce nothing else in it. */
const TOLD_TEXTS = ["BinaryString", "ProtectedString", "ContentId", "NetAssetRef"] as const;
const FIRST_TOLD_TEXT = 0xf0;

/** The type and the value as the binary format writes one; a shared string stands there itself. */
function encodeOpaque(value: FileValue): Uint8Array {
  const told = TOLD_TEXTS.findIndex((type) => type === value.type);
  if (told >= 0 && typeof value.value === "string")
    return new ByteWriter()
      .u8(FIRST_TOLD_TEXT + told)
      .bytes(bytesOf(value.value))
      .finish();
  const id = typeIdOf(value.type);
  const codec = id === undefined ? undefined : codecOf(id);
  if (id === undefined || codec === undefined) throw new Error(`a ${value.type} cannot be kept`);
  const writer = new ByteWriter().u8(id);
  if (value.type === "SharedString") writer.bytes(bytesOf(value.value));
  else codec.write(writer, [value], noReferences);
  return writer.finish();
}

function decodeOpaque(bytes: Uint8Array): FileValue {
  const reader = new ByteReader(bytes);
  const id = reader.u8();
  const told = TOLD_TEXTS[id - FIRST_TOLD_TEXT];
  if (told !== undefined) return { type: told, value: byteStringOf(reader.bytes(reader.remaining)) };
  if (id === TYPE_IDS.SharedString)
    return { type: "SharedString", value: byteStringOf(reader.bytes(reader.remaining)) };
  const [value] = codecOf(id)?.read(reader, 1, noReferences) ?? [];
  if (value === undefined) throw new Error(`a kept value has the type ${id}`);
  return value;
}

export function decodeEngineModel(bytes: Uint8Array): Model {
  return readModel(new ByteReader(bytes));
}

interface SavedPlace {
  readonly model: Model;
  /** For each id, the id that the Instance had in the model that was opened, or -1. */
  readonly origins: readonly number[];
}

/** What the engine's host operation placeSaved gives. */
export function decodeSavedPlace(bytes: Uint8Array): SavedPlace {
  const reader = new ByteReader(bytes);
  const model = readModel(reader);
  return { model, origins: model.parents.map(() => reader.i32()) };
}

function readModel(reader: ByteReader): Model {
  const parents = Array.from({ length: reader.u32() }, () => reader.i32());
  const heads = Array.from({ length: reader.u32() }, () => ({
    className: reader.string(),
    members: Array.from({ length: reader.u32() }, () => reader.u32()),
    columnCount: reader.u32(),
  }));
  const classes = heads.map(({ className, members, columnCount }): ModelClass => {
    const columns = new Map<string, ModelColumn>();
    for (let rest = columnCount; rest > 0; rest--) {
      const name = reader.string();
      columns.set(name, readColumn(reader, members.length));
    }
    return { className, members, columns };
  });
  return { parents, classes };
}

function readColumn(reader: ByteReader, count: number): ModelColumn {
  const values = Array.from({ length: reader.u32() }, () => readValue(reader));
  const isUniform = reader.u8() === 1;
  return { values, rows: Array.from({ length: count }, () => (isUniform ? 1 : reader.u32())) };
}

const tuple = (type: TupleType, reader: ByteReader): FileValue => ({
  type,
  value: Array.from({ length: reader.u32() }, () => reader.f64()),
});

function readValue(reader: ByteReader): FileValue {
  const kind = VALUE_KINDS[reader.u8()];
  switch (kind) {
    case "false":
    case "true":
      return { type: "Bool", value: kind === "true" };
    case "number":
      return { type: "Float64", value: reader.f64() };
    case "string":
      return { type: "String", value: reader.byteString() };
    case "enum":
      return { type: "EnumItem", value: { enumName: reader.string(), number: reader.f64() } };
    case "reference":
      return { type: "Ref", value: reader.u32() };
    case "BrickColor":
    case "Faces":
    case "Axes":
      return { type: kind, value: reader.f64() };
    case "Font":
      return {
        type: "Font",
        value: {
          family: reader.byteString(),
          weight: reader.f64(),
          style: reader.f64(),
          cachedFaceId: "",
        },
      };
    case "uri":
      return { type: "Content", value: { kind: "uri", uri: reader.byteString() } };
    case "object":
      return { type: "Content", value: { kind: "object", id: reader.u32() } };
    case "noContent":
      return { type: "Content", value: { kind: "none" } };
    case "attributes": {
      const attributes = new Map<string, FileValue>();
      for (let rest = reader.u32(); rest > 0; rest--) attributes.set(reader.byteString(), readValue(reader));
      return { type: "Attributes", value: attributes };
    }
    case "tags":
      return { type: "Tags", value: Array.from({ length: reader.u32() }, () => reader.byteString()) };
    case "opaque":
      return { type: "Opaque", value: decodeOpaque(bytesOf(reader.byteString())) };
    case "PhysicalProperties":
      return { type: kind, value: Array.from({ length: reader.u32() }, () => reader.f64()) };
    case undefined:
      throw new Error("the engine gave a value of no known kind");
    default:
      return tuple(kind, reader);
  }
}
