/**
 * Converts a file's model for the engine: properties get the names that scripts use, and values the types of the class
 * data. Properties that only files have are kept separately; unknown ones are reported.
 */
import type { ByteString } from "../../util/bytes.ts";
import { decodeAttributes } from "../../roblox/attributes.ts";
import { IDENTITIES } from "./kept-values.ts";
import type { FileValue, Model, ModelClass, ModelColumn } from "../../roblox/model.ts";
import { TUPLE_TYPES } from "../../values/datatypes.ts";
import { isHiddenNumber, type FileSchema, type SchemaProperty } from "../../roblox/schema.ts";

export interface EngineModel {
  readonly model: Model;
  /** Sentences for the Output, one for each kind of thing that was left out. */
  readonly problems: readonly string[];
}

export function toEngineModel(model: Model, schema: FileSchema): EngineModel {
  const problems: string[] = [];
  const unknown: string[] = [];
  const classes = model.classes.map((owner): ModelClass => {
    if (!schema.isClass(owner.className)) {
      problems.push(
        `${count(owner.members.length, "Instance")} of the unknown class ${owner.className} left out.`,
      );
      return { ...owner, columns: new Map() };
    }
    return { ...owner, columns: engineColumns(owner, schema, unknown, problems) };
  });
  if (unknown.length > 0)
    problems.push(
      `${count(unknown.length, "unknown property", "unknown properties")} kept unread: ${listed(unknown)}.`,
    );
  return { model: { parents: model.parents, classes }, problems };
}

const count = (number: number, one: string, many = `${one}s`): string =>
  `${number} ${number === 1 ? one : many}`;

const MAX_LISTED = 10;

function listed(names: readonly string[]): string {
  const more = names.length - MAX_LISTED;
  return names.slice(0, MAX_LISTED).join(", ") + (more > 0 ? ` and ${more} more` : "");
}

function engineColumns(
  { className, columns }: ModelClass,
  schema: FileSchema,
  unknown: string[],
  problems: string[],
): Map<string, ModelColumn> {
  const made = new Map<string, ModelColumn>();
  for (const [fileName, given] of columns) {
    const property = schema.property(className, fileName);
    const newer = schema.replacement(className, fileName);
    const column =
      newer === undefined ? given : without(given, columns.get(schema.fileName(className, newer)));
    const special = SPECIAL[fileName];
    if (IDENTITIES.has(fileName)) continue;
    if (special !== undefined) {
      made.set(
        special.name,
        mapped(column, reported(`${className}.${special.name}`, special.read, problems)),
      );
    } else if (property?.kind === "property") {
      const name = property.name;
      // Under its own name it counts for more than under an old one.
      if (!made.has(name) || name === fileName)
        made.set(name, checked(className, column, property, problems));
    } else {
      if (property === undefined) unknown.push(`${className}.${fileName}`);
      made.set(fileName, mapped(column, isHiddenNumber(property) ? hiddenNumber : opaque));
    }
  }
  for (const [name, { rows }] of made) if (rows.every((row) => row === 0)) made.delete(name);
  return made;
}

/** An old property counts only where the one that has replaced it says nothing. */
function without(column: ModelColumn, newer: ModelColumn | undefined): ModelColumn {
  if (newer === undefined) return column;
  return {
    values: column.values,
    rows: column.rows.map((row, index) => (newer.rows[index] === 0 ? row : 0)),
  };
}

/** A blob that cannot be read costs only itself. */
function reported(label: string, read: Special["read"], problems: string[]): Special["read"] {
  return (value) => {
    try {
      return read(value);
    } catch (error) {
      const problem = `${label} left out: ${error instanceof Error ? error.message : String(error)}.`;
      if (!problems.includes(problem)) problems.push(problem);
      return undefined;
    }
  };
}

interface Special {
  readonly name: string;
  readonly read: (value: FileValue) => FileValue | undefined;
}

const SIGNAL_BEHAVIOR: Special = {
  name: "SignalBehavior",
  read: (value) => enumItem(value, "SignalBehavior"),
};

/** What the engine knows of although it is no property of any script. */
const SPECIAL: Readonly<Record<string, Special>> = {
  AttributesSerialize: {
    name: "Attributes",
    read: (value) => {
      const attributes = decodeAttributes(textOf(value) ?? "");
      return attributes.size === 0 ? undefined : { type: "Attributes", value: attributes };
    },
  },
  Tags: {
    name: "Tags",
    read: (value) => {
      const tags = (textOf(value) ?? "").split("\0").filter((tag) => tag !== "");
      return tags.length === 0 ? undefined : { type: "Tags", value: tags };
    },
  },
  SignalBehavior: SIGNAL_BEHAVIOR,
  SignalBehavior2: SIGNAL_BEHAVIOR,
};

/** A reference that no script sees would lead nowhere once the Instances are others. */
const opaque = (value: FileValue): FileValue | undefined =>
  value.type === "Ref" ? undefined : { type: "Opaque", value };

/** Values that become undefined are no values any more. */
function mapped(column: ModelColumn, change: (value: FileValue) => FileValue | undefined): ModelColumn {
  const values: FileValue[] = [];
  const positions = column.values.map((value) => {
    const changed = change(value);
    return changed === undefined ? 0 : values.push(changed);
  });
  return { values, rows: column.rows.map((row) => (row === 0 ? 0 : (positions[row - 1] ?? 0))) };
}

function checked(
  className: string,
  column: ModelColumn,
  property: SchemaProperty,
  problems: string[],
): ModelColumn {
  const wrong = new Set<string>();
  const result = mapped(column, (value) => {
    if (value.value === null) return undefined;
    const converted = convert(value, property.type);
    if (converted === undefined) wrong.add(value.type);
    return converted;
  });
  for (const type of wrong)
    problems.push(`${className}.${property.name} left out: expected ${property.type}, got ${type}.`);
  return result;
}

function textOf(value: FileValue): ByteString | undefined {
  return typeof value.value === "string" && value.type !== "UniqueId" ? value.value : undefined;
}

function numberOf({ type, value }: FileValue): number | undefined {
  if (typeof value === "number" && type !== "Ref") return value;
  return typeof value === "bigint" ? Number(value) : undefined;
}

const ENUM = "Enum.";

/** The value as one of the type that the class data names; undefined where there is no such thing. */
function convert(value: FileValue, type: string): FileValue | undefined {
  if (type.startsWith(ENUM)) return enumItem(value, type.slice(ENUM.length));
  if (type === "Ref" || type.startsWith("Ref.")) return value.type === "Ref" ? value : undefined;
  return (CONVERTERS[type] ?? (SAME_TYPES.has(type) ? sameType(type) : opaque))(value);
}

function enumItem(value: FileValue, enumName: string): FileValue | undefined {
  if (value.type === "EnumItem") return value;
  const number = numberOf(value);
  return number === undefined ? undefined : { type: "EnumItem", value: { enumName, number } };
}

type Converter = (value: FileValue) => FileValue | undefined;

const sameType =
  (type: string): Converter =>
  (value) =>
    value.type === type ? value : undefined;

const string: Converter = (value) => {
  const text = textOf(value);
  return text === undefined ? undefined : { type: "String", value: text };
};

const contentId: Converter = (value) => {
  if (value.type !== "Content") return string(value);
  return { type: "String", value: value.value.kind === "uri" ? value.value.uri : "" };
};

const content: Converter = (value) => {
  if (value.type === "Content") return value;
  const uri = textOf(value);
  if (uri === undefined) return undefined;
  return { type: "Content", value: uri === "" ? { kind: "none" } : { kind: "uri", uri } };
};

const number: Converter = (value) => {
  const read = numberOf(value);
  return read === undefined ? undefined : { type: "Float64", value: read };
};

const numberAs =
  (type: "BrickColor" | "Faces" | "Axes"): Converter =>
  (value) => {
    const read = numberOf(value);
    return read === undefined ? undefined : { type, value: read };
  };

/** One that the engine itself may read and change, such as the scale of a model. */
const hiddenNumber: Converter = (value) => number(value) ?? opaque(value);

/** Types that files and the engine have in common; what is of another type than these and CONVERTERS' stays as it came. */
const SAME_TYPES = new Set<string>([...TUPLE_TYPES, "PhysicalProperties", "Font"]);

const CONVERTERS: Readonly<Record<string, Converter>> = {
  bool: sameType("Bool"),
  string,
  ContentId: contentId,
  Content: content,
  int: number,
  int64: number,
  float: number,
  double: number,
  BrickColor: numberAs("BrickColor"),
  Faces: numberAs("Faces"),
  Axes: numberAs("Axes"),
  Color3: (value) => (value.type === "Color3" || value.type === "Color3uint8" ? value : undefined),
  CFrame: (value) => {
    if (value.type === "CFrame") return value;
    return value.type === "OptionalCFrame" && value.value !== null
      ? { type: "CFrame", value: value.value }
      : undefined;
  },
};
