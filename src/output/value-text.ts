/** Writes a serialized Luau value for people, in a notation close to Luau's own. Not meant to be read back. */
import { isTagged } from "../protocol/values.ts";
import type { SerializedValue, TaggedValue } from "../protocol/values.ts";
import type { Style } from "../util/style.ts";
import { cells } from "../util/text-width.ts";
import { visibleOnOneLine } from "../util/visible-controls.ts";

const WIDTH = 72;
const INDENT = "  ";
const IDENTIFIER = /^[A-Za-z_][A-Za-z0-9_]*$/;

/** How the kinds of values are told apart by colour. */
interface Paint {
  text(text: string): string;
  /** Numbers, booleans and the members of enums. */
  constant(text: string): string;
  nil(text: string): string;
  instance(text: string): string;
}

const asItIs = (text: string) => text;
const noPaint: Paint = { text: asItIs, constant: asItIs, nil: asItIs, instance: asItIs };

/** A string stands for itself; strings within tables are quoted. */
export function valueText(value: SerializedValue): string {
  return typeof value === "string" ? value : new ValueWriter(noPaint, WIDTH).nested(value, "");
}

/** Quotes every string, so that `"5"` differs from 5, colours each kind of value, and fits the screen. */
export function literalText(value: SerializedValue, style: Style): string {
  const { green: text, yellow: constant, dim: nil, cyan: instance } = style;
  const width = Math.min(WIDTH, style.columns);
  return new ValueWriter({ text, constant, nil, instance }, width).nested(value, "");
}

class ValueWriter {
  readonly #paint: Paint;
  /** A table that is wider takes a line for each item. */
  readonly #width: number;

  constructor(paint: Paint, width: number) {
    this.#paint = paint;
    this.#width = width;
  }

  nested(value: SerializedValue, indent: string): string {
    if (value === null) return this.#paint.nil("nil");
    if (typeof value === "string") return this.#paint.text(quote(value));
    if (typeof value !== "object") return this.#paint.constant(plain(value));
    if (Array.isArray(value)) {
      const items = value.map((item) => this.nested(item, indent + INDENT));
      return this.#braces(items, indent);
    }
    if (isTagged(value)) return this.#tagged(value, indent);
    const fields = Object.entries(value).map(
      ([key, item]) =>
        `${IDENTIFIER.test(key) ? key : `[${quote(key)}]`} = ${this.nested(item, indent + INDENT)}`,
    );
    return this.#braces(fields, indent);
  }

  #tagged(value: TaggedValue, indent: string): string {
    const { nil, constant, instance } = this.#paint;
    const field = (name: string) => visibleOnOneLine(plain(value[name]));
    switch (value.type) {
      case "nil":
        return nil("nil");
      case "number":
        return constant(field("value"));
      case "EnumItem":
        return constant(`Enum.${field("enum")}.${field("name")}`);
      case "Enum":
        return constant(`Enum.${field("name")}`);
      case "BrickColor":
        return `BrickColor(${quote(plain(value["name"]))})`;
      case "Instance":
        return instance(`${field("path") || field("name") || "Instance"} (${field("className")})`);
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
        return this.#tableEntries(value["entries"], indent);
      default:
        return `${value.type}(${visibleOnOneLine(components(value))})`;
    }
  }

  #tableEntries(entries: unknown, indent: string): string {
    if (!Array.isArray(entries)) return "{}";
    const inner = indent + INDENT;
    const items = entries.map((entry: readonly SerializedValue[]) => {
      const [key = null, item = null] = entry;
      const isName = typeof key === "string" && IDENTIFIER.test(key);
      return `${isName ? key : `[${this.nested(key, inner)}]`} = ${this.nested(item, inner)}`;
    });
    return this.#braces(items, indent);
  }

  #braces(items: readonly string[], indent: string): string {
    if (items.length === 0) return "{}";
    const oneLine = `{${items.join(", ")}}`;
    if (cells(oneLine) + indent.length <= this.#width && !oneLine.includes("\n")) return oneLine;
    const inner = indent + INDENT;
    return `{\n${items.map((item) => `${inner}${item},\n`).join("")}${indent}}`;
  }
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
  if (typeof value === "number") return shortNumber(value);
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}

/** Most properties store seven digits: `0.3`, where the number is 0.30000001192092896. */
export function shortNumber(value: number): string {
  if (Number.isInteger(value) || Math.fround(value) !== value) return String(value);
  for (let digits = 1; digits < 9; digits += 1) {
    const short = Number(value.toPrecision(digits));
    if (Math.fround(short) === value) return String(short);
  }
  return String(value);
}

function quote(text: string): string {
  return `"${visibleOnOneLine(text.replaceAll("\\", "\\\\").replaceAll('"', '\\"'))}"`;
}

function byteCount(base64: string): number {
  return Math.floor((base64.replace(/=+$/, "").length * 3) / 4);
}
