/**
 * What the class data says of values before Studio is asked: which classes can be made, which properties they have, and
 * which JSON fits them. The plugin decides in the end, because Studio may be newer than the class data.
 */
import type { ApiMember, ClassApi } from "../headless/index.ts";
import { isInDigits, luauNumber } from "../util/luau-number.ts";
import { plainNumbers, withoutTypeName, wordsIn } from "../roblox/plain-values.ts";
import { datatype, LUAU_DATATYPES } from "../values/datatypes.ts";
import { nearest } from "../util/nearest.ts";

export interface ValueFault {
  readonly code: "INVALID_INPUT" | "INVALID_VALUE" | "PROPERTY_NOT_FOUND";
  readonly message: string;
}

interface TypeRow {
  /** As people and agents write it. */
  readonly example: string;
  /** Whether a form that is not made of numbers alone fits. */
  readonly fits?: (value: unknown) => boolean;
}

const isText = (value: unknown) => typeof value === "string";
const isNumber = (value: unknown) =>
  typeof value === "number" || (typeof value === "string" && luauNumber(value) !== undefined);
const isHex = (value: unknown) => isText(value) && /^#([\da-f]{3}|[\da-f]{6})$/i.test(String(value));

/** What is not made of numbers alone; values/datatypes.ts has the others. */
const TYPES: { readonly [type: string]: TypeRow } = {
  boolean: { example: "true", fits: (value) => typeof value === "boolean" },
  number: { example: "1.5", fits: isNumber },
  string: { example: '"text"', fits: (value) => isText(value) || typeof value === "number" },
  ContentId: { example: '"rbxassetid://1"', fits: isText },
  Content: { example: '"rbxassetid://1"', fits: isText },
  BrickColor: { example: '"Bright red"', fits: isText },
  DateTime: { example: "1767225600000" },
  Font: {
    example: '"GothamBold"',
    fits: (value) => isText(value) || (typeof value === "object" && !Array.isArray(value)),
  },
  Faces: { example: '["Top", "Front"]', fits: (value) => isText(value) || Array.isArray(value) },
  Axes: { example: '["X", "Z"]', fits: (value) => isText(value) || Array.isArray(value) },
};
const HAVE_HEX = new Set(["Color3", "ColorSequence"]);

const rowOf = (typeName: string): TypeRow | undefined => {
  const example = datatype(typeName)?.example;
  return example === undefined
    ? TYPES[typeName]
    : { example, ...(HAVE_HEX.has(typeName) ? { fits: isHex } : {}) };
};

/** What is known of the values of a property, by its type. */
export const typeRows: ReadonlyMap<string, TypeRow> = new Map(
  [...Object.keys(TYPES), ...LUAU_DATATYPES].flatMap((typeName) => {
    const row = rowOf(typeName);
    return row === undefined ? [] : [[typeName, row]];
  }),
);

/** Undefined where the class can be made. */
export function classFault(className: string, api: ClassApi): ValueFault | undefined {
  const found = api.class(className);
  if (found === undefined) {
    const creatable = [...api.classNames()].filter((name) => isCreatable(name, api));
    return invalid(`There is no class ${className}.`, nearest(className, creatable));
  }
  return isCreatable(className, api) ? undefined : invalid(`A ${className} cannot be created.`);
}

function isCreatable(className: string, api: ClassApi): boolean {
  const tags = api.class(className)?.tags ?? [];
  return !tags.includes("NotCreatable") && !tags.includes("Service");
}

/** Undefined where the value may be given to the property. */
export function propertyFault(
  className: string,
  name: string,
  value: unknown,
  api: ClassApi,
): ValueFault | undefined {
  if (name === "Parent") return invalid("Parent is not set as a property; use parent.");
  const member = memberOf(className, name, api);
  if (member?.kind !== "property") return unknownProperty(className, name, api);
  if (member.writeSecurity === undefined) return invalid(`${className}.${name} is read-only.`);
  if (member.writeSecurity === "RobloxSecurity")
    return invalid(`${className}.${name} is for Roblox's own scripts only.`);
  const typeName = member.type.replace(/\?$/, "");
  return fits(value, typeName, api) ? undefined : unfitValue(className, name, typeName, value, api);
}

const members = new WeakMap<ClassApi, Map<string, ApiMember | undefined>>();

/** Looked up once: finding a member reads its class and all classes above it. */
function memberOf(className: string, name: string, api: ClassApi): ApiMember | undefined {
  const known = members.get(api) ?? new Map<string, ApiMember | undefined>();
  members.set(api, known);
  const key = `${className}.${name}`;
  if (!known.has(key)) known.set(key, api.member(className, name));
  return known.get(key);
}

export function unknownProperty(className: string, name: string, api: ClassApi): ValueFault {
  const found = api.class(className);
  const names = [className, ...(found?.bases ?? [])].flatMap((each) =>
    (api.class(each)?.members ?? []).filter(({ kind }) => kind === "property").map((member) => member.name),
  );
  const guess = names.find((each) => each.toLowerCase() === name.toLowerCase()) ?? nearest(name, names);
  const { message } = invalid(`${className} has no property ${name}.`, guess);
  return { code: "PROPERTY_NOT_FOUND", message };
}

/** The sentence for a value that does not fit, with one that would. */
export function unfitValue(
  className: string,
  name: string,
  typeName: string,
  value: unknown,
  api: ClassApi,
): ValueFault {
  if (wordsIn(value).some((word) => isInDigits(word) && luauNumber(word) === undefined))
    return { code: "INVALID_VALUE", message: tooLarge(name) };
  const message = `${className}.${name} takes ${article(typeName)} ${typeName}`;
  const enumName = /^Enum\.(\w+)$/.exec(typeName)?.[1];
  const items = enumName === undefined ? [] : (api.enum(enumName)?.items ?? []).map((item) => item.name);
  const guess = typeof value === "string" ? nearest(value, items) : undefined;
  const example = guess ?? items[0];
  const shown = example === undefined ? exampleOf(typeName, api) : JSON.stringify(example);
  const list = enumName === undefined ? "" : ` \`sb api Enum.${enumName}\` lists them.`;
  return { code: "INVALID_VALUE", message: `${message}, such as ${shown}${got(value)}.${list}` };
}

/** A number that would become infinite. */
export const tooLarge = (name: string): string => `The value of ${name} has a number that is too large.`;

function got(value: unknown): string {
  const text = JSON.stringify(value) ?? "nothing";
  return `, not ${text.length > 60 ? `${text.slice(0, 57)}...` : text}`;
}

function article(typeName: string): string {
  return /^[AEIOU]/.test(typeName) ? "an" : "a";
}

function exampleOf(typeName: string, api: ClassApi): string {
  const row = typeRows.get(typeName);
  if (row !== undefined) return row.example;
  if (isReference(typeName, api)) return '"Workspace.Baseplate" or "@17"';
  return `{"type": "${typeName}", ...}`;
}

function isReference(typeName: string, api: ClassApi): boolean {
  return typeName === "Instance" || api.class(typeName) !== undefined;
}

/** True also where only Studio can tell. */
function fits(value: unknown, typeName: string, api: ClassApi): boolean {
  if (value === null || (typeof value === "object" && "type" in value)) return true;
  const row = typeRows.get(typeName);
  if (row !== undefined) {
    const plain = isText(value) ? withoutTypeName(String(value), typeName) : value;
    return row.fits?.(plain) === true || plainNumbers(typeName, plain) !== undefined;
  }
  if (typeName.startsWith("Enum.")) return isItem(value, typeName, api);
  return !isReference(typeName, api) || isText(value);
}

function isItem(value: unknown, typeName: string, api: ClassApi): boolean {
  const found = api.enum(typeName.slice("Enum.".length));
  if (found === undefined) return true;
  const wanted = typeof value === "string" ? value.replace(`${typeName}.`, "") : value;
  return found.items.some(({ name, value: number }) => name === wanted || number === wanted);
}

function invalid(message: string, guess?: string): ValueFault {
  return {
    code: "INVALID_INPUT",
    message: guess === undefined ? message : `${message} Did you mean ${guess}?`,
  };
}
