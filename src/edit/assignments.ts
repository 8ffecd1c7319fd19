/** Reads the NAME=VALUE words of `sb set` and `sb new`. */
import { invalidInput } from "../protocol/messages.ts";
import { isInDigits, luauNumber } from "../util/luau-number.ts";
import { tooLarge } from "./property-values.ts";
import type { Operation } from "./operations.ts";

type Assigned = "a property" | "an attribute";

/** Values by name; a value is JSON where it reads as JSON, and text otherwise. Throws INVALID_INPUT. */
export function assignments(words: readonly string[], what: Assigned): { readonly [name: string]: unknown } {
  const values = new Map<string, unknown>();
  for (const word of words) {
    const equals = word.indexOf("=");
    if (equals < 1)
      throw invalidInput(
        `Not ${what}: ${word}`,
        "It is written NAME=VALUE, such as Anchored=true, Color=#ff8800 or Size=4,1,4.",
      );
    const name = word.slice(0, equals);
    if (values.has(name)) throw invalidInput(`${name} is given twice.`, "Give each name one value.");
    values.set(name, valueIn(word.slice(equals + 1), what, name));
  }
  return Object.fromEntries(values);
}

function valueIn(text: string, what: Assigned, name: string): unknown {
  return what === "an attribute" && isInDigits(text) ? numberIn(text, name) : propertyValue(text);
}

/** What a word of the command line says of the value of a property. */
export function propertyValue(text: string): unknown {
  if (isInDigits(text)) return numberOrText(text);
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** The type of the property says whether a text such as `1e3` or `007` is a number, so it is kept as it was written. */
function numberOrText(text: string): number | string {
  const number = Number(text);
  return String(number) === text && Number.isFinite(number) ? number : text;
}

/** No type says what the value of an attribute means, so what reads as a number is one. */
function numberIn(text: string, name: string): number {
  const number = luauNumber(text);
  if (number === undefined) throw invalidInput(tooLarge(name), "Give a smaller number.");
  return number;
}

interface Change {
  readonly path: string;
  readonly properties: { readonly [name: string]: unknown };
  readonly attributes: { readonly [name: string]: unknown };
}

/** What `sb set` does. Name and Parent are no properties of operations. */
export function settingOperations({ path, properties, attributes }: Change): Operation[] {
  const { Name: name, Parent: parent, ...others } = properties;
  const hasValues = Object.keys(others).length + Object.keys(attributes).length > 0;
  // A new parent changes the path, so that the name is given to what has moved.
  const [as, renamed] = name === undefined || parent === undefined ? [{}, path] : [{ as: "moved" }, "$moved"];
  return [
    ...(hasValues ? [{ op: "set" as const, path, properties: others, attributes }] : []),
    ...(parent === undefined ? [] : [{ op: "move" as const, path, parent: String(parent), ...as }]),
    ...(name === undefined ? [] : [{ op: "rename" as const, path: renamed, name: String(name) }]),
  ];
}
