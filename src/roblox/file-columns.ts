/** Values as the columns of a file have them: of one type, with one for every Instance of the class. */
import { zeroOfTuple } from "../values/datatypes.ts";
import type { FileValue, ModelColumn, ValueType } from "./model.ts";

/** What a text of the binary format is in the XML format, which has an element for each, by the type of the property. */
const TEXTS: Readonly<Record<string, "BinaryString" | "ContentId">> = {
  BinaryString: "BinaryString",
  MaterialColors: "BinaryString",
  ContentId: "ContentId",
};
/** Blobs that Studio saves and the class data does not list. */
const UNLISTED_BLOBS = new Set(["LODData"]);

/** The binary format writes all texts alike, and all shared texts; the XML format tells them apart. */
export function asHidden(value: FileValue, name: string, type = ""): FileValue {
  if (value.type === "SharedString" && type === "NetAssetRef") return { type, value: value.value };
  if (value.type !== "String") return value;
  const textType = UNLISTED_BLOBS.has(name) ? "BinaryString" : TEXTS[type];
  return textType === undefined ? value : { type: textType, value: value.value };
}

/** Where an Instance has no value, the default, or the zero of the type that the others have. */
export function fill(
  values: readonly (FileValue | undefined)[],
  rows: readonly number[],
  usual: () => FileValue | undefined,
): ModelColumn | undefined {
  const kept = values.filter((value) => value !== undefined);
  const [first] = kept;
  if (first === undefined) return undefined;
  const positions = new Map(kept.map((value, index) => [value, index + 1]));
  const found = rows.map((row) => {
    const value = values[row - 1];
    return value === undefined ? undefined : positions.get(value);
  });
  const absent = found.includes(undefined) ? kept.push(valueOfType(first.type, usual())) : 0;
  return { values: kept, rows: found.map((row) => row ?? absent) };
}

const valueOfType = (type: ValueType, usual: FileValue | undefined): FileValue =>
  usual?.type === type ? usual : zeroOf(type);

function zeroOf(type: ValueType): FileValue {
  switch (type) {
    case "Bool":
      return { type, value: false };
    case "Int64":
    case "SecurityCapabilities":
      return { type, value: 0n };
    case "OptionalCFrame":
    case "PhysicalProperties":
      return { type, value: null };
    case "Ref":
      return { type, value: null };
    case "Content":
      return { type, value: { kind: "none" } };
    case "Font":
      return { type, value: { family: "", weight: 400, style: 0, cachedFaceId: "" } };
    case "UniqueId":
      return { type, value: "\0".repeat(16) };
    case "String":
    case "BinaryString":
    case "ProtectedString":
    case "ContentId":
    case "SharedString":
    case "NetAssetRef":
    case "Bytecode":
      return { type, value: "" };
    case "Int32":
    case "Float32":
    case "Float64":
    case "Enum":
    case "BrickColor":
    case "Faces":
    case "Axes":
      return { type, value: 0 };
    case "EnumItem":
    case "Attributes":
    case "Tags":
    case "Opaque":
      throw new Error(`files have no ${type}`);
    default:
      return { type, value: zeroOfTuple(type) };
  }
}

const NUMBER_TYPES: Readonly<Record<string, "Int32" | "Int64" | "Float32">> = {
  int: "Int32",
  int64: "Int64",
  float: "Float32",
};
const MAX_INT32 = 2 ** 31;
const MAX_INT64 = 2 ** 63;

const limited = (value: number, limit: number): number =>
  Number.isNaN(value) ? 0 : Math.min(Math.max(Math.trunc(value), -limit), limit - 1);

/** A number as the type of its property wants it. */
export function numberValue(value: number, type: string): FileValue {
  switch (NUMBER_TYPES[type]) {
    case "Int32":
      return { type: "Int32", value: limited(value, MAX_INT32) };
    case "Int64":
      return { type: "Int64", value: BigInt.asIntN(64, BigInt(limited(value, MAX_INT64))) };
    case "Float32":
      return { type: "Float32", value: Math.fround(value) };
    default:
      return { type: "Float64", value };
  }
}

export const colorBytes = (components: readonly number[]): FileValue => ({
  type: "Color3uint8",
  value: components.map((component) => Math.min(Math.max(Math.round(component * 255), 0), 255)),
});
