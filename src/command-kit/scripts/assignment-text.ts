/** Writes values as NAME=VALUE, so that a person can copy what a result shows into `sb set`. */
import { isTagged } from "../../protocol/values.ts";
import type { SerializedValue } from "../../protocol/values.ts";
import { isInDigits } from "../../util/luau-number.ts";
import { shellWord } from "../../util/shell-word.ts";
import { shownPath } from "../../tree/instance-path.ts";
import { shortNumber } from "../../output/value-text.ts";

/** The type of the property reads it, so that a list of numbers needs no brackets. */
export function propertyAssignment(name: string, value: SerializedValue): string {
  return shellWord(`${name}=${propertyText(value)}`);
}

/** No type reads the value of an attribute, so what is no text, number or switch is JSON. */
export function attributeAssignment(name: string, value: SerializedValue): string {
  return shellWord(`${name}=${typeof value === "object" ? JSON.stringify(value) : plainText(value)}`);
}

function propertyText(value: SerializedValue): string {
  if (typeof value !== "object") return plainText(value);
  if (value === null || !isTagged(value)) return JSON.stringify(value);
  const { type, name, path, value: parts } = value;
  if (type === "nil") return "null";
  if (type === "EnumItem" || type === "BrickColor") return String(name);
  if (type === "Instance") return shownPath(String(path ?? name));
  const list = [parts].flat();
  const isPlain = list.every((part) => typeof part === "number" || typeof part === "string");
  return isPlain ? list.map(partText).join(",") : JSON.stringify(value);
}

const partText = (part: unknown): string => (typeof part === "number" ? shortNumber(part) : String(part));

function plainText(value: string | number | boolean): string {
  if (typeof value !== "string") return partText(value);
  const isOther = isInDigits(value) || readsAsJson(value) || /[\u0000-\u001f]/.test(value);
  return isOther ? JSON.stringify(value) : value;
}

function readsAsJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
