/**
 * One name and one meaning for each value of a node, so that files, Studio and place files can be compared although they
 * write the same thing in different ways.
 */
import { words } from "../../protocol/words.ts";
import { assetUri } from "../../roblox/asset-uri.ts";
import { customProperty } from "../../roblox/custom-properties.ts";
import { newerNames, newerProperties } from "../../roblox/file-model.ts";
import type { FileValue } from "../../roblox/model.ts";
import { FRAME, halvesOf, isFrameHalf, isSameTurn, isTurn, withOneFrame } from "../../roblox/part-frames.ts";
import { defaultValue } from "../../roblox/default-values.ts";
import type { RojoNode } from "../../roblox/rojo/node.ts";
import { canonicalContents } from "../../roblox/rojo/write/csv.ts";
import type { FileSchema } from "../../roblox/schema.ts";
import { datatype, type NumberKind, wholeForm } from "../../values/datatypes.ts";
import { type ByteString, textOfByteString, utf8ByteString } from "../../util/bytes.ts";

/** How the values of a property are compared. */
type Comparison = "table" | "float32" | "float64" | "whole" | "text" | "content" | "colorBytes" | "ownType";

export interface ComparedProperty {
  /** As scripts call it. */
  readonly name: string;
  /** The name under which both sides are compared: the newer one, where a property has replaced another. */
  readonly key: string;
  readonly comparison: Comparison;
  /** Scripts cannot read it, or it is not saved with a place: a side without it may just not know it. */
  readonly isPartlyKnown: boolean;
  /** The properties that have replaced this one and mean the same, under which both sides are compared. Usually none. */
  readonly newerNames: readonly string[];
}

export interface StatedValue {
  readonly name: string;
  readonly value: FileValue;
}

/** What one node states, under names that all sides share. */
export interface NodeView {
  /** With LF; undefined for what is no script. */
  readonly source: string | undefined;
  /** The source as bytes, to find out whether it is text. */
  readonly sourceBytes: ByteString | undefined;
  /** By `ComparedProperty.key`. */
  readonly properties: ReadonlyMap<string, StatedValue>;
  /** A half of the CFrame that the node holds, for a side that states no more than that half. */
  readonly halfOf: (name: string) => StatedValue | undefined;
  readonly attributes: ReadonlyMap<string, FileValue>;
  /** Undefined where the node says nothing about tags. */
  readonly tags: ReadonlySet<string> | undefined;
  readonly references: ReadonlyMap<string, RojoNode>;
}

const SCRIPTS = new Set(["Script", "LocalScript", "ModuleScript"]);
export const isScript = (className: string): boolean => SCRIPTS.has(className);

const TAGS = "Tags";
const SOURCE = "Source";
/** Differs between any two places or sessions, or is compared in another way. */
const NOT_COMPARED = new Set(["Name", "ClassName", "Parent", "UniqueId", "HistoryId", "ScriptGuid", TAGS]);
/** Attributes by which files write references, those that only Roblox may set, and what syncs leave in a place. */
const RESERVED_ATTRIBUTE = new RegExp(
  `^(?:Rojo_Id$|Rojo_Target_|RBX|${words.placeMark}$|${words.revisionPrefix})`,
);

const NO_ATTRIBUTES: ReadonlyMap<string, FileValue> = new Map();
const NO_REFERENCES: ReadonlyMap<string, RojoNode> = new Map();

const COMPARISONS: Readonly<Record<string, Comparison>> = {
  float: "float32",
  Float32: "float32",
  double: "float64",
  Float64: "float64",
  int: "whole",
  Int32: "whole",
  int64: "whole",
  Int64: "whole",
  string: "text",
  Content: "content",
  ContentId: "content",
};

export class Normalizer {
  readonly schema: FileSchema;
  readonly #properties = new Map<string, Map<string, ComparedProperty | undefined>>();
  readonly #defaults = new Map<string, FileValue | undefined>();
  readonly #views = new Map<RojoNode, NodeView>();

  constructor(schema: FileSchema) {
    this.schema = schema;
  }

  /** What a name of a node's map means; undefined for what is not compared as a property. */
  property(className: string, raw: string): ComparedProperty | undefined {
    let known = this.#properties.get(className);
    if (known === undefined) this.#properties.set(className, (known = new Map()));
    if (!known.has(raw)) known.set(raw, this.#describe(className, raw));
    return known.get(raw);
  }

  view(node: RojoNode): NodeView {
    let view = this.#views.get(node);
    if (view === undefined) this.#views.set(node, (view = this.#makeView(node)));
    return view;
  }

  /** The value of a property that a node does not state; undefined where the class data does not know it. */
  default(className: string, name: string): FileValue | undefined {
    const key = `${className}.${name}`;
    const usual = () =>
      customProperty(this.schema, className, name)?.usual ?? defaultValue(this.schema, className, name);
    if (!this.#defaults.has(key)) this.#defaults.set(key, usual());
    return this.#defaults.get(key);
  }

  /** Whether two values of a property are the same in the property's own type. */
  isSame(className: string, name: string, one: FileValue, other: FileValue): boolean {
    if (one === other) return true;
    const comparison = this.property(className, name)?.comparison ?? "ownType";
    if (comparison === "colorBytes") return isSameColor(one, other);
    if (comparison === "table") return isSameTable(one, other);
    if (isTurn(name) && isFrameHalf(this.schema, className, name)) return isSameTurn(name, one, other);
    return valueText(one, comparison) === valueText(other, comparison);
  }

  /** A text that is equal for equal values. */
  textOf(className: string, name: string, value: FileValue): string {
    return valueText(value, this.property(className, name)?.comparison ?? "ownType");
  }

  isDefault(className: string, name: string, value: FileValue): boolean {
    const usual = this.default(className, name);
    return usual !== undefined && this.isSame(className, name, value, usual);
  }

  #describe(className: string, raw: string): ComparedProperty | undefined {
    const found = this.schema.property(className, raw);
    const custom = customProperty(this.schema, className, raw);
    const name = found?.kind === "property" ? found.name : (custom?.name ?? raw);
    if (NOT_COMPARED.has(name)) return undefined;
    const newer = this.schema.replacement(className, name);
    const target = newer === undefined ? undefined : this.schema.property(className, newer);
    const isContent = target?.kind === "property" && target.type === "Content";
    const type = found?.type ?? "";
    const isByteColor = type === "Color3" && this.schema.fileName(className, name) === "Color3uint8";
    return {
      name,
      key: isContent && newer !== undefined ? newer : name,
      comparison: isByteColor
        ? "colorBytes"
        : name === "Contents" && custom !== undefined
          ? "table"
          : isContent
            ? "content"
            : (COMPARISONS[type] ?? "ownType"),
      isPartlyKnown:
        found !== undefined &&
        custom === undefined &&
        (found.kind === "hidden" || !found.isSaved || (newer !== undefined && !isContent)),
      newerNames: newerNames(this.schema, className, raw),
    };
  }

  #makeView(node: RojoNode): NodeView {
    const properties = new Map<string, StatedValue>();
    let tags: ReadonlySet<string> | undefined;
    let sourceBytes: ByteString | undefined;
    const old: (readonly [name: string, value: FileValue])[] = [];
    const { className } = node;
    for (const [raw, value] of withOneFrame(this.schema, className, node.properties)) {
      if (raw === TAGS) tags = tagsOf(value);
      else if (raw === SOURCE && isScript(node.className)) sourceBytes = bytesIn(value);
      else {
        const property = this.property(node.className, raw);
        if (property === undefined) continue;
        if (property.newerNames.length > 0) old.push([raw, value]);
        // The newer of two properties that mean the same counts.
        if (property.key !== property.name && properties.has(property.key)) continue;
        properties.set(property.key, { name: property.name, value });
      }
    }
    for (const [raw, value] of old) this.#renew(properties, node, raw, value);
    if (isScript(node.className)) sourceBytes ??= "";
    return {
      source: sourceBytes === undefined ? undefined : withLf(textOfByteString(sourceBytes)),
      sourceBytes,
      properties,
      halfOf: (name) => {
        if (!isFrameHalf(this.schema, className, name)) return undefined;
        const value = halvesOf(properties.get(FRAME)?.value).get(name);
        return value === undefined ? undefined : { name, value };
      },
      attributes: attributesOf(node),
      tags,
      references: this.#references(node),
    };
  }

  /**
   * Puts the properties that have replaced one in its place. Files may state the old one and some of the newer ones, of which
   * the latter count. Studio has all of them, and those that it does not give have their defaults.
   */
  #renew(properties: Map<string, StatedValue>, node: RojoNode, raw: string, value: FileValue): void {
    const newer = newerProperties(this.schema, node.className, raw, value);
    if (newer === undefined) return;
    const { key = raw } = this.property(node.className, raw) ?? {};
    properties.delete(key);
    if (node.studioId !== undefined && [...newer.keys()].some((name) => properties.has(name))) return;
    for (const [name, moved] of newer)
      if (!properties.has(name)) properties.set(name, { name, value: moved });
  }

  #references({ className, references }: RojoNode): ReadonlyMap<string, RojoNode> {
    if (references.size === 0) return NO_REFERENCES;
    const named = new Map<string, RojoNode>();
    for (const [raw, target] of references) {
      const property = this.property(className, raw);
      if (property !== undefined) named.set(property.name, target);
    }
    return named;
  }
}

/** Text compares with LF, because files and Studio end lines in their own ways. */
export const withLf = (text: string): string => (text.includes("\r") ? text.replaceAll("\r\n", "\n") : text);

const bytesIn = (value: FileValue): ByteString => (typeof value.value === "string" ? value.value : "");

/** Whether bytes are UTF-8 text that comes back unchanged. */
export const isText = (bytes: ByteString): boolean => utf8ByteString(textOfByteString(bytes)) === bytes;

/** Tags of a node are one text with NULs between them, or a list. */
function tagsOf(value: FileValue): ReadonlySet<string> {
  const tags = value.type === "Tags" ? value.value : bytesIn(value).split("\0");
  return new Set(tags.filter((tag) => tag !== ""));
}

function attributesOf({ attributes }: RojoNode): ReadonlyMap<string, FileValue> {
  if (attributes.size === 0) return NO_ATTRIBUTES;
  return new Map([...attributes].filter(([name]) => !RESERVED_ATTRIBUTE.test(name)));
}

export function isSameAttribute(one: FileValue | undefined, other: FileValue | undefined): boolean {
  if (one === undefined || other === undefined) return one === other;
  return one === other || attributeText(one) === attributeText(other);
}

/** Attributes have no declared type, so a number and a text of the same look differ. */
export function attributeText(value: FileValue): string {
  const isNumber = typeof value.value === "number" && value.type !== "BrickColor";
  return `${isNumber ? "number" : value.type} ${valueText(value, "ownType")}`;
}

function valueText(value: FileValue, comparison: Comparison): string {
  switch (comparison) {
    case "float32":
      return String(Math.fround(Number(value.value)) + 0);
    case "float64":
      return String(Number(value.value) + 0);
    case "whole":
      return wholeText(value);
    case "content":
      return contentText(value);
    case "table":
      return tableText(value);
    case "text":
      return withLf(bytesIn(value));
    case "colorBytes":
      return colorBytes(value).map(Math.round).join();
    case "ownType":
      return ownText(value);
  }
}

/** Studio and files write the same translations in different ways. */
const tableText = (value: FileValue): string => {
  const text = textOfByteString(bytesIn(value));
  return canonicalContents(text) ?? text;
};
const isSameTable = (one: FileValue, other: FileValue): boolean => tableText(one) === tableText(other);

function wholeText({ value }: FileValue): string {
  if (typeof value !== "number") return String(value);
  return Number.isFinite(value) ? String(BigInt(Math.trunc(value))) : String(value);
}

function contentText(value: FileValue): string {
  if (typeof value.value === "number" || typeof value.value === "bigint") return assetUri(value.value);
  if (value.type !== "Content") return bytesIn(value);
  if (value.value.kind === "uri") return value.value.uri;
  return value.value.kind === "none" ? "" : `object ${value.value.id}`;
}

function ownText(value: FileValue): string {
  switch (value.type) {
    case "EnumItem":
      return String(value.value.number);
    case "Font":
      return `${value.value.family} ${value.value.weight} ${value.value.style}`;
    case "Content":
      return contentText(value);
    case "Attributes":
      return [...value.value].map(([name, each]) => `${name}=${attributeText(each)}`).join("\0");
    case "Opaque":
      return ownText(value.value);
    case "PhysicalProperties":
      return value.value === null ? "none" : physicalText(value.value);
    default:
      return plainText(value.type, value.value);
  }
}

function plainText(type: FileValue["type"], value: unknown): string {
  if (Array.isArray(value)) return listText(value, datatype(type)?.kinds ?? []);
  return typeof value === "number" ? String(value + 0) : String(value);
}

/** Numbers that are not whole have 32 bits. */
const listText = (list: readonly unknown[], kinds: readonly NumberKind[]): string =>
  list
    .map((part, index) =>
      typeof part !== "number" || (kinds[index] ?? "float") !== "float" ? part : Math.fround(part) + 0,
    )
    .join();

const physicalText = (parts: readonly number[]): string =>
  listText(wholeForm("PhysicalProperties", parts), []);

const colorBytes = ({ type, value }: FileValue): readonly number[] =>
  isNumbers(value)
    ? type === "Color3uint8"
      ? value
      : value.map((part) => Math.min(Math.max(part, 0), 1) * 255)
    : [];

export const isNumbers = (value: unknown): value is readonly number[] =>
  Array.isArray(value) && typeof value[0] === "number";

/** A byte that a part's colour holds differs from its number in a file by what rounding takes away. */
const NEARLY_WHOLE = 1e-3;

/** UNVERIFIED: Studio rounds the parts of a colour to the nearest byte, or cuts them off. Both results count as the same colour. */
function isSameColor(one: FileValue, other: FileValue): boolean {
  const [left, right] = [colorBytes(one), colorBytes(other)];
  return (
    left.length === right.length &&
    left.every((part, index) => isSameByte(part, right[index] ?? -1) || isSameByte(right[index] ?? -1, part))
  );
}

/** `stored` is a whole byte; `given` may lie between two. */
function isSameByte(stored: number, given: number): boolean {
  const byte = Math.round(stored);
  if (Math.abs(stored - byte) > NEARLY_WHOLE) return stored === given;
  return Math.round(given) === byte || Math.floor(given + NEARLY_WHOLE) === byte;
}
