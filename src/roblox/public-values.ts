/**
 * Values of file trees as all commands give them in JSON: the tagged form of docs/protocol.md. Both sides of a comparison
 * have one text for one value, that which Studio would give once it holds the value.
 */
import { isTagged, type SerializedValue } from "../protocol/values.ts";
import { bytesOf, textOfByteString } from "../util/bytes.ts";
import type { FileValue } from "./model.ts";
import { BRICK_COLORS } from "./named-values.ts";
import type { FileSchema } from "./schema.ts";
import { attributeOfWire, attributeToWire, propertyOfWire, propertyToWire } from "./wire-values.ts";

/** Of a property by its own name, or by that of files. */
export function publicProperty(
  schema: FileSchema,
  className: string,
  name: string,
  value: FileValue,
): SerializedValue {
  const sent = propertyToWire(schema, className, name, value);
  if (sent === undefined) return publicAttribute(schema, value);
  const held = propertyOfWire(schema, className, name, sent);
  const wire = held === undefined ? undefined : propertyToWire(schema, className, name, held);
  const type = schema.property(className, name)?.type ?? "";
  return asStudioGives(schema, wire ?? sent, type);
}

/** Of a value without a declared type, such as that of an attribute. */
export function publicAttribute(schema: FileSchema, value: FileValue): SerializedValue {
  const sent = attributeToWire(schema, value);
  if (sent === undefined) return publicOfFiles(schema, value);
  const held = attributeOfWire(sent);
  const wire = held === undefined ? undefined : attributeToWire(schema, held);
  return asStudioGives(schema, wire ?? sent, "");
}

const colorNames = new Map<unknown, string>(BRICK_COLORS.map(([number, name]) => [number, name]));

/** Values that are sent need no names, and the bytes of a colour have more digits than Studio keeps. */
function asStudioGives(schema: FileSchema, wire: SerializedValue, type: string): SerializedValue {
  if (typeof wire === "number") return enumItemOf(schema, wire, type);
  if (wire === null || typeof wire !== "object" || !isTagged(wire)) return wire;
  const { value } = wire;
  if (wire.type === "BrickColor") return { type: wire.type, name: colorNames.get(value) ?? "", value };
  if (wire.type !== "Color3" || !Array.isArray(value)) return wire;
  return {
    type: wire.type,
    value: value.map((part) => (typeof part === "number" ? Math.fround(part) : part)),
  };
}

function enumItemOf(schema: FileSchema, value: number, type: string): SerializedValue {
  if (!type.startsWith(ENUM)) return value;
  const enumName = type.slice(ENUM.length);
  const name = schema.enumItemName(enumName, value);
  return name === undefined ? value : { type: "EnumItem", enum: enumName, name, value };
}

const ENUM = "Enum.";

/** What only files hold has the form of Luau's value that comes nearest. */
function publicOfFiles(schema: FileSchema, value: FileValue): SerializedValue {
  switch (value.type) {
    case "Opaque":
      return publicAttribute(schema, value.value);
    case "Attributes":
      return Object.fromEntries(
        [...value.value].map(([name, each]) => [textOfByteString(name), publicAttribute(schema, each)]),
      );
    case "Tags":
      return value.value.map(textOfByteString);
    case "EnumItem":
      return value.value.number;
    case "Content":
      return { type: "Content", sourceType: "Object" };
    case "OptionalCFrame":
    case "Ref":
      return { type: "nil" };
    case "SecurityCapabilities":
      return publicAttribute(schema, { type: "Int64", value: value.value });
    default:
      return typeof value.value === "string"
        ? { type: "bytes", base64: Buffer.from(bytesOf(value.value)).toString("base64") }
        : { type: "Unsupported", typeName: value.type, toString: String(value.value) };
  }
}
