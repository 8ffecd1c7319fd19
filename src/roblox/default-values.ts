/** The values that properties have unless something sets them, read from the class data. */
import { byteStringOf, utf8ByteString } from "../util/bytes.ts";
import { AXES, FACES, type FileValue } from "./model.ts";
import { DATATYPES, isTupleType } from "../values/datatypes.ts";
import { FONT_STYLES, FONT_WEIGHTS } from "./fonts.ts";
import type { FileSchema } from "./schema.ts";

const NUMBERS = { float: "Float32", double: "Float64", int: "Int32" } as const;
const REGULAR = 400;

/** Undefined where the class data knows neither a default nor a type whose zero is sure. */
export function defaultValue(schema: FileSchema, className: string, name: string): FileValue | undefined {
  const property = schema.property(className, name);
  if (property?.kind !== "property") return undefined;
  const text = schema.defaultText(className, property.name);
  return text === undefined ? zeroOf(property.type) : parseDefault(property.type, text);
}

/** What files hold at first for a property that no script sees; undefined where that is a kind of zero. */
export function hiddenDefaultValue(
  schema: FileSchema,
  className: string,
  fileName: string,
): FileValue | undefined {
  const text = schema.hiddenDefaultText(className, fileName);
  const type = schema.property(className, fileName)?.type ?? "";
  if (text === undefined) return undefined;
  if (type === "BinaryString" || type === "SharedString")
    return { type, value: byteStringOf(Buffer.from(decodeURIComponent(text), "base64")) };
  return parseDefault(scriptType(type), text);
}

/** The name of a type where scripts see the property; the class data names those of other properties as files do. */
export const scriptType = (type: string): string => SCRIPT_TYPES[type] ?? type;

const SCRIPT_TYPES: Readonly<Record<string, string>> = {
  Bool: "bool",
  Float32: "float",
  Float64: "double",
  Int32: "int",
  Int64: "int64",
  String: "string",
};

/** What a property without a default starts as. */
function zeroOf(type: string): FileValue | undefined {
  if (type === "string") return { type: "String", value: "" };
  if (type === "ContentId") return { type: "ContentId", value: "" };
  if (type === "Content") return { type: "Content", value: { kind: "none" } };
  return type === "PhysicalProperties" ? { type, value: null } : undefined;
}

const isNumberType = (type: string): type is keyof typeof NUMBERS => Object.hasOwn(NUMBERS, type);

function parseDefault(type: string, text: string): FileValue | undefined {
  if (type.startsWith("Enum.")) return { type: "Enum", value: Number(text) };
  if (isNumberType(type)) {
    const value = numberOf(text);
    return { type: NUMBERS[type], value: type === "float" ? Math.fround(value) : value };
  }
  if (type === "ColorSequence") return { type, value: colorPoints(componentsOf(text)) };
  if (isTupleType(type)) return { type, value: componentsOf(text) };
  switch (type) {
    case "bool":
      return { type: "Bool", value: text === "true" };
    case "int64":
    case "SecurityCapabilities":
      return { type: type === "int64" ? "Int64" : type, value: BigInt(text) };
    case "string":
      return { type: "String", value: textOf(text) };
    case "ContentId":
      return { type: "ContentId", value: textOf(text) };
    case "Content":
      return {
        type: "Content",
        value: text === "" ? { kind: "none" } : { kind: "uri", uri: textOf(text) },
      };
    case "BrickColor":
      return { type: "BrickColor", value: Number(text) };
    case "Font":
      return fontOf(text.split(" "));
    case "Faces":
    case "Axes":
      return { type, value: bitsOf(type === "Faces" ? FACES : AXES, text.split(" ")) };
    case "PhysicalProperties":
      return { type, value: componentsOf(text) };
    default:
      return undefined;
  }
}

/** Of 32 bits, as files have them. */
const componentsOf = (text: string): number[] => text.split(" ").map((each) => Math.fround(numberOf(each)));

const numberOf = (text: string): number => (text === "inf" ? Infinity : Number(text));

const textOf = (text: string): string => utf8ByteString(decodeURIComponent(text));

/** The class data leaves out the envelope that each colour point has in files. */
function colorPoints(numbers: readonly number[]): number[] {
  const points: number[] = [];
  const size = DATATYPES.ColorSequence.fields.length;
  for (let at = 0; at < numbers.length; at += size) points.push(...numbers.slice(at, at + size), 0);
  return points;
}

function fontOf([family = "", weight = "", style = ""]: readonly string[]): FileValue {
  const position = FONT_WEIGHTS.indexOf(weight);
  return {
    type: "Font",
    value: {
      family: textOf(family),
      weight: position < 0 ? REGULAR : (position + 1) * 100,
      style: Math.max(FONT_STYLES.indexOf(style), 0),
      cachedFaceId: "",
    },
  };
}

const bitsOf = (all: readonly string[], names: readonly string[]): number =>
  names.reduce((sum, name) => (all.includes(name) ? sum | (1 << all.indexOf(name)) : sum), 0);
