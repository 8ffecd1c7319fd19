/**
 * What meta files, parts of JSON models and nodes of projects have in common: an object of properties and one of
 * attributes. Changes touch only the values that differ; what JSON cannot hold is left as it is and reported.
 */
import { type ByteString, textOfByteString, utf8ByteString } from "../../../util/bytes.ts";
import { jsonAt, type JsonPath, type JsonValue, removeJson, setJson } from "../../../util/json-edit.ts";
import type { FileValue } from "../../model.ts";
import type { FileSchema } from "../../schema.ts";
import type { RojoNode } from "../node.ts";
import {
  attributeJson,
  propertyJson,
  propertyKey,
  taggedAttributeJson,
  type WrittenValue,
} from "./values.ts";

/** Changes of one Instance in one file. An undefined value takes the property or attribute out of the file. */
export interface StatementChanges {
  /** The class that the Instance then has, if it is another; only files that state the class take it. */
  readonly className?: string;
  /** By which references to it name it. */
  readonly id?: string;
  readonly properties?: ReadonlyMap<string, FileValue | undefined>;
  /**
   * By name, as UTF-8 bytes. A file that states attributes replaces those of the files before it, so the first one that is
   * written there brings all others with it.
   */
  readonly attributes?: ReadonlyMap<ByteString, FileValue | undefined>;
}

/** What a file cannot say: `reason` is to be put behind the name. */
export interface Unwritable {
  /** The property, or the attribute. */
  readonly name: string;
  readonly reason: string;
}

export interface WrittenText {
  readonly text: string;
  readonly unwritable: readonly Unwritable[];
}

/** How a kind of file calls things. Of several spellings the first is written. */
export interface StatementKeys {
  readonly className: readonly [string, ...string[]];
  readonly id: string;
  readonly properties: readonly [string, ...string[]];
  readonly attributes: readonly [string, ...string[]];
}

/** Changes what stands at `at` in the text. `className` is the class before the changes. Throws TextFault. */
export function changedStatement(
  text: string,
  at: JsonPath,
  keys: StatementKeys,
  schema: FileSchema,
  className: string,
  changes: StatementChanges,
): WrittenText {
  const draft = new Draft(text, at, keys);
  if (changes.className !== undefined) draft.set([draft.spelling(keys.className)], changes.className);
  if (changes.id !== undefined) draft.set([keys.id], changes.id);
  const owner = changes.className ?? className;
  for (const [name, value] of valuesFirst(changes.properties))
    draft.changeProperty(schema, owner, name, value);
  for (const [name, value] of valuesFirst(changes.attributes)) draft.changeAttribute(name, value);
  return draft.finish();
}

/** An object that loses its last member before it gets another would lose its place in the text too. */
const valuesFirst = <Value>(
  changes: ReadonlyMap<string, Value | undefined> = new Map(),
): (readonly [string, Value | undefined])[] =>
  [...changes].sort(([, left], [, right]) => Number(left === undefined) - Number(right === undefined));

type JsonObject = { readonly [key: string]: JsonValue };
const EMPTY: JsonObject = {};

class Draft {
  #text: string;
  readonly #at: JsonPath;
  readonly #keys: StatementKeys;
  readonly #unwritable: Unwritable[] = [];

  constructor(text: string, at: JsonPath, keys: StatementKeys) {
    this.#text = text;
    this.#at = at;
    this.#keys = keys;
  }

  set(path: JsonPath, value: JsonValue): void {
    this.#text = setJson(this.#text, [...this.#at, ...path], value);
  }

  /** The one of several spellings that the file uses, or the usual one. */
  spelling(spellings: readonly [string, ...string[]]): string {
    const present = this.#objectAt([]);
    return spellings.find((key) => key in present) ?? spellings[0];
  }

  changeProperty(schema: FileSchema, className: string, name: string, value: FileValue | undefined): void {
    const group = this.spelling(this.#keys.properties);
    const meant = meaningOf(schema, className, name);
    const present = Object.keys(this.#objectAt([group])).filter(
      (key) => meaningOf(schema, className, key) === meant,
    );
    const [key = propertyKey(schema, className, name), ...doubles] = present;
    const written = value === undefined ? undefined : propertyJson(schema, className, key, value);
    this.#change([group], key, name, written);
    if (written === undefined || "json" in written)
      for (const double of doubles) this.#remove([group, double]);
  }

  changeAttribute(name: ByteString, value: FileValue | undefined): void {
    const key = textOfByteString(name);
    if (utf8ByteString(key) !== name) {
      this.#unwritable.push({ name: key, reason: "has a name that is not UTF-8" });
      return;
    }
    const { path, isTagged } = this.#attributesPlace();
    const write = isTagged ? taggedAttributeJson : attributeJson;
    this.#change(path, key, key, value === undefined ? undefined : write(value));
  }

  finish(): WrittenText {
    for (const spellings of [this.#keys.properties, this.#keys.attributes])
      for (const key of spellings) if (isEmptyObject(this.#objectAt([])[key])) this.#remove([key]);
    return { text: this.#text, unwritable: this.#unwritable };
  }

  /** Where the attributes are: older files have them among the properties, each with its type. */
  #attributesPlace(): { readonly path: JsonPath; readonly isTagged: boolean } {
    const group = this.spelling(this.#keys.attributes);
    const properties = this.spelling(this.#keys.properties);
    const old = this.#objectAt([properties])["Attributes"];
    if (group in this.#objectAt([]) || old === undefined) return { path: [group], isTagged: false };
    const path = [properties, "Attributes"];
    return {
      path: isObject(old) && isObject(old["Attributes"]) ? [...path, "Attributes"] : path,
      isTagged: true,
    };
  }

  #change(group: JsonPath, key: string, name: string, written: WrittenValue | undefined): void {
    if (written === undefined) this.#remove([...group, key]);
    else if ("json" in written) this.set([...group, key], written.json);
    else this.#unwritable.push({ name, reason: written.unwritable });
  }

  #remove(path: JsonPath): void {
    // A path through something that does not exist is no path.
    if (Object.keys(this.#objectAt(path.slice(0, -1))).length > 0)
      this.#text = removeJson(this.#text, [...this.#at, ...path]);
  }

  /** Empty where there is none. */
  #objectAt(path: JsonPath): JsonObject {
    const value = jsonAt(this.#text, [...this.#at, ...path]);
    return isObject(value) ? value : EMPTY;
  }
}

export const isObject = (value: JsonValue | undefined): value is JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const isEmptyObject = (value: JsonValue | undefined): boolean =>
  isObject(value) && Object.keys(value).length === 0;

/** The same for two names of one property. */
function meaningOf(schema: FileSchema, className: string, name: string): string {
  const property = schema.property(className, name);
  return property?.kind === "property" ? property.name : name;
}

export interface WrittenStatement {
  readonly properties: JsonObject;
  readonly attributes: JsonObject;
  readonly unwritable: readonly Unwritable[];
}

/** All that a node states, for a new text. Its references are written by the attributes that name their targets. */
export function statementOf(schema: FileSchema, node: RojoNode): WrittenStatement {
  const unwritable: Unwritable[] = [];
  const members = (
    entries: Iterable<readonly [name: string, key: string, value: WrittenValue]>,
  ): JsonObject => {
    const made: [string, JsonValue][] = [];
    for (const [name, key, value] of entries) {
      if ("json" in value) made.push([key, value.json]);
      else unwritable.push({ name, reason: value.unwritable });
    }
    return Object.fromEntries(made);
  };
  const { className } = node;
  const properties = members(
    [...node.properties].map(([name, value]) => {
      const key = propertyKey(schema, className, name);
      return [name, key, propertyJson(schema, className, key, value)] as const;
    }),
  );
  const attributes = members(
    [...node.attributes].map(([name, value]) => {
      const key = textOfByteString(name);
      return [key, key, attributeJson(value)] as const;
    }),
  );
  return { properties, attributes, unwritable };
}

/** Without the members that are undefined or hold nothing. */
export function compact(members: { readonly [key: string]: JsonValue | undefined }): JsonObject {
  const kept = Object.entries(members).flatMap(([key, value]): [string, JsonValue][] =>
    value === undefined || isEmptyObject(value) || (Array.isArray(value) && value.length === 0)
      ? []
      : [[key, value]],
  );
  return Object.fromEntries(kept);
}
