// Reads the reflection database of rbx-dom: property types, scriptability, serialisation and default values.
// Turns every default into the flat text that the class data file carries.
import { reflection } from "rbx-dom";
import * as z from "zod";

const propertySchema = z.object({
  Scriptability: z.enum(["None", "Custom", "Read", "Write", "ReadWrite"]),
  DataType: z.union([z.object({ Value: z.string() }), z.object({ Enum: z.string() })]),
  Tags: z.array(z.string()),
  Kind: z.union([
    z.object({ Alias: z.object({ AliasFor: z.string() }) }),
    z.object({ Canonical: z.object({ Serialization: z.unknown() }) }),
  ]),
});

const classSchema = z.object({
  Superclass: z.string().nullish(),
  Tags: z.array(z.string()),
  Properties: z.record(z.string(), propertySchema),
  DefaultProperties: z.record(z.string(), z.record(z.string(), z.json())).default({}),
});

const databaseSchema = z.object({
  Classes: z.record(z.string(), classSchema),
  Enums: z.record(z.string(), z.object({ items: z.record(z.string(), z.number()) })),
});

export type StoredProperty = z.output<typeof propertySchema>;
export type StoredClass = z.output<typeof classSchema>;
export type Database = z.output<typeof databaseSchema>;
type Json = z.output<ReturnType<typeof z.json>>;

export function readDatabase(): Database {
  return databaseSchema.parse(reflection.database());
}

/** How the engine's type names are written in the class data. */
const TYPE_NAMES: Record<string, string> = {
  Bool: "bool",
  String: "string",
  BinaryString: "string",
  Int32: "int",
  Int64: "int64",
  Float32: "float",
  Float64: "double",
  OptionalCFrame: "CFrame",
};

export function storedType(property: StoredProperty): string {
  if ("Enum" in property.DataType) return `Enum.${property.DataType.Enum}`;
  return TYPE_NAMES[property.DataType.Value] ?? property.DataType.Value;
}

export function aliasOf(property: StoredProperty): string | undefined {
  return "Alias" in property.Kind ? property.Kind.Alias.AliasFor : undefined;
}

export function serializes(property: StoredProperty): boolean {
  return "Canonical" in property.Kind && property.Kind.Canonical.Serialization !== "DoesNotSerialize";
}

/** Keeps text clear of the separators of the class data file, and of anything outside ASCII. */
export function escapeText(text: string): string {
  return text.replace(/[^!-~]|[%|,:]/gu, (char) =>
    [...new TextEncoder().encode(char)].map((byte) => `%${byte.toString(16).padStart(2, "0")}`).join(""),
  );
}

/**
 * A default value as flat, space-separated components in constructor order; undefined for "no value". Numbers of 32 bits have
 * as few digits as tell them apart (196.2), and who reads them rounds them to 32 bits.
 */
export function defaultText(value: Record<string, Json>): string | undefined {
  const [entry] = Object.entries(value);
  if (entry === undefined) return undefined;
  const [type, content] = entry;
  // rbx-dom's JSON has no infinity, and the only numbers it cannot write are infinite ones.
  if (content === null) return type.startsWith("Float") ? "inf" : undefined;
  if (type === "PhysicalProperties" && content === "Default") return undefined;
  if (type === "Content" && content === "None") return "";
  if (type === "Font" && typeof content === "object" && !Array.isArray(content)) {
    return flatten([content["family"] ?? "", content["weight"] ?? "", content["style"] ?? ""]).join(" ");
  }
  const components = flatten(content);
  if (type === "Color3uint8") return components.map((byte) => String(Number(byte) / 255)).join(" ");
  return components.join(" ");
}

function flatten(value: Json): string[] {
  // As above, in a vector.
  if (value === null) return ["inf"];
  if (typeof value === "object") return Object.values(value).flatMap(flatten);
  return [typeof value === "string" ? escapeText(value) : String(value)];
}
