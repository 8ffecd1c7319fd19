/** Turns the columns in which Studio tells what Instances hold into the values that files hold. */
import type { SerializedValue } from "../../protocol/values.ts";
import { words } from "../../protocol/words.ts";
import type { FileValue } from "../../roblox/model.ts";
import type { FileSchema } from "../../roblox/schema.ts";
import { attributeOfWire, propertyOfWire } from "../../roblox/wire-values.ts";
import { type Column, columnOf, type ItemColumns, rowsOf } from "../../tree/item-columns.ts";
import { byteStringOf, utf8ByteString } from "../../util/bytes.ts";

/** Most Instances of a large place have some of these, so one stands for all of them. */
export const NO_VALUES: Map<string, FileValue> = new Map();
const NO_NUMBERS: ReadonlyMap<string, number> = new Map();

/** What one Instance holds, apart from its place in the tree and its references. */
export interface Content {
  readonly properties: Map<string, FileValue>;
  readonly attributes: Map<string, FileValue>;
  /** Numbers of the Instances that its properties refer to. */
  readonly references: ReadonlyMap<string, number>;
  readonly isDraft: boolean;
}

interface Draft {
  readonly className: string;
  properties: Map<string, FileValue> | undefined;
  attributes: Map<string, FileValue> | undefined;
  references: Map<string, number> | undefined;
  isDraft: boolean;
}

type Reader<T> = (className: string, wire: SerializedValue) => T | undefined;

export class ContentReader {
  readonly #schema: FileSchema;

  constructor(schema: FileSchema) {
    this.#schema = schema;
  }

  /** By the numbers of the Instances. Throws INVALID_PAYLOAD for columns that do not fit. */
  *read(reply: ItemColumns): Generator<readonly [number, Content]> {
    const { ids, classNames } = rowsOf(reply);
    const drafts = classNames.map((className): Draft => {
      return {
        className,
        properties: undefined,
        attributes: undefined,
        references: undefined,
        isDraft: false,
      };
    });
    for (const wire of reply.columns) this.#take(drafts, columnOf(wire, drafts.length));
    for (const [row, { properties, attributes, references, isDraft }] of drafts.entries()) {
      const content = {
        properties: properties ?? NO_VALUES,
        attributes: attributes ?? NO_VALUES,
        references: references ?? NO_NUMBERS,
        isDraft,
      };
      yield [ids[row] ?? 0, content];
    }
  }

  #take(drafts: readonly Draft[], column: Column): void {
    const { of, name } = column;
    switch (of) {
      case "properties":
        return this.#takeProperties(drafts, column);
      case "attributes": {
        const key = utf8ByteString(name);
        const isOfSync = isSyncAttribute(name);
        const read: Reader<FileValue> = (className, wire) =>
          isOfSync && className === "ServerStorage" ? undefined : attributeOfWire(wire);
        return each(drafts, column, read, (draft, value) => (draft.attributes ??= new Map()).set(key, value));
      }
      case "tags":
        return each(drafts, column, tagsOfWire, (draft, value) => setProperty(draft, "Tags", value));
      case "source":
        return each(drafts, column, sourceOfWire, (draft, value) => setProperty(draft, "Source", value));
      case "base64":
        return each(drafts, column, base64OfWire, (draft, value) => setProperty(draft, "Source", value));
      case "hasUnsavedDraft":
        return each(
          drafts,
          column,
          (_, wire) => wire === true,
          (draft, value) => (draft.isDraft = value),
        );
    }
  }

  #takeProperties(drafts: readonly Draft[], column: Column): void {
    const { name } = column;
    const schema = this.#schema;
    each(
      drafts,
      column,
      (className, wire) => targetOf(wire) ?? propertyOfWire(schema, className, name, wire),
      (draft, value) => {
        if (typeof value === "number") (draft.references ??= new Map()).set(name, value);
        else setProperty(draft, name, value);
      },
    );
  }
}

/** A value that many Instances of one class share is made once, and shared by them. */
function each<T>(
  drafts: readonly Draft[],
  { rows, picks, values, isOwn }: Column,
  read: Reader<T>,
  take: (draft: Draft, value: T) => void,
): void {
  let className: string | undefined;
  let made = new Map<number, T | undefined>();
  for (let at = 0; at < rows.length; at += 1) {
    const draft = drafts[rows[at] ?? 0];
    const pick = picks[at] ?? 0;
    const wire = values[pick];
    if (draft === undefined || wire === undefined) continue;
    if (draft.className !== className) {
      ({ className } = draft);
      made = new Map();
    }
    let value = isOwn ? undefined : made.get(pick);
    if (value === undefined) {
      value = read(draft.className, wire);
      if (!isOwn) made.set(pick, value);
    }
    if (value !== undefined) take(draft, value);
  }
}

function setProperty(draft: Draft, name: string, value: FileValue): void {
  (draft.properties ??= new Map()).set(name, value);
}

/** The number of the Instance that a value refers to. */
function targetOf(wire: SerializedValue): number | undefined {
  if (wire === null || typeof wire !== "object" || !("type" in wire) || wire.type !== "Instance")
    return undefined;
  const { id } = wire;
  return typeof id === "string" ? Number(id.slice(1)) : undefined;
}

function tagsOfWire(_: string, wire: SerializedValue): FileValue | undefined {
  if (!Array.isArray(wire)) return undefined;
  const tags = wire.map(String).toSorted();
  return { type: "String", value: tags.map(utf8ByteString).join("\0") };
}

const sourceOfWire = (_: string, wire: SerializedValue): FileValue | undefined =>
  typeof wire === "string" ? { type: "String", value: utf8ByteString(wire) } : undefined;

const base64OfWire = (_: string, wire: SerializedValue): FileValue | undefined =>
  typeof wire === "string" ? { type: "String", value: byteStringOf(Buffer.from(wire, "base64")) } : undefined;

/** What syncs leave in a place is no part of it. */
const isSyncAttribute = (name: string): boolean =>
  name === words.placeMark || name.startsWith(words.revisionPrefix);
