/**
 * Checks a data store that a person may have written by hand, because headless Studio would take a field with another name or
 * type as absent. Each check returns the fault as the end of a sentence, undefined for none.
 */
import { placeOf, TextFault } from "../../util/text-fault.ts";

type Fields = Readonly<
  Record<string, { readonly expected: string; readonly fits: (value: unknown) => boolean }>
>;

const isText = (value: unknown): boolean => typeof value === "string";
const isTime = (value: unknown): boolean => Number.isFinite(value);
const isObject = (value: unknown): value is object =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const STORE_FIELDS: Fields = {
  kind: { expected: '"standard" or "ordered"', fits: (value) => value === "standard" || value === "ordered" },
  name: { expected: "the name of a data store", fits: isText },
  scope: { expected: "the scope of a data store", fits: isText },
  keys: { expected: "an object", fits: isObject },
};

const VERSION_FIELDS: Fields = {
  value: { expected: "a value", fits: () => true },
  deleted: { expected: "true or false", fits: (value) => typeof value === "boolean" },
  version: { expected: "a text", fits: isText },
  created: { expected: "a time in milliseconds", fits: isTime },
  updated: { expected: "a time in milliseconds", fits: isTime },
  userIds: {
    expected: "a list of user ids",
    fits: (value) => Array.isArray(value) && value.every(Number.isInteger),
  },
  metadata: { expected: "an object", fits: isObject },
};

/** The fault of a file's content, apart from its versions. */
export function storeFault(content: unknown): string | undefined {
  if (!isObject(content)) return 'expected { "name": …, "keys": … }';
  return fieldFault(
    { kind: "standard", name: undefined, scope: "global", keys: undefined, ...content },
    STORE_FIELDS,
  );
}

/** The fault of a version of a key. */
export function versionFault(version: unknown, isOrdered: boolean): string | undefined {
  if (!isObject(version) || !("value" in version || "deleted" in version)) return 'expected { "value": … }';
  if (isOrdered && "value" in version && !Number.isInteger(version.value))
    return "value: expected a whole number, because the data store is ordered";
  return fieldFault({ ...version }, VERSION_FIELDS);
}

function fieldFault(values: Readonly<Record<string, unknown>>, fields: Fields): string | undefined {
  for (const [name, value] of Object.entries(values)) {
    const field = Object.hasOwn(fields, name) ? fields[name] : undefined;
    if (field === undefined)
      return `${JSON.stringify(name)} is not known; known fields are ${Object.keys(fields).join(", ")}`;
    if (!field.fits(value)) return `${name}: expected ${field.expected}`;
  }
  return undefined;
}

/** Why a text is no JSON, with the place. */
export function jsonFault(text: string): string {
  // Its parser is loaded only for a fault, because a headless Studio starts without it.
  const { parseJsonc }: typeof import("../../util/jsonc.ts") = require("../../util/jsonc.ts");
  try {
    parseJsonc(text);
  } catch (error) {
    if (!(error instanceof TextFault)) throw error;
    const { line, column } = placeOf(text, error.offset);
    return `not JSON: line ${line}, column ${column}: ${error.message}`;
  }
  return text.trim() === ""
    ? "not JSON: the file is empty"
    : "not JSON, which has no comments and no trailing commas";
}
