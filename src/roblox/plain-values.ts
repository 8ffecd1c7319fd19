/**
 * Reads the JSON that people and agents write for a value, by the type of the property: `[0, 5, 0]`, `"#ff8800"`,
 * `"Neon"`, or the tagged form. The plugin's Changes/Values.luau reads the same forms, and decides where values are set.
 */
import { isTagged, type SerializedValue } from "../protocol/values.ts";
import { type Datatype, datatype, wholeForm } from "../values/datatypes.ts";
import { luauNumber } from "../util/luau-number.ts";
import type { FileValue } from "./model.ts";
import { BRICK_COLORS, NAMED_FONTS } from "./named-values.ts";
import type { FileSchema } from "./schema.ts";
import { attributeOfWire, propertyOfWire } from "./wire-values.ts";

/** One number stands for the same at every keypoint. */
const CONSTANT = "NumberSequence";
/** Written as one number, although they are not made of numbers. */
const ONE_NUMBER = new Set(["BrickColor", "DateTime"]);

/** The numbers of a list, a list of lists or a text, where so many make a value of the type. */
export function plainNumbers(typeName: string, json: unknown): readonly number[] | undefined {
  const row = datatype(typeName);
  if (row === undefined && !ONE_NUMBER.has(typeName)) return undefined;
  const numbers = numbersIn(json);
  const count = numbers?.length ?? 0;
  return countFits(typeName, row, count) ? numbers : undefined;
}

function countFits(typeName: string, row: Datatype | undefined, count: number): boolean {
  if (row === undefined) return count === 1;
  const { fields, isSequence, shorter } = row;
  if (isSequence === undefined) return count === fields.length || shorter?.[count] !== undefined;
  return (
    (count >= 2 * fields.length && count % fields.length === 0) || (count === 1 && typeName === CONSTANT)
  );
}

/** The words of a text that could be numbers. */
export const wordsIn = (value: unknown): readonly string[] =>
  typeof value === "string" ? value.split(/[\s,;{}()]+/).filter((word) => word !== "") : [];

function numbersIn(value: unknown): readonly number[] | undefined {
  if (typeof value === "number") return [value];
  const parts = Array.isArray(value)
    ? value.map(numbersIn)
    : typeof value === "string"
      ? wordsIn(value).map((word) =>
          luauNumber(word) === undefined ? undefined : [Number(luauNumber(word))],
        )
      : [undefined];
  const numbers: number[] = [];
  for (const part of parts) {
    if (part === undefined) return undefined;
    numbers.push(...part);
  }
  return typeof value === "string" && numbers.length === 0 ? undefined : numbers;
}

/** The inner text of `Vector3(0, 5, 0)`, which results show, and of `Vector3.new(0, 5, 0)`. */
export function withoutTypeName(text: string, typeName: string): string {
  for (const start of [`${typeName}(`, `${typeName}.new(`])
    if (text.startsWith(start) && text.endsWith(")")) return text.slice(start.length, -1);
  return text;
}

/** Undefined for what does not fit the property, and for what no file holds. */
export function propertyOfJson(
  schema: FileSchema,
  className: string,
  name: string,
  json: SerializedValue,
): FileValue | undefined {
  const property = schema.property(className, name);
  // What the class data does not list, such as the scale of a Model, is of the type that the JSON says.
  if (property?.kind !== "property") return attributeOfWire(json);
  const { type } = property;
  const wire =
    json !== null && typeof json === "object" && isTagged(json) ? json : tagged(schema, type, json);
  return wire === undefined ? undefined : propertyOfWire(schema, className, name, wire);
}

const ENUM = "Enum.";
const TEXTS = new Set(["string", "ContentId"]);

function tagged(schema: FileSchema, type: string, json: SerializedValue): SerializedValue | undefined {
  if (type === "bool") return typeof json === "boolean" ? json : undefined;
  if (type === "float" || type === "double") return numberOf(json);
  if (type === "int" || type === "int64")
    return Number.isInteger(numberOf(json)) ? numberOf(json) : undefined;
  if (TEXTS.has(type)) return typeof json === "string" || typeof json === "number" ? String(json) : undefined;
  if (type.startsWith(ENUM)) return enumNumber(schema, type, json);
  const plain = typeof json === "string" ? withoutTypeName(json, type) : json;
  const read = Object.hasOwn(IRREGULAR, type) ? IRREGULAR[type]?.(plain) : undefined;
  return read ?? taggedNumbers(type, plain);
}

const numberOf = (json: SerializedValue): number | undefined =>
  typeof json === "string" ? luauNumber(json) : typeof json === "number" ? json : undefined;

function enumNumber(schema: FileSchema, type: string, json: SerializedValue): number | undefined {
  const enumName = type.slice(ENUM.length);
  if (typeof json === "number") return json;
  if (typeof json !== "string") return undefined;
  return schema.enumNumber(enumName, json.startsWith(`${type}.`) ? json.slice(type.length + 1) : json);
}

function taggedNumbers(type: string, json: SerializedValue): SerializedValue | undefined {
  const numbers = plainNumbers(type, json);
  // Parts above 1 nearly always mean 0 to 255; the tagged form takes them.
  if (numbers === undefined || (type === "Color3" && Math.max(...numbers) > 1)) return undefined;
  if (type === "BrickColor") return { type, name: "", value: numbers[0] };
  if (type === CONSTANT && numbers.length === 1) return { type, value: [0, ...numbers, 0, 1, ...numbers, 0] };
  return { type, value: wholeForm(type, numbers) };
}

function hexColor(json: SerializedValue): readonly number[] | undefined {
  const [, digits = ""] = (typeof json === "string" && /^#([\da-f]{3}|[\da-f]{6})$/i.exec(json)) || [];
  const size = digits.length / 3;
  if (size === 0) return undefined;
  return [0, 1, 2].map((at) => {
    const part = digits.slice(at * size, (at + 1) * size);
    return Number.parseInt(size === 1 ? part + part : part, 16) / 255;
  });
}

const withoutQuotes = (text: string): string => /^"(.*)"$/.exec(text)?.[1] ?? text;

function sides(type: string, json: SerializedValue): SerializedValue | undefined {
  if (Array.isArray(json)) return { type, value: json };
  return typeof json === "string"
    ? { type, value: json.split(",").flatMap((name) => (name.trim() === "" ? [] : [name.trim()])) }
    : undefined;
}

/** Given by its name in Enum.Font, by its family, by its fields, or as results show these. */
function font(json: SerializedValue): SerializedValue | undefined {
  const usual = { type: "Font", weight: "Regular", style: "Normal" };
  if (json !== null && typeof json === "object")
    return "family" in json ? { ...usual, ...json, type: "Font" } : undefined;
  if (typeof json !== "string") return undefined;
  const fields = [...json.matchAll(/(\w+) = ([^,]+)/g)].map(([, name = "", value = ""]) => [
    name,
    withoutQuotes(value),
  ]);
  if (fields.length > 0) return { ...usual, ...Object.fromEntries(fields) };
  const [, , file, weight, style] = NAMED_FONTS.find(([, name]) => name === json) ?? [];
  return file === undefined
    ? { ...usual, family: json }
    : { type: "Font", family: `rbxasset://fonts/families/${file}.json`, weight, style };
}

/** The types that are not written as numbers alone. */
const IRREGULAR: { readonly [type: string]: (json: SerializedValue) => SerializedValue | undefined } = {
  BrickColor: (json) => {
    const [number] = BRICK_COLORS.find(([, name]) => name === withoutQuotes(String(json))) ?? [];
    return number === undefined ? undefined : { type: "BrickColor", name: "", value: number };
  },
  Color3: (json) => {
    const value = hexColor(json);
    return value && { type: "Color3", value };
  },
  ColorSequence: (json) => {
    const color = hexColor(json);
    return color && { type: "ColorSequence", value: [0, ...color, 1, ...color] };
  },
  Content: (json) =>
    typeof json === "string" ? { type: "Content", sourceType: "Uri", uri: withoutQuotes(json) } : undefined,
  Faces: (json) => sides("Faces", json),
  Axes: (json) => sides("Axes", json),
  Font: font,
};
