/**
 * Property values as projects, `.model.json` and `.meta.json` write them: plain where the property tells the type and Rojo
 * takes that type without its name, else tagged. What Rojo 7.7 refuses is refused, so that a project builds the same place.
 */
import { type Datatype, datatype, DATATYPES, isTupleType, PHYSICAL_NAMES } from "../../values/datatypes.ts";
import { byteStringOf, utf8ByteString } from "../../util/bytes.ts";
import { AXES, FACES } from "../model.ts";
import type { FileValue, NumberType, TupleType } from "../model.ts";
import { FONT_STYLES, FONT_WEIGHTS } from "../fonts.ts";
import type { FileSchema } from "../schema.ts";
import { TERRAIN_COLORS, TERRAIN_COLORS_START } from "./value-names.ts";

/** Throws an Error that says what the property expects. */
export function resolveProperty(
  schema: FileSchema,
  className: string,
  name: string,
  json: unknown,
): FileValue {
  const tagged = taggedValue(json);
  if (tagged !== undefined) return tagged;
  const property = schema.property(className, name);
  const type = property?.type ?? (name === "Tags" ? name : "");
  const value = type === "" ? undefined : plainValue(schema, type, json);
  if (value?.type === "Color3" && schema.fileName(className, name) === "Color3uint8") return asBytes(value);
  if (value !== undefined) return value;
  const label = `${className}.${name}`;
  if (type === "")
    throw new Error(`${label} is not known; write its value with its type, as { "String": "…" }`);
  const advice = PLAIN_FORMS[type.startsWith(ENUM) ? ENUM : type] ?? taggedForm(type);
  throw new Error(`${label} expects ${type}, got ${JSON.stringify(json)?.slice(0, 60)}${advice}`);
}

const ENUM = "Enum.";

/** How Rojo wants what people are tempted to write in another way. */
const PLAIN_FORMS: Readonly<Record<string, string>> = {
  [ENUM]: '; Rojo takes the name of an item, or { "Enum": 0 } with its number',
  BrickColor: '; Rojo takes it only as { "BrickColor": 21 }',
  CFrame: '; Rojo takes twelve numbers, or { "CFrame": { "position": […], "orientation": [[…], […], […]] } }',
  Font: '; Rojo takes it as { "family": "…", "weight": "Regular", "style": "Normal" }',
  PhysicalProperties:
    '; Rojo takes it only as { "PhysicalProperties": "Default" }, or with all six parts, acousticAbsorption too',
};

/** Files have the colour of a part in bytes. */
const asBytes = ({ value }: Extract<FileValue, { readonly type: TupleType }>): FileValue => ({
  type: "Color3uint8",
  value: value.map((part) => Math.round(Math.min(Math.max(part, 0), 1) * 255)),
});

/** One of `$attributes`: attributes have no declared type, so only these are plain. */
export function resolveAttribute(name: string, json: unknown): FileValue {
  if (typeof json === "boolean") return { type: "Bool", value: json };
  if (isNumber(json)) return { type: "Float64", value: Number(json) };
  if (typeof json === "string") return text(json);
  return resolveTaggedAttribute(name, json);
}

/** One of the property `Attributes`, where each has its type. */
export function resolveTaggedAttribute(name: string, json: unknown): FileValue {
  const tagged = taggedValue(json);
  if (tagged === undefined) throw new Error(`the attribute ${name} has a value that needs its type`);
  return ATTRIBUTE_NUMBERS.has(tagged.type) ? { type: "Float64", value: Number(tagged.value) } : tagged;
}

const ATTRIBUTE_NUMBERS = new Set<string>(["Int32", "Int64", "Float32"]);

export const text = (value: string): FileValue => ({ type: "String", value: utf8ByteString(value) });

export const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** So many numbers; undefined for anything else. */
function numbersOf(json: unknown, size: number): number[] | undefined {
  if (!Array.isArray(json) || json.length !== size) return undefined;
  const numbers = json.filter(isNumber);
  return numbers.length === size ? numbers.map(Number) : undefined;
}

/** Lists of so many numbers each, one behind the other. */
function listsOf(json: unknown, sizes: readonly number[]): number[] | undefined {
  if (!Array.isArray(json) || json.length !== sizes.length) return undefined;
  const lists = sizes.map((size, index) => numbersOf(json[index], size));
  return lists.includes(undefined) ? undefined : lists.flatMap((list) => list ?? []);
}

const tuple = (type: TupleType, value: readonly number[] | undefined): FileValue | undefined =>
  value === undefined ? undefined : { type, value };

/** The numbers of a datatype: one list, or lists of the sizes that Rojo groups them in. */
function numbersOfType(type: TupleType, json: unknown): FileValue | undefined {
  const { fields, rojo }: Datatype = DATATYPES[type];
  return tuple(type, typeof rojo === "object" ? listsOf(json, rojo) : numbersOf(json, fields.length));
}

/** What a datatype looks like that Rojo takes only with its type in front. */
function taggedForm(type: string): string {
  const rojo = isTupleType(type) ? datatype(type)?.rojo : undefined;
  if (rojo === undefined || rojo === "plain") return "";
  const zeros = (count: number): string => `[${new Array<number>(count).fill(0).join(", ")}]`;
  const list =
    rojo === "list" ? zeros(datatype(type)?.fields.length ?? 0) : `[${rojo.map(zeros).join(", ")}]`;
  return `; Rojo takes it only as { "${type}": ${list} }`;
}

const NUMBER_TYPES: Readonly<Record<string, NumberType>> = {
  Float32: "Float32",
  Float64: "Float64",
  Int32: "Int32",
  Enum: "Enum",
  BrickColor: "BrickColor",
  float: "Float32",
  double: "Float64",
  int: "Int32",
};
/** What has no plain form although a number or a text would do. */
const ONLY_TAGGED = new Set(["BrickColor", "Enum"]);
const WHOLE_TYPES = new Set(["Int32", "int"]);
const LONG_TYPES = new Set(["Int64", "int64"]);
const TEXT_TYPES = new Set(["String", "string", "ContentId", "Content", "ProtectedString"]);

/** `{ "Type": value }`; undefined for anything else. */
function taggedValue(json: unknown): FileValue | undefined {
  if (!isRecord(json)) return undefined;
  const [entry, ...others] = Object.entries(json);
  if (entry === undefined || others.length > 0) return undefined;
  const [type, value] = entry;
  const irregular = TAGGED[type];
  if (irregular !== undefined) return irregular(value) ?? commonValue(type, value);
  return isTupleType(type) && datatype(type)?.rojo !== undefined
    ? numbersOfType(type, value)
    : commonValue(type, value);
}

/** What is written alike with and without its type. */
function commonValue(type: string, json: unknown): FileValue | undefined {
  if ((type === "Bool" || type === "bool") && typeof json === "boolean") return { type: "Bool", value: json };
  if (TEXT_TYPES.has(type) && typeof json === "string") return text(json);
  const numberType = NUMBER_TYPES[type];
  if (numberType !== undefined && isNumber(json))
    return { type: numberType, value: WHOLE_TYPES.has(type) ? Math.trunc(Number(json)) : Number(json) };
  if (LONG_TYPES.has(type) && isNumber(json)) return longNumber(json);
  if (type === "Tags" && Array.isArray(json)) return text(json.map(String).join("\0"));
  if (type === "MaterialColors" && isRecord(json)) return materialColors(json);
  return type === "Font" ? font(json) : undefined;
}

const isNumber = (json: unknown): json is number | bigint =>
  typeof json === "number" || typeof json === "bigint";

const MAX_INT64 = 2n ** 63n - 1n;

/** Numbers beyond the limits become the limits, as in Rust. */
function longNumber(json: number | bigint): FileValue | undefined {
  if (typeof json === "number" && !Number.isFinite(json)) return undefined;
  const value = typeof json === "bigint" ? json : BigInt(Math.trunc(json));
  if (value > MAX_INT64) return { type: "Int64", value: MAX_INT64 };
  return { type: "Int64", value: value < -MAX_INT64 ? -MAX_INT64 - 1n : value };
}

function plainValue(schema: FileSchema, type: string, json: unknown): FileValue | undefined {
  if (isTupleType(type) && datatype(type)?.rojo === "plain") return numbersOfType(type, json);
  if (!type.startsWith(ENUM)) return ONLY_TAGGED.has(type) ? undefined : commonValue(type, json);
  if (typeof json !== "string") return undefined;
  const value = schema.enumNumber(type.slice(ENUM.length), json);
  return value === undefined ? undefined : { type: "Enum", value };
}

function frame(json: unknown): FileValue | undefined {
  if (!isRecord(json)) return undefined;
  const position = numbersOf(json["position"], 3);
  const orientation = listsOf(json["orientation"], [3, 3, 3]);
  return position && orientation && { type: "CFrame", value: [...position, ...orientation] };
}

function materialColors(json: Readonly<Record<string, unknown>>): FileValue | undefined {
  const colors = TERRAIN_COLORS.map(([material, ...usual]) => numbersOf(json[material] ?? usual, 3));
  const isKnown = Object.keys(json).every((name) => TERRAIN_COLORS.some(([material]) => material === name));
  if (!isKnown || colors.includes(undefined)) return undefined;
  const bytes = [
    ...new Array<number>(TERRAIN_COLORS_START).fill(0),
    ...colors.flatMap((color) => color ?? []),
  ];
  return { type: "String", value: byteStringOf(Uint8Array.from(bytes)) };
}

/** `"None"`, or the URI of an asset; a plain one is text. */
function content(json: unknown): FileValue | undefined {
  if (json === "None") return { type: "Content", value: { kind: "none" } };
  const uri = isRecord(json) ? json["Uri"] : undefined;
  return typeof uri === "string"
    ? { type: "Content", value: { kind: "uri", uri: utf8ByteString(uri) } }
    : undefined;
}

function font(json: unknown): FileValue | undefined {
  if (!isRecord(json) || typeof json["family"] !== "string") return undefined;
  const { family, weight, style } = json;
  const position = FONT_WEIGHTS.indexOf(String(weight));
  const styleNumber = FONT_STYLES.indexOf(String(style));
  if (position < 0 || styleNumber < 0) return undefined;
  return {
    type: "Font",
    value: {
      family: utf8ByteString(String(family)),
      weight: (position + 1) * 100,
      style: styleNumber,
      cachedFaceId: "",
    },
  };
}

function keypoints(type: "NumberSequence" | "ColorSequence", json: unknown): FileValue | undefined {
  const points = isRecord(json) ? json["keypoints"] : undefined;
  if (!Array.isArray(points)) return undefined;
  const parts = points.map((point) => {
    if (!isRecord(point)) return undefined;
    return type === "NumberSequence"
      ? numbersOf([point["time"], point["value"], point["envelope"]], 3)
      : listsOf([[point["time"]], point["color"], [0]], [1, 3, 1]);
  });
  return parts.includes(undefined) ? undefined : { type, value: parts.flatMap((part) => part ?? []) };
}

function bits(type: "Faces" | "Axes", names: readonly string[], json: unknown): FileValue | undefined {
  if (!Array.isArray(json)) return undefined;
  return { type, value: json.reduce<number>((sum, name) => sum | (1 << names.indexOf(String(name))), 0) };
}

const base64 = (type: "String" | "SharedString", json: unknown): FileValue | undefined =>
  typeof json === "string" ? { type, value: byteStringOf(Buffer.from(json, "base64")) } : undefined;

const TAGGED: Readonly<Record<string, (json: unknown) => FileValue | undefined>> = {
  Content: content,
  BinaryString: (json) => base64("String", json),
  SharedString: (json) => base64("SharedString", json),
  Faces: (json) => bits("Faces", FACES, json),
  Axes: (json) => bits("Axes", AXES, json),
  NumberSequence: (json) => keypoints("NumberSequence", json),
  ColorSequence: (json) => keypoints("ColorSequence", json),
  CFrame: frame,
  Ray: (json) =>
    isRecord(json) ? tuple("Ray", listsOf([json["origin"], json["direction"]], [3, 3])) : undefined,
  OptionalCFrame: (json) => (json === null ? { type: "OptionalCFrame", value: null } : frame(json)),
  EnumItem: (json) => {
    if (!isRecord(json)) return undefined;
    const { type: enumName, value } = json;
    if (typeof enumName !== "string" || typeof value !== "number") return undefined;
    return { type: "EnumItem", value: { enumName, number: value } };
  },
  PhysicalProperties: (json) => {
    if (json === "Default") return { type: "PhysicalProperties", value: null };
    if (!isRecord(json)) return undefined;
    const value = numbersOf(
      PHYSICAL_NAMES.map((part) => json[part]),
      PHYSICAL_NAMES.length,
    );
    return value && { type: "PhysicalProperties", value };
  },
};
