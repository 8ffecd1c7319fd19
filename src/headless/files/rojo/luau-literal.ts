/** Data of JSON, TOML and YAML files as the Luau source of a ModuleScript that returns it. */

/** How deep a document may be; Luau's own parser gives up later than this. */
const MAX_DEPTH = 100;
const IDENTIFIER = /^[A-Za-z_]\w*$/;
const KEYWORDS = new Set(
  "and break do else elseif end false for function if in local nil not or repeat return then true until while".split(
    " ",
  ),
);

export const moduleSource = (data: unknown): string => `return ${literal(data, 0)}`;

function literal(value: unknown, depth: number): string {
  if (depth > MAX_DEPTH) throw new Error(`it is nested more than ${MAX_DEPTH} deep`);
  if (value === null || value === undefined) return "nil";
  if (typeof value === "boolean") return String(value);
  if (typeof value === "number" || typeof value === "bigint") return numberLiteral(Number(value));
  if (typeof value === "string") return stringLiteral(value);
  if (value instanceof Date) return stringLiteral(value.toISOString());
  const inner = "\t".repeat(depth + 1);
  const lines = Array.isArray(value)
    ? value.map((entry) => `${inner}${literal(entry, depth + 1)},\n`)
    : Object.entries(value).map(
        ([key, entry]) => `${inner}${keyText(key)} = ${literal(entry, depth + 1)},\n`,
      );
  return lines.length === 0 ? "{}" : `{\n${lines.join("")}${"\t".repeat(depth)}}`;
}

const keyText = (key: string): string =>
  IDENTIFIER.test(key) && !KEYWORDS.has(key) ? key : `[${stringLiteral(key)}]`;

function numberLiteral(value: number): string {
  if (Number.isNaN(value)) return "0/0";
  if (!Number.isFinite(value)) return value > 0 ? "math.huge" : "-math.huge";
  return String(value);
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
