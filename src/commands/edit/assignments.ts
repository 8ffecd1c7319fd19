/** Reads the NAME=VALUE words of `sb set` and `sb new`. */
import { invalidInput } from "../../protocol/messages.ts";
import type { Operation } from "./operations.ts";

/** Values by name; a value is JSON where it reads as JSON, and text otherwise. Throws INVALID_INPUT. */
export function assignments(
  words: readonly string[],
  what: "a property" | "an attribute",
): { readonly [name: string]: unknown } {
  return Object.fromEntries(
    words.map((word) => {
      const equals = word.indexOf("=");
      if (equals < 1)
        throw invalidInput(
          `Not ${what}: ${word}`,
          "It is written NAME=VALUE, such as Anchored=true, Color=#ff8800 or Size=4,1,4.",
        );
      return [word.slice(0, equals), valueIn(word.slice(equals + 1))];
    }),
  );
}

function valueIn(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
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
