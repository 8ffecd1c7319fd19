/** Writes a serialized Luau value for people, in a notation close to Luau's own. Not meant to be read back. */
import { isTagged } from "../../protocol/values.ts";
import type { SerializedValue, TaggedValue } from "../../protocol/values.ts";
import { visibleControls } from "../../util/visible-controls.ts";

const WIDTH = 72;
const INDENT = "  ";
const IDENTIFIER = /^[A-Za-z_][A-Za-z0-9_]*$/;

/** A string stands for itself; strings within tables are quoted. */
export function valueText(value: SerializedValue): string {
  return typeof value === "string" ? value : nested(value, "");
}

function nested(value: SerializedValue, indent: string): string {
  if (value === null) return "nil";
  if (typeof value === "string") return quote(value);
  if (typeof value !== "object") return String(value);
  if (Array.isArray(value))
    return braces(
      value.map((item) => nested(item, indent + INDENT)),
      indent,
    );
  if (isTagged(value)) return tagged(value, indent);
  const fields = Object.entries(value).map(
    ([key, item]) => `${IDENTIFIER.test(key) ? key : `[${quote(key)}]`} = ${nested(item, indent + INDENT)}`,
  );
  return braces(fields, indent);
}

function braces(items: readonly string[], indent: string): string {
  if (items.length === 0) return "{}";
  const oneLine = `{${items.join(", ")}}`;
  if (oneLine.length + indent.length <= WIDTH && !oneLine.includes("\n")) return oneLine;
  const inner = indent + INDENT;
  return `{\n${items.map((item) => `${inner}${item},\n`).join("")}${indent}}`;
}

function tagged(value: TaggedValue, indent: string): string {
  const field = (name: string) => plain(value[name]);
  switch (value.type) {
    case "nil":
      return "nil";
    case "number":
      return field("value");
    case "EnumItem":
      return `Enum.${field("enum")}.${field("name")}`;
    case "Enum":
      return `Enum.${field("name")}`;
    case "BrickColor":
      return `BrickColor(${quote(field("name"))})`;
    case "Instance":
      return `${field("path") || field("name") || "Instance"} (${field("className")})`;
    case "function":
      return `function ${field("name")}`.trimEnd();
    case "bytes":
    case "buffer":
      return `${value.type} (${byteCount(field("base64"))} bytes)`;
    case "ref":
      return "(table above)";
    case "Unsupported":
      return field("toString") || field("typeName");
    case "table":
      return tableEntries(value["entries"], indent);
    default:
      return `${value.type}(${components(value)})`;
  }
}

function tableEntries(entries: unknown, indent: string): string {
  if (!Array.isArray(entries)) return "{}";
  const inner = indent + INDENT;
  const items = entries.map((entry: readonly SerializedValue[]) => {
    const [key = null, item = null] = entry;
    const isName = typeof key === "string" && IDENTIFIER.test(key);
    return `${isName ? key : `[${nested(key, inner)}]`} = ${nested(item, inner)}`;
  });
  return braces(items, indent);
}

/** The numbers of a datatype, or its named fields. */
function components(value: TaggedValue): string {
  const { type: _, ...fields } = value;
  const [only, second] = Object.entries(fields);
  if (only !== undefined && second === undefined) return plain(only[1]);
  return Object.entries(fields)
    .map(([name, field]) => `${name} = ${plain(field)}`)
    .join(", ");
}

function plain(value: unknown): string {
  if (Array.isArray(value)) return value.map(plain).join(", ");
  if (value === null || value === undefined) return "";
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}

function quote(text: string): string {
  return `"${visibleControls(text.replaceAll("\\", "\\\\").replaceAll('"', '\\"').replaceAll("\n", "\\n"))}"`;
}

function byteCount(base64: string): number {
  return Math.floor((base64.replace(/=+$/, "").length * 3) / 4);
}
