/** Data of JSON, TOML and YAML files as the Luau source of a ModuleScript that returns it. */

/** How deep a document may be; Luau's own parser gives up later than this. */
const MAX_DEPTH = 100;
const IDENTIFIER = /^[A-Za-z_]\w*$/;
const KEYWORDS = new Set(
  "and break do else elseif end false for function if in local nil not or repeat return then true until while".split(
    " ",
  ),
);

export const moduleSource = (data: unknown, order: KeyOrder): string =>
  `return ${literal(data, order, 0, "")}`;

/** Rojo sorts the keys of JSON and TOML. */
export type KeyOrder = "sorted" | "as written";

function literal(value: unknown, order: KeyOrder, depth: number, indent: string): string {
  if (depth > MAX_DEPTH) throw new Error(`it is nested more than ${MAX_DEPTH} deep`);
  if (value === null || value === undefined) return "nil";
  if (typeof value === "boolean") return String(value);
  if (typeof value === "number" || typeof value === "bigint") return numberLiteral(Number(value));
  if (typeof value === "string") return stringLiteral(value);
  if (Array.isArray(value))
    return `{${value.map((entry) => literal(entry, order, depth + 1, indent)).join(", ")}}`;
  if (!isTable(value)) return stringLiteral(String(value));
  const inner = `${indent}\t`;
  const entries: (readonly [unknown, unknown])[] = value instanceof Map ? [...value] : Object.entries(value);
  if (order === "sorted") entries.sort(([a], [b]) => (String(a) < String(b) ? -1 : 1));
  const lines = entries.map(
    ([key, entry]) => `${inner}${keyText(key)} = ${literal(entry, order, depth + 1, inner)},\n`,
  );
  return `{\n${lines.join("")}${indent}}`;
}

/** The dates and times of TOML are objects too, which say themselves as text. */
const isTable = (value: object): boolean =>
  value instanceof Map || Object.prototype.toString.call(value) === "[object Object]";

/** JSON and TOML have no other keys than texts. */
function keyText(key: unknown): string {
  if (typeof key === "number") return `[${numberLiteral(key)}]`;
  if (typeof key === "boolean") return `[${key}]`;
  const text = String(key);
  return IDENTIFIER.test(text) && !KEYWORDS.has(text) ? text : `[${stringLiteral(text)}]`;
}

function numberLiteral(value: number): string {
  if (Number.isNaN(value)) return "0/0";
  if (!Number.isFinite(value)) return value > 0 ? "math.huge" : "-math.huge";
  return Object.is(value, -0) ? "-0" : plainDecimal(String(value));
}

/** Rojo writes numbers without exponents, however many zeros that takes. */
function plainDecimal(text: string): string {
  const [, sign = "", whole = "", fraction = "", exponent] =
    /^(-?)(\d+)(?:\.(\d+))?e([+-]\d+)$/.exec(text) ?? [];
  if (exponent === undefined) return text;
  const digits = whole + fraction;
  const point = whole.length + Number(exponent);
  if (point <= 0) return `${sign}0.${"0".repeat(-point)}${digits}`;
  return `${sign}${digits.padEnd(point, "0")}`;
}

const ESCAPES: Readonly<Record<string, string>> = {
  '"': '\\"',
  "\\": "\\\\",
  "\n": "\\n",
  "\r": "\\r",
  "\t": "\\t",
};

const stringLiteral = (text: string): string =>
  `"${text.replace(/["\\\n\r\t]|[\0-\x1f\x7f]/g, (character) => ESCAPES[character] ?? `\\x${hex(character)}`)}"`;

const hex = (character: string): string => character.charCodeAt(0).toString(16).padStart(2, "0");
