/**
 * Values as the JSON of projects, models and meta files writes them: the inverse of ../values.ts. Short where the property
 * tells the type and Rojo takes the value without it, else tagged. What JSON cannot hold is refused with the reason.
 */
import type { JsonValue } from "../../../util/json-edit.ts";
import { type Datatype, DATATYPES, PHYSICAL_NAMES, type TupleType } from "../../../values/datatypes.ts";
import { bytesOf, textOfByteString, utf8ByteString, type ByteString } from "../../../util/bytes.ts";
import { AXES, FACES, type FileValue } from "../../model.ts";
import { FONT_STYLES, FONT_WEIGHTS } from "../../fonts.ts";
import type { FileSchema } from "../../schema.ts";
import { TERRAIN_COLORS, TERRAIN_COLORS_START } from "../value-names.ts";

/** Either the JSON, or why there is none, to be put behind the name of the property. */
export type WrittenValue = { readonly json: JsonValue } | { readonly unwritable: string };

/** The value of a property, for the key that `propertyKey` gives. */
export function propertyJson(
  schema: FileSchema,
  className: string,
  name: string,
  given: FileValue,
): WrittenValue {
  const value = given.type === "Opaque" ? given.value : given;
  const property = schema.property(className, name);
  // Rojo takes a pivot, which may be missing, in this form alone.
  if (name === "WorldPivotData" && value.type === "CFrame")
    return written(() => taggedJson("", { type: "OptionalCFrame", value: value.value }));
  // Under its own name a property has the type that scripts see, under the name of files that of files.
  const type = property?.type ?? (name === "Tags" ? name : "");
  return written(() => plainJson(schema, type, value) ?? taggedJson(type, value));
}

/**
 * The key under which files state a property: the name that scripts use, or that of files where Rojo would drop the
 * former.
 */
export function propertyKey(schema: FileSchema, className: string, name: string): string {
  const property = schema.property(className, name);
  if (property?.kind !== "property") return name;
  return property.isSaved ? property.name : schema.fileName(className, property.name);
}

/** The value of an attribute. Only texts, numbers and flags are told apart without their type. */
export function attributeJson(value: FileValue): WrittenValue {
  return written(() => {
    if (value.type === "Bool") return value.value;
    if (isNumber(value) && value.type !== "BrickColor") return finite(value.value);
    if (value.type === "Int64") return finite(Number(value.value));
    const text = isText(value) ? utf8TextOf(value.value) : undefined;
    return text ?? taggedJson("", value);
  });
}

/** The value of an attribute in the property `Attributes`, where each needs its type. */
export function taggedAttributeJson(value: FileValue): WrittenValue {
  return written(() => {
    if (value.type === "Bool") return { Bool: value.value };
    if (value.type === "Int64") return { Float64: finite(Number(value.value)) };
    if (isNumber(value) && value.type !== "BrickColor") return { Float64: finite(value.value) };
    return taggedJson("", value);
  });
}

/** A value that has no JSON; its message says why. */
class Unwritable extends Error {}

function written(make: () => JsonValue): WrittenValue {
  try {
    return { json: make() };
  } catch (error) {
    if (error instanceof Unwritable) return { unwritable: error.message };
    throw error;
  }
}

type NumberValue = Extract<FileValue, { readonly value: number }>;
type TextValue = Extract<FileValue, { readonly value: ByteString }>;

const isNumber = (value: FileValue): value is NumberValue => typeof value.value === "number";
const isText = (value: FileValue): value is TextValue => typeof value.value === "string";

const ENUM = "Enum.";

/** Undefined where the value needs its type. */
function plainJson(schema: FileSchema, type: string, value: FileValue): JsonValue | undefined {
  if (type.startsWith(ENUM)) return enumName(schema, type.slice(ENUM.length), value);
  switch (type) {
    case "bool":
    case "Bool":
      return value.type === "Bool" ? value.value : undefined;
    case "float":
    case "Float32":
      return isNumber(value) ? float32(value.value) : undefined;
    case "double":
    case "Float64":
      return isNumber(value) ? finite(value.value) : undefined;
    case "int":
    case "Int32":
      return isNumber(value) ? finite(Math.trunc(value.value)) : undefined;
    case "int64":
    case "Int64":
      return shortInteger(value);
    case "string":
    case "String":
    case "ContentId":
    case "ProtectedString":
      return plainText(value);
    case "Content":
      return value.type === "Content" && value.value.kind === "none" ? undefined : plainText(value);
    case "Tags":
      return tags(value);
    case "Font":
      return value.type === "Font" ? font(value.value) : undefined;
    case "MaterialColors":
      return isText(value) ? materialColors(value.value) : undefined;
    case "Color3":
      return color(value)?.map(float32);
    case "Vector2":
    case "Vector3":
    case "CFrame":
      return value.type === type ? value.value.map(float32) : undefined;
    default:
      return undefined;
  }
}

function enumName(schema: FileSchema, enumName: string, value: FileValue): JsonValue | undefined {
  const number = value.type === "EnumItem" ? value.value.number : value.value;
  if (typeof number !== "number") return undefined;
  return schema.enumItemName(enumName, number) ?? { Enum: number };
}

/** Rojo reads a plain number through a double, so that larger ones need their type. */
function shortInteger(value: FileValue): JsonValue | undefined {
  if (typeof value.value !== "bigint") return isNumber(value) ? finite(Math.trunc(value.value)) : undefined;
  const number = Number(value.value);
  return Number.isSafeInteger(number) ? number : { Int64: value.value };
}

/** Files have some texts as contents, and the other way round. */
function plainText(value: FileValue): string | undefined {
  if (value.type !== "Content") return isText(value) ? utf8TextOf(value.value) : undefined;
  if (value.value.kind === "object") throw new Unwritable("refers to an object, which JSON cannot say");
  return value.value.kind === "none" ? "" : utf8TextOf(value.value.uri);
}

function tags(value: FileValue): JsonValue | undefined {
  const names = value.type === "Tags" ? value.value : isText(value) ? tagsOf(value.value) : undefined;
  return names?.map((name) => {
    const text = utf8TextOf(name);
    if (text === undefined) throw new Unwritable("has a tag that is not UTF-8");
    return text;
  });
}

const tagsOf = (blob: ByteString): readonly ByteString[] => (blob === "" ? [] : blob.split("\0"));

function color(value: FileValue): readonly number[] | undefined {
  if (value.type === "Color3uint8") return value.value.map((part) => part / 255);
  return value.type === "Color3" ? value.value : undefined;
}

/** With its type in front, which `type` tells where the value itself does not. */
function taggedJson(type: string, value: FileValue): JsonValue {
  switch (value.type) {
    case "Bool":
    case "Int32":
    case "Enum":
    case "BrickColor":
      return type === "BrickColor" && isNumber(value)
        ? { BrickColor: value.value }
        : { [value.type]: value.value };
    case "Float32":
      return { Float32: float32(value.value) };
    case "Float64":
      return { Float64: finite(value.value) };
    case "Int64":
      return { Int64: value.value };
    case "Faces":
    case "Axes":
      return { [value.type]: bits(value.type === "Faces" ? FACES : AXES, value.value) };
    case "EnumItem":
      return { EnumItem: { type: value.value.enumName, value: value.value.number } };
    case "Font":
      return { Font: font(value.value) };
    case "Content":
      return taggedContent(value.value);
    case "Tags":
      return { Tags: tags(value) ?? [] };
    case "String":
    case "BinaryString":
    case "ProtectedString":
    case "ContentId":
      return taggedText(type, value.value);
    case "Ref":
      throw new Unwritable("refers to an Instance; files say that by an attribute");
    case "SharedString":
    case "NetAssetRef":
    case "Bytecode":
    case "Opaque":
    case "UniqueId":
    case "SecurityCapabilities":
    case "Attributes":
      throw new Unwritable(`is of the type ${value.type}, which has no form in JSON`);
    default:
      return taggedNumbers(value);
  }
}

function taggedText(type: string, value: ByteString): JsonValue {
  const text = type === "BinaryString" ? undefined : utf8TextOf(value);
  return text === undefined
    ? { BinaryString: Buffer.from(bytesOf(value)).toString("base64") }
    : { String: text };
}

function taggedContent(content: Extract<FileValue, { readonly type: "Content" }>["value"]): JsonValue {
  if (content.kind === "object") throw new Unwritable("refers to an object, which JSON cannot say");
  if (content.kind === "none") return { Content: "None" };
  const uri = utf8TextOf(content.uri);
  if (uri === undefined) throw new Unwritable("is not UTF-8");
  return { Content: { Uri: uri } };
}

type NumbersValue = Extract<FileValue, { readonly value: readonly number[] | null }>;

function taggedNumbers(value: NumbersValue): JsonValue {
  if (value.value === null)
    return value.type === "OptionalCFrame" ? { OptionalCFrame: null } : { PhysicalProperties: "Default" };
  const numbers = value.value;
  const floats = numbers.map(float32);
  switch (value.type) {
    case "Ray":
      return { Ray: { origin: floats.slice(0, 3), direction: floats.slice(3) } };
    case "CFrame":
    case "OptionalCFrame":
      return { [value.type]: { position: floats.slice(0, 3), orientation: grouped(floats.slice(3), 3) } };
    case "NumberSequence":
      return {
        NumberSequence: {
          keypoints: grouped(floats, 3).map(([time = 0, level = 0, envelope = 0]) => ({
            time,
            value: level,
            envelope,
          })),
        },
      };
    case "ColorSequence":
      return {
        ColorSequence: {
          keypoints: grouped(floats, 5).map(([time = 0, ...color]) => ({ time, color: color.slice(0, 3) })),
        },
      };
    case "PhysicalProperties":
      return {
        PhysicalProperties: Object.fromEntries(
          PHYSICAL_NAMES.map((part, index) => [part, floats[index] ?? 0]),
        ),
      };
    default:
      return { [value.type]: listOf(value.type, numbers) };
  }
}

/** Whole numbers stay as they are, pixels among them. */
function listOf(type: TupleType, numbers: readonly number[]): JsonValue {
  const { kinds, rojo }: Datatype = DATATYPES[type];
  const written = numbers.map((number, index) =>
    (kinds?.[index] ?? "float") === "float" ? float32(number) : finite(number),
  );
  return typeof rojo === "object" ? grouped(written, rojo[0] ?? 1) : written;
}

function grouped(numbers: readonly number[], size: number): number[][] {
  const groups: number[][] = [];
  for (let at = 0; at < numbers.length; at += size) groups.push(numbers.slice(at, at + size));
  return groups;
}

const bits = (names: readonly string[], value: number): string[] =>
  names.filter((_, index) => (value & (1 << index)) !== 0);

function font({ family, weight, style }: Extract<FileValue, { readonly type: "Font" }>["value"]): JsonValue {
  const [familyText, weightName, styleName] = [
    utf8TextOf(family),
    FONT_WEIGHTS[weight / 100 - 1],
    FONT_STYLES[style],
  ];
  if (familyText === undefined || weightName === undefined || styleName === undefined)
    throw new Unwritable("is a font whose weight or style has no name");
  return { family: familyText, weight: weightName, style: styleName };
}

/** The blob has three bytes for each material, behind some that mean nothing. */
function materialColors(blob: ByteString): JsonValue {
  const bytes = bytesOf(blob);
  const isUsual = bytes.length === TERRAIN_COLORS_START + TERRAIN_COLORS.length * 3;
  if (!isUsual || bytes.subarray(0, TERRAIN_COLORS_START).some((byte) => byte !== 0))
    throw new Unwritable("has colours of materials that sb does not know");
  return Object.fromEntries(
    TERRAIN_COLORS.map(([material], index) => {
      const start = TERRAIN_COLORS_START + index * 3;
      return [material, [...bytes.subarray(start, start + 3)]];
    }),
  );
}

/** Undefined for bytes that are no text. */
function utf8TextOf(bytes: ByteString): string | undefined {
  const text = textOfByteString(bytes);
  return utf8ByteString(text) === bytes ? text : undefined;
}

function finite(value: number): number {
  if (!Number.isFinite(value)) throw new Unwritable(`is ${numberName(value)}, which JSON cannot hold`);
  return value;
}

const numberName = (value: number): string =>
  Number.isNaN(value) ? "not a number" : value > 0 ? "infinite" : "negative infinite";

/** Enough for any number of 32 bits; fewer are tried first. */
const MAX_DIGITS = 9;

/** The number with the fewest digits that is the same in 32 bits. */
function float32(value: number): number {
  const rounded = finite(Math.fround(value));
  if (Number.isInteger(rounded) && Math.abs(rounded) < 2 ** 24) return rounded;
  for (let digits = 6; digits < MAX_DIGITS; digits++) {
    const short = Number(rounded.toPrecision(digits));
    if (Math.fround(short) === rounded) return short;
  }
  return Number(rounded.toPrecision(MAX_DIGITS));
}
