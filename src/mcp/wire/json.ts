/** JSON values as they arrive: nothing is known about them but their shape. */

export type JsonObject = { readonly [key: string]: unknown };

/** An object; arrays and null are none. */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** One line: also for readers that take other characters for the end of a line, as JSON allows them in strings. */
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
