/** JSON values as they arrive, of unknown shape, and ways to look into them and to write them as one line. */

export type JsonObject = { readonly [key: string]: unknown };

/** Whether it is a JSON object; arrays and null are not. */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** One line, also for readers that end lines at U+0085, U+2028 or U+2029, which JSON allows inside strings. */
export function jsonLine(value: unknown): string {
  const json = JSON.stringify(value);
  const isPlain = json.search(/[\u0085\u2028\u2029]/) === -1;
  return `${isPlain ? json : json.replaceAll(/[\u0085\u2028\u2029]/g, escaped)}\n`;
}

const escaped = (character: string) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;

/** The member if it is an object. */
export function objectIn(value: unknown, key: string): JsonObject | undefined {
  const member = isObject(value) ? value[key] : undefined;
  return isObject(member) ? member : undefined;
}

/** The member if it is a string. */
export function stringIn(value: unknown, key: string): string | undefined {
  const member = isObject(value) ? value[key] : undefined;
  return typeof member === "string" ? member : undefined;
}
