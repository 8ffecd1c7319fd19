/**
 * Translates TypeScript types of @rbxts/types into Luau. A type that Luau cannot express, or that is unknown, becomes
 * `any`.
 */
import { splitOutside } from "./declared-interfaces.ts";

/** The names of classes and datatypes that the definitions declare. */
export type KnownTypes = ReadonlySet<string>;

const PRIMITIVES: Readonly<Record<string, string>> = {
  string: "string",
  number: "number",
  boolean: "boolean",
  true: "true",
  false: "false",
  undefined: "nil",
  void: "()",
  thread: "thread",
  buffer: "buffer",
  ContentId: "string",
  BinaryString: "string",
  ProtectedString: "string",
  SharedString: "string",
  RBXObject: "Object",
};

function optional(type: string): string {
  if (type === "any" || type.endsWith("?")) return type;
  return type.includes("->") || type.includes("|") ? `(${type})?` : `${type}?`;
}

function unionType(parts: readonly string[], known: KnownTypes): string {
  const types = [...new Set(parts.map((part) => luauType(part, known)))];
  if (types.includes("any") || types.includes("()")) return "any";
  const present = types.filter((type) => type !== "nil");
  const union = present.map((type) => (type.includes("->") ? `(${type})` : type)).join(" | ");
  return present.length === types.length ? union : optional(union);
}

/** `{ [string]: T }` and `{ T }`; undefined for what is no collection. */
function collectionType(type: string, known: KnownTypes): string | undefined {
  const [, generic, inner = ""] =
    /^(Array|ReadonlyArray|Record|Map|ReadonlyMap)<(.*)>$/.exec(type) ?? /^()(.*)\[\]$/.exec(type) ?? [];
  if (generic === undefined) return undefined;
  const [first = "unknown", second] = splitOutside(inner, ",");
  if (generic === "" || generic.endsWith("Array")) return `{ ${luauType(first, known)} }`;
  return `{ [${luauType(first, known)}]: ${luauType(second ?? "unknown", known)} }`;
}

/** The Luau type of `type`, whose line breaks count as spaces. */
export function luauType(type: string, known: KnownTypes): string {
  const text = type.trim();
  const parts = splitOutside(text, "|");
  if (parts.length > 1) return unionType(parts, known);
  const arrow = /^\((.*)\) => (.+)$/.exec(text);
  if (arrow !== null)
    return `(${parameterTypes(arrow[1] ?? "", known).join(", ")}) -> ${resultType(arrow[2] ?? "", known)}`;
  if (/^"[^"]*"$/.test(text)) return text;
  if (text.startsWith("RBXScriptSignal")) return "RBXScriptSignal";
  if (text.startsWith("Enum.")) return known.has(text.replace(".", "")) ? text.replace(".", "") : "EnumItem";
  const bare = text.startsWith("(") && text.endsWith(")") ? text.slice(1, -1) : undefined;
  if (bare !== undefined) return luauType(bare, known);
  return PRIMITIVES[text] ?? collectionType(text, known) ?? (known.has(text) ? text : "any");
}

/** What a function returns: several values for a LuaTuple, none for void. */
export function resultType(type: string, known: KnownTypes): string {
  const tuple = /^LuaTuple<\[(.*)\]>$/.exec(type.trim());
  if (tuple === null) return luauType(type, known);
  const values = splitOutside(tuple[1] ?? "", ",").map((value) => value.replace(/^\w+\??: /, ""));
  return `(${values.map((value) => luauType(value, known)).join(", ")})`;
}

function parameterType(parameter: string, known: KnownTypes): string {
  const [, rest, name = "", mark, type = "unknown"] =
    /^(\.\.\.)?(\w+)(\?)?(?:: (.*))?$/.exec(parameter) ?? [];
  if (rest !== undefined) {
    const items = collectionType(type, known);
    const item = items?.startsWith("{ [") === false ? items.slice(2, -2) : "any";
    return item.includes("|") ? `...(${item})` : `...${item}`;
  }
  const given = luauType(type, known);
  return `${name === "" ? "value" : luauName(name)}: ${mark === undefined ? given : optional(given)}`;
}

const RESERVED = new Set(["end", "function", "local", "nil", "not", "repeat", "then", "until"]);

function luauName(name: string): string {
  return RESERVED.has(name) ? `${name}_` : name;
}

/** The parameters of a function, without TypeScript's `this`. */
export function parameterTypes(parameters: string, known: KnownTypes): string[] {
  return splitOutside(parameters, ",")
    .filter((parameter) => !parameter.startsWith("this:"))
    .map((parameter) => parameterType(parameter, known));
}
