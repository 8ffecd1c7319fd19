/**
 * Values as the plugin sends and takes them, and as files hold them. The type of a property decides which file type a
 * number or a text becomes; attributes have no declared type, so their values have one of their own.
 */
import type { SerializedValue, TaggedValue } from "../protocol/values.ts";
import { isTagged } from "../protocol/values.ts";
import { byteStringOf, bytesOf, textOfByteString, utf8ByteString, type ByteString } from "../util/bytes.ts";
import {
  countOf,
  type Datatype,
  DATATYPES,
  fileStrideOf,
  isTupleType,
  wholeForm,
} from "../values/datatypes.ts";
import { AXES, FACES } from "./model.ts";
import type { ContentValue, FileValue } from "./model.ts";
import { customProperty } from "./custom-properties.ts";
import { FONT_STYLES, FONT_WEIGHTS } from "./fonts.ts";
import type { FileSchema } from "./schema.ts";

/** What the file value of a property is; undefined for what no file holds, such as a function, and for references. */
export function propertyOfWire(
  schema: FileSchema,
  className: string,
  name: string,
  wire: SerializedValue,
): FileValue | undefined {
  const property = schema.property(className, name);
  const type = property?.kind === "property" ? property.type : "";
  const value = valueOfWire(wire, type);
  if (value?.type === "EnumItem") return { type: "Enum", value: value.value.number };
  return value?.type === "Color3" && schema.fileName(className, name) === "Color3uint8"
    ? { type: "Color3uint8", value: value.value.map(byteOf) }
    : value;
}

/** What the file value of an attribute is; undefined for what no file holds. */
export function attributeOfWire(wire: SerializedValue): FileValue | undefined {
  return valueOfWire(wire, "");
}

/** What the plugin takes for a property; undefined for what scripts cannot write. */
export function propertyToWire(
  schema: FileSchema,
  className: string,
  name: string,
  value: FileValue,
): SerializedValue | undefined {
  const property = schema.property(className, name);
  if (property?.kind === "hidden" && customProperty(schema, className, name) === undefined) return undefined;
  const type = property?.type ?? "";
  if (type === "Content" && isText(value)) return wireContent(contentOfText(value.value));
  if (type === "BrickColor" && typeof value.value === "number")
    return { type: "BrickColor", name: "", value: value.value };
  if (value.type === "Content" && type !== "Content")
    return value.value.kind === "uri" ? wireText(value.value.uri) : "";
  return valueToWire(schema, value);
}

/** What the plugin takes for an attribute; undefined for what no attribute can hold. */
export function attributeToWire(schema: FileSchema, value: FileValue): SerializedValue | undefined {
  return valueToWire(schema, value);
}

const byteOf = (part: number): number => Math.round(Math.min(Math.max(part, 0), 1) * 255);

const isText = (value: FileValue): value is Extract<FileValue, { readonly value: ByteString }> =>
  typeof value.value === "string";

const contentOfText = (uri: ByteString): ContentValue =>
  uri === "" ? { kind: "none" } : { kind: "uri", uri };

// From the wire --------------------------------------------------------------------------------------------------------

function valueOfWire(wire: SerializedValue, type: string): FileValue | undefined {
  if (typeof wire === "boolean") return { type: "Bool", value: wire };
  if (typeof wire === "number") return numberOfWire(wire, type);
  if (typeof wire === "string") return textOfWire(utf8ByteString(wire), type);
  if (wire === null || Array.isArray(wire) || !isTagged(wire)) return undefined;
  if (wire.type === "number") return namedNumber(String(wire["value"]), type);
  if (wire.type === "bytes")
    return textOfWire(byteStringOf(Buffer.from(String(wire["base64"]), "base64")), type);
  if (wire.type === "nil") return type === "PhysicalProperties" ? { type, value: null } : undefined;
  return taggedOfWire(wire);
}

function textOfWire(value: ByteString, type: string): FileValue {
  return type === "Content" ? { type, value: contentOfText(value) } : { type: "String", value };
}

const MAX_INT64 = 2 ** 63;

function numberOfWire(value: number, type: string): FileValue {
  if (type.startsWith("Enum.")) return { type: "Enum", value };
  switch (type) {
    case "int":
      return { type: "Int32", value: Math.trunc(value) };
    case "int64":
      return { type: "Int64", value: BigInt(Math.trunc(Math.max(Math.min(value, MAX_INT64), -MAX_INT64))) };
    case "float":
      return { type: "Float32", value: Math.fround(value) };
    default:
      return { type: "Float64", value };
  }
}

/** Whole numbers beyond 2^53 come as digits, so that they do not pass through a double here. */
function namedNumber(text: string, type: string): FileValue {
  return type === "int64" && /^-?\d+$/.test(text)
    ? { type: "Int64", value: BigInt(text) }
    : numberOfWire(numberOf(text), type);
}

const NAMED_NUMBERS: Readonly<Record<string, number>> = { inf: Infinity, "-inf": -Infinity, nan: NaN };
const numberOf = (value: unknown): number =>
  typeof value === "number" ? value : (NAMED_NUMBERS[String(value)] ?? Number(value));
const numbersOf = (value: unknown): number[] => (Array.isArray(value) ? value.map(numberOf) : []);

/** What is not made of the same numbers on the wire and in files. */
const hasOtherNumbers = (type: string): boolean => type === "Color3uint8" || type === "ColorSequence";

/** The numbers of these are kept with seven digits, as the engine does; offsets are whole. */
function tupleOfWire(wire: TaggedValue): FileValue | undefined {
  const { type } = wire;
  if (!isTupleType(type) || hasOtherNumbers(type)) return undefined;
  const { fields, isSequence }: Datatype = DATATYPES[type];
  const value = numbersOf(wire["value"]).map(Math.fround);
  return isSequence === true || fields.length === value.length ? { type, value } : undefined;
}

const WIRE_COLOR_KEYPOINT = DATATYPES.ColorSequence.fields.length;
const FILE_COLOR_KEYPOINT = fileStrideOf("ColorSequence");

const TAGGED: Readonly<Record<string, (wire: TaggedValue) => FileValue | undefined>> = {
  EnumItem: (wire) => ({
    type: "EnumItem",
    value: { enumName: String(wire["enum"]), number: Number(wire["value"]) },
  }),
  BrickColor: (wire) => ({ type: "BrickColor", value: Number(wire["value"]) }),
  Faces: (wire) => ({ type: "Faces", value: bitsOf(FACES, wire["value"]) }),
  Axes: (wire) => ({ type: "Axes", value: bitsOf(AXES, wire["value"]) }),
  ColorSequence: (wire) => ({
    type: "ColorSequence",
    value: regrouped(numbersOf(wire["value"]).map(Math.fround), WIRE_COLOR_KEYPOINT, (point) => [
      ...point,
      0,
    ]),
  }),
  PhysicalProperties: (wire) => {
    const value = wholeForm(wire.type, numbersOf(wire["value"]).map(Math.fround));
    return value.length === countOf("PhysicalProperties") ? { type: "PhysicalProperties", value } : undefined;
  },
  Font: (wire) => ({
    type: "Font",
    value: {
      family: utf8ByteString(String(wire["family"])),
      weight: (FONT_WEIGHTS.indexOf(String(wire["weight"])) + 1) * 100,
      style: Math.max(FONT_STYLES.indexOf(String(wire["style"])), 0),
      cachedFaceId: "",
    },
  }),
  Content: (wire) => {
    if (wire["sourceType"] === "None") return { type: "Content", value: { kind: "none" } };
    const uri = wire["uri"];
    return typeof uri === "string"
      ? { type: "Content", value: contentOfText(utf8ByteString(uri)) }
      : undefined;
  },
};

function taggedOfWire(wire: TaggedValue): FileValue | undefined {
  const read = Object.hasOwn(TAGGED, wire.type) ? TAGGED[wire.type] : undefined;
  return read === undefined ? tupleOfWire(wire) : read(wire);
}

function bitsOf(names: readonly string[], value: unknown): number {
  const set = Array.isArray(value) ? value.map(String) : [];
  return names.reduce((sum, name, index) => (set.includes(name) ? sum | (1 << index) : sum), 0);
}

function regrouped(
  numbers: readonly number[],
  size: number,
  change: (point: readonly number[]) => readonly number[],
): number[] {
  const made: number[] = [];
  for (let first = 0; first < numbers.length; first += size)
    made.push(...change(numbers.slice(first, first + size)));
  return made;
}

// To the wire ----------------------------------------------------------------------------------------------------------

function valueToWire(schema: FileSchema, value: FileValue): SerializedValue | undefined {
  switch (value.type) {
    case "Bool":
      return value.value;
    case "String":
    case "ProtectedString":
    case "ContentId":
      return wireText(value.value);
    case "Int32":
    case "Enum":
    case "Float32":
    case "Float64":
      return wireNumber(value.value);
    case "Int64":
      return wireInteger(value.value);
    case "Color3uint8":
      return { type: "Color3", value: value.value.map((part) => part / 255) };
    case "BrickColor":
      return { type: "BrickColor", name: "", value: value.value };
    case "Faces":
      return { type: "Faces", value: FACES.filter((_, index) => (value.value & (1 << index)) !== 0) };
    case "Axes":
      return { type: "Axes", value: AXES.filter((_, index) => (value.value & (1 << index)) !== 0) };
    case "ColorSequence":
      return {
        type: "ColorSequence",
        value: regrouped(value.value, FILE_COLOR_KEYPOINT, (point) => point.slice(0, -1)).map(component),
      };
    case "PhysicalProperties":
      return value.value === null
        ? { type: "nil" }
        : { type: "PhysicalProperties", value: value.value.map(component) };
    case "OptionalCFrame":
      return value.value === null ? undefined : { type: "CFrame", value: value.value.map(component) };
    case "Font":
      return wireFont(value.value);
    case "Content":
      return wireContent(value.value);
    case "EnumItem":
      return wireEnumItem(schema, value.value);
    default:
      return isTupleType(value.type) ? wireTuple(value) : undefined;
  }
}

const component = (value: number): number | string =>
  Number.isFinite(value) ? value : Number.isNaN(value) ? "nan" : value > 0 ? "inf" : "-inf";

function wireNumber(value: number): SerializedValue {
  const shown = component(value);
  return typeof shown === "number" ? shown : { type: "number", value: shown };
}

function wireInteger(value: bigint): SerializedValue {
  const isExact = value <= BigInt(Number.MAX_SAFE_INTEGER) && value >= BigInt(Number.MIN_SAFE_INTEGER);
  return isExact ? Number(value) : { type: "number", value: String(value) };
}

function wireTuple({ type, value }: FileValue): SerializedValue | undefined {
  return Array.isArray(value) ? { type, value: value.map(component) } : undefined;
}

function wireText(value: ByteString): SerializedValue {
  const text = textOfByteString(value);
  return utf8ByteString(text) === value
    ? text
    : { type: "bytes", base64: Buffer.from(bytesOf(value)).toString("base64") };
}

function wireFont({ family, weight, style }: Extract<FileValue, { readonly type: "Font" }>["value"]) {
  return {
    type: "Font",
    family: textOfByteString(family),
    weight: FONT_WEIGHTS[Math.round(weight / 100) - 1] ?? "Regular",
    style: FONT_STYLES[style] ?? "Normal",
  };
}

function wireContent(content: ContentValue): SerializedValue | undefined {
  if (content.kind === "object") return undefined;
  return content.kind === "none"
    ? { type: "Content", sourceType: "None" }
    : { type: "Content", sourceType: "Uri", uri: textOfByteString(content.uri) };
}

function wireEnumItem(
  schema: FileSchema,
  { enumName, number }: { readonly enumName: string; readonly number: number },
): SerializedValue | undefined {
  const name = schema.enumItemName(enumName, number);
  return name === undefined ? undefined : { type: "EnumItem", enum: enumName, name, value: number };
}
