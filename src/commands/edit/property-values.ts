/**
 * What the class data says of values before Studio is asked: which classes can be made, which properties they have, and
 * which JSON fits them. The plugin decides in the end, because Studio may be newer than the class data.
 */
import type { ApiMember, ClassApi } from "../../headless/index.ts";
import { nearest } from "../../util/nearest.ts";

export interface ValueFault {
  readonly code: "INVALID_INPUT" | "INVALID_VALUE" | "PROPERTY_NOT_FOUND";
  readonly message: string;
}

interface TypeRow {
  /** As people and agents write it. */
  readonly example: string;
  /** How many numbers make one; absent where other forms do. */
  readonly counts?: readonly number[];
  /** More numbers than these make one, in groups of so many. */
  readonly stride?: number;
  readonly fits?: (value: unknown) => boolean;
}

const isText = (value: unknown) => typeof value === "string";
const isHex = (value: unknown) => isText(value) && /^#([\da-f]{3}|[\da-f]{6})$/i.test(String(value));

const TYPES: { readonly [type: string]: TypeRow } = {
  boolean: { example: "true", fits: (value) => typeof value === "boolean" },
  number: { example: "1.5", fits: (value) => typeof value === "number" },
  string: { example: '"text"', fits: (value) => isText(value) || typeof value === "number" },
  ContentId: { example: '"rbxassetid://1"', fits: isText },
  Content: { example: '"rbxassetid://1"', fits: isText },
  Vector2: { example: "[0, 5]", counts: [2] },
  Vector3: { example: "[0, 5, 0]", counts: [3] },
  Vector2int16: { example: "[0, 5]", counts: [2] },
  Vector3int16: { example: "[0, 5, 0]", counts: [3] },
  CFrame: { example: "[0, 5, 0] or twelve numbers", counts: [3, 12] },
  Color3: { example: '"#ff8800" or [1, 0.5, 0]', counts: [3], fits: isHex },
  BrickColor: { example: '"Bright red"', counts: [1], fits: isText },
  UDim: { example: "[0.5, 10]", counts: [2] },
  UDim2: { example: '"{0.5,0},{0,20}" or [0.5, 0, 0, 20]', counts: [4] },
  Rect: { example: "[0, 0, 10, 10]", counts: [4] },
  NumberRange: { example: "[1, 5]", counts: [1, 2] },
  NumberSequence: {
    example: "[0, 1, 0, 1, 0, 0] (time, value, envelope of each point)",
    counts: [1],
    stride: 3,
  },
  ColorSequence: {
    example: '"#ff8800" or [0, 1, 0, 0, 1, 0, 0, 1] (time, red, green, blue of each point)',
    counts: [],
    stride: 4,
    fits: isHex,
  },
  PhysicalProperties: { example: "[0.7, 0.3, 0.5, 1, 1]", counts: [3, 5, 6] },
  Ray: { example: "[0, 10, 0, 0, -1, 0]", counts: [6] },
  Region3: { example: "[0, 0, 0, 4, 4, 4]", counts: [6] },
  Region3int16: { example: "[0, 0, 0, 4, 4, 4]", counts: [6] },
  DateTime: { example: "1767225600000", counts: [1] },
  Font: {
    example: '"GothamBold"',
    fits: (value) => isText(value) || (typeof value === "object" && !Array.isArray(value)),
  },
  Faces: { example: '["Top", "Front"]', fits: (value) => isText(value) || Array.isArray(value) },
  Axes: { example: '["X", "Z"]', fits: (value) => isText(value) || Array.isArray(value) },
};

/** The examples that messages give, by the type of the property. */
export const valueExamples: ReadonlyMap<string, string> = new Map(
  Object.entries(TYPES).map(([typeName, { example }]) => [typeName, example]),
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
  const message = `${className}.${name} takes ${article(typeName)} ${typeName}`;
  const enumName = /^Enum\.(\w+)$/.exec(typeName)?.[1];
  const items = enumName === undefined ? [] : (api.enum(enumName)?.items ?? []).map((item) => item.name);
  const guess = typeof value === "string" ? nearest(value, items) : undefined;
  const example = guess ?? items[0];
  const shown = example === undefined ? exampleOf(typeName, api) : JSON.stringify(example);
  return { code: "INVALID_VALUE", message: `${message}, such as ${shown}${got(value)}.` };
}

function got(value: unknown): string {
  const text = JSON.stringify(value) ?? "nothing";
  return `, not ${text.length > 60 ? `${text.slice(0, 57)}...` : text}`;
}

function article(typeName: string): string {
  return /^[AEIOU]/.test(typeName) ? "an" : "a";
}

function exampleOf(typeName: string, api: ClassApi): string {
  const row = TYPES[typeName];
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
  const row = TYPES[typeName];
  if (row !== undefined) return row.fits?.(value) === true || isCounted(value, row);
  if (typeName.startsWith("Enum.")) return isItem(value, typeName, api);
  return !isReference(typeName, api) || isText(value);
}

function isItem(value: unknown, typeName: string, api: ClassApi): boolean {
  const found = api.enum(typeName.slice("Enum.".length));
  if (found === undefined) return true;
  const wanted = typeof value === "string" ? value.replace(`${typeName}.`, "") : value;
  return found.items.some(({ name, value: number }) => name === wanted || number === wanted);
}

function isCounted(value: unknown, { counts, stride }: TypeRow): boolean {
  if (counts === undefined) return false;
  const numbers = numbersIn(value);
  if (numbers === undefined) return false;
  const isList = stride !== undefined && numbers >= stride * 2 && numbers % stride === 0;
  return isList || counts.includes(numbers);
}

/** How many numbers a list, a list of lists or a text of numbers has; undefined where it has anything else. */
function numbersIn(value: unknown): number | undefined {
  if (typeof value === "number") return 1;
  if (value === "inf" || value === "-inf" || value === "nan") return 1;
  if (typeof value === "string") {
    const words = value.split(/[\s,;{}()]+/).filter((word) => word !== "");
    return words.length > 0 && words.every((word) => Number.isFinite(Number(word)))
      ? words.length
      : undefined;
  }
  if (!Array.isArray(value)) return undefined;
  let count = 0;
  for (const item of value) {
    const inner = numbersIn(item);
    if (inner === undefined) return undefined;
    count += inner;
  }
  return count;
}

function invalid(message: string, guess?: string): ValueFault {
  return {
    code: "INVALID_INPUT",
    message: guess === undefined ? message : `${message} Did you mean ${guess}?`,
  };
}
