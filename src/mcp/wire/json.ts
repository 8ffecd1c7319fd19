/** JSON values as they arrive: nothing is known about them but their shape. */

export type JsonObject = { readonly [key: string]: unknown };

/** An object; arrays and null are none. */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

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
