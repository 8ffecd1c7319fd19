/** Values of aspects as JSON, for people and agents who look at a plan, and for the values that they expect. */
import type { FileValue } from "../../roblox/model.ts";
import type { RojoNode } from "../../roblox/rojo/node.ts";
import { textOfByteString } from "../../util/bytes.ts";
import type { AspectValue } from "../types.ts";
import type { Entries } from "./entries.ts";
import type { ItemPaths } from "./item-path.ts";

export type JsonValue =
  string | number | boolean | null | readonly JsonValue[] | { readonly [key: string]: JsonValue };

/** `null` for an Instance outside of the project. */
export function aspectJson(value: AspectValue, entries: Entries, paths: ItemPaths): JsonValue {
  switch (value.type) {
    case "text":
    case "flag":
      return value.value;
    case "instance":
      return instanceJson(value.value, entries, paths);
    case "value":
      return valueJson(value.value);
  }
}

function instanceJson(node: RojoNode | null, entries: Entries, paths: ItemPaths): JsonValue {
  const entry = node === null ? undefined : entries.of(node);
  return entry === undefined ? null : { type: "Instance", path: paths.of(entry) };
}

/** Texts, booleans and numbers are plain; every other value says its type. */
export function valueJson(value: FileValue): JsonValue {
  switch (value.type) {
    case "String":
    case "ProtectedString":
    case "ContentId":
      return textOfByteString(value.value);
    case "Bool":
      return value.value;
    case "Int32":
    case "Float32":
    case "Float64":
      return numberJson(value.value);
    case "Int64":
    case "SecurityCapabilities":
      return { type: value.type, value: String(value.value) };
    case "Opaque":
      return valueJson(value.value);
    default:
      return { type: value.type, value: plainJson(value.value) };
  }
}

/** JSON has no infinity. */
const numberJson = (value: number): JsonValue =>
  Number.isFinite(value) ? value : { type: "number", value: String(value) };

function plainJson(value: unknown): JsonValue {
  if (typeof value === "string") return /^[\x20-\x7e]*$/.test(value) ? value : base64(value);
  if (typeof value === "number") return numberJson(value);
  if (typeof value === "boolean" || value === null) return value;
  if (Array.isArray(value)) return value.map(plainJson);
  if (value instanceof Map) return plainJson(Object.fromEntries(value));
  if (typeof value !== "object") return String(value);
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, plainJson(part)]));
}

const base64 = (bytes: string): JsonValue => ({ base64: Buffer.from(bytes, "latin1").toString("base64") });
