/** Values as Luau source: frozen tables, one field a line. */

export type Literal = string | number | boolean | readonly Literal[] | { readonly [key: string]: Literal };

/** These cannot be the name of a field without quotes. */
const KEYWORDS = new Set(
  "and break do else elseif end false for function if in local nil not or repeat return then true until while".split(
    " ",
  ),
);

export function luauLiteral(value: Literal, indent = ""): string {
  if (typeof value === "string") return JSON.stringify(value);
  if (typeof value !== "object") return String(value);
  const inner = `${indent}\t`;
  const fields = Array.isArray(value)
    ? value.map((item: Literal) => `${inner}${luauLiteral(item, inner)},\n`)
    : Object.entries(value).map(
        ([key, item]) => `${inner}${fieldName(key)} = ${luauLiteral(item, inner)},\n`,
      );
  if (fields.length === 0) return "table.freeze({})";
  return `table.freeze({\n${fields.join("")}${indent}})`;
}

function fieldName(key: string): string {
  return /^[A-Za-z_]\w*$/.test(key) && !KEYWORDS.has(key) ? key : `[${JSON.stringify(key)}]`;
}

/** A strict module that returns these constants, and after them `extra` lines of fields. */
export function luauConstants(
  source: string,
  constants: { readonly [name: string]: Literal },
  extra: readonly string[] = [],
): string {
  const fields = Object.entries(constants).map(
    ([name, value]) => `\t${name} = ${luauLiteral(value, "\t")},\n`,
  );
  return [
    "--!strict\n",
    `-- Generated from ${source} by \`npm run gen\`. Never edited by hand.\n`,
    "\n",
    "return table.freeze({\n",
    ...fields,
    ...extra.map((line) => `\t${line}\n`),
    "})\n",
  ].join("");
}
