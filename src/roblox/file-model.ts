/**
 * The model of a project as files hold it: every property under the name and of the type that files have for it, old
 * properties as those that have replaced them.
 */
import { customProperty } from "./custom-properties.ts";
import type { ByteString } from "../util/bytes.ts";
import { assetUri } from "./asset-uri.ts";
import { defaultValue, hiddenDefaultValue, scriptType } from "./default-values.ts";
import { asHidden, colorBytes, fill, numberValue } from "./file-columns.ts";
import type { FileValue, Model, ModelClass, ModelColumn } from "./model.ts";
import { BRICK_COLORS, NAMED_FONTS } from "./named-values.ts";
import { FONT_STYLES, FONT_WEIGHTS } from "./fonts.ts";
import type { FileSchema } from "./schema.ts";

/** In the binary formats, each Instance needs a value for what one of its class has; in XML it only has its own. */
export type FileFormat = "binary" | "xml";

/** Throws an Error that names the property of a value that files cannot hold there. */
export function asFileModel(model: Model, schema: FileSchema, format: FileFormat): Model {
  const classes = model.classes.map((owner): ModelClass => {
    const columns = fileColumns(owner, schema);
    return {
      ...owner,
      columns: format === "xml" ? columns : filledColumns(owner.className, columns, schema),
    };
  });
  return { parents: model.parents, classes };
}

/** Its values, and the name under which files hold them. */
interface FileColumn extends ModelColumn {
  readonly name: string;
  /** Whether the file's model had it as an older property, which counts only where the newer one says nothing. */
  readonly isOld: boolean;
}

function fileColumns({ className, columns }: ModelClass, schema: FileSchema): Map<string, ModelColumn> {
  const made = new Map<string, FileColumn>();
  for (const [name, column] of columns) {
    for (const converted of convertedColumns(className, name, column, schema)) {
      const present = made.get(converted.name);
      made.set(converted.name, present === undefined ? converted : merged(present, converted));
    }
  }
  const identities = made.get(IDENTITY);
  if (identities !== undefined) made.set(IDENTITY, withoutDoubles(identities));
  return made;
}

/** An Instance has an identity of its own: a model that a project names twice has one copy with the identities. */
const IDENTITY = "UniqueId";

function withoutDoubles(column: FileColumn): FileColumn {
  const seen = new Set<number>();
  const rows = column.rows.map((row) => {
    const isDouble = seen.has(row);
    seen.add(row);
    return isDouble ? 0 : row;
  });
  return { ...column, rows };
}

function convertedColumns(
  className: string,
  name: string,
  column: ModelColumn,
  schema: FileSchema,
): FileColumn[] {
  const replacement = replacementOf(schema, className, name);
  if (replacement === undefined) {
    const convert = converterOf(schema, className, name);
    return [{ name: fileNameOf(schema, className, name), ...mapped(column, convert), isOld: false }];
  }
  return replacement.names.map((newer) => {
    const convert = converterOf(schema, className, newer);
    const both = (value: FileValue): FileValue | undefined => {
      const moved = replacement.convert(value);
      return moved && convert(moved);
    };
    return { name: fileNameOf(schema, className, newer), ...mapped(column, both), isOld: true };
  });
}

/** A property's own name counts more than an older one; of two of the same age, the one that comes later. */
function merged(present: FileColumn, added: FileColumn): FileColumn {
  const [base, over] = added.isOld ? [added, present] : [present, added];
  return {
    name: present.name,
    values: [...base.values, ...over.values],
    rows: Array.from({ length: Math.max(base.rows.length, over.rows.length) }, (_, index) => {
      const row = over.rows[index] ?? 0;
      return row === 0 ? (base.rows[index] ?? 0) : row + base.values.length;
    }),
    isOld: present.isOld && added.isOld,
  };
}

/** Values that become undefined are no values any more. */
function mapped(
  { values, rows }: ModelColumn,
  convert: (value: FileValue) => FileValue | undefined,
): ModelColumn {
  const kept: FileValue[] = [];
  const positions = values.map((value) => {
    const converted = convert(value);
    return converted === undefined ? 0 : kept.push(converted);
  });
  const isUnmoved = kept.length === values.length;
  return { values: kept, rows: isUnmoved ? rows : rows.map((row) => positions[row - 1] ?? 0) };
}

function filledColumns(
  className: string,
  columns: ReadonlyMap<string, ModelColumn>,
  schema: FileSchema,
): Map<string, ModelColumn> {
  const filled = new Map<string, ModelColumn>();
  for (const [name, column] of columns) {
    const isWhole = !column.rows.includes(0);
    const made = isWhole
      ? column
      : fill(column.values, column.rows, () => usualValue(schema, className, name));
    if (made !== undefined) filled.set(name, made);
  }
  return filled;
}

/** What an Instance holds for which nothing is said; undefined where that is the zero of the type. */
function usualValue(schema: FileSchema, className: string, fileName: string): FileValue | undefined {
  const value = hiddenDefaultValue(schema, className, fileName) ?? defaultValue(schema, className, fileName);
  return value && converterOf(schema, className, fileName)(value);
}

function fileNameOf(schema: FileSchema, className: string, name: string): string {
  const property = schema.property(className, name);
  if (property?.kind === "property") return schema.fileName(className, property.name);
  return customProperty(schema, className, name)?.fileName ?? name;
}

type Convert = (value: FileValue) => FileValue | undefined;

/** Makes of a value what files hold for a property. Readers of XML give some values only the type of their element. */
function converterOf(schema: FileSchema, className: string, name: string): Convert {
  const fileName = fileNameOf(schema, className, name);
  const convert = typeConverter(schema.property(className, name)?.type ?? "", name, fileName);
  return (value) => convert(value.type === "Opaque" ? value.value : value);
}

function typeConverter(given: string, name: string, fileName: string): Convert {
  const type = scriptType(given);
  if (type.startsWith("Enum.")) return asEnum;
  switch (type) {
    case "float":
    case "double":
    case "int":
    case "int64":
      return (value) => asNumber(value, type);
    case "string":
      return (value) => textAs(value, name === "Source" ? "ProtectedString" : "String");
    case "ContentId":
      return (value) => textAs(value.type === "Content" ? uriOf(value) : value, "ContentId");
    case "Content":
      return asContent;
    case "BrickColor":
      return (value) =>
        typeof value.value === "number" ? { type: "BrickColor", value: value.value } : value;
    case "Color3":
      return (value) =>
        value.type === "Color3" && fileName === "Color3uint8" ? colorBytes(value.value) : value;
    case "CFrame":
      return (value) =>
        value.type === "CFrame" && fileName === "WorldPivotData"
          ? { type: "OptionalCFrame", value: value.value }
          : value;
    default:
      return (value) => asBlob(value, name, type);
  }
}

/** The name decides what the class data does not know. */
const BLOBS = new Set(["AttributesSerialize", "Tags"]);

function asBlob(value: FileValue, name: string, type: string): FileValue {
  if (value.type === "String" && BLOBS.has(name)) return { type: "BinaryString", value: value.value };
  if (value.type === "Tags") return { type: "BinaryString", value: value.value.join("\0") };
  return asHidden(value, name, type);
}

const asEnum: Convert = (value) => {
  const number = value.type === "EnumItem" ? value.value.number : value.value;
  return typeof number === "number" ? { type: "Enum", value: number } : value;
};

function asNumber(value: FileValue, type: string): FileValue {
  if (value.type === "Int64" && type === "int64") return value;
  const number = typeof value.value === "bigint" ? Number(value.value) : value.value;
  return typeof number === "number" ? numberValue(number, type) : value;
}

const textAs = (value: FileValue, type: "String" | "ProtectedString" | "ContentId"): FileValue =>
  typeof value.value === "string" && value.type !== "UniqueId" ? { type, value: value.value } : value;

const uriOf = (value: Extract<FileValue, { readonly type: "Content" }>): FileValue => ({
  type: "String",
  value: value.value.kind === "uri" ? value.value.uri : "",
});

const asContent: Convert = (value) =>
  value.type === "Content" || typeof value.value !== "string" ? value : contentOf(value.value);

const contentOf = (uri: ByteString): FileValue => ({
  type: "Content",
  value: uri === "" ? { kind: "none" } : { kind: "uri", uri },
});

/**
 * A property as those that have replaced it, with their values. Undefined for one that files still have, and for the
 * address of an asset, which means the same under both names.
 */
export function newerProperties(
  schema: FileSchema,
  className: string,
  name: string,
  value: FileValue,
): ReadonlyMap<string, FileValue> | undefined {
  const replacement = replacementOf(schema, className, name);
  const moved = replacement?.convert(value);
  if (replacement === undefined || moved === undefined || isAsset(schema, className, name)) return undefined;
  return new Map(replacement.names.map((newer) => [newer, moved]));
}

/** The names of the properties that `newerProperties` gives; none for one that files still have. */
export function newerNames(schema: FileSchema, className: string, name: string): readonly string[] {
  if (isAsset(schema, className, name)) return [];
  return replacementOf(schema, className, name)?.names ?? [];
}

function isAsset(schema: FileSchema, className: string, name: string): boolean {
  const newer = schema.replacement(className, name);
  return newer !== undefined && schema.property(className, newer)?.type === "Content";
}

interface Replacement {
  readonly names: readonly string[];
  readonly convert: Convert;
}

const CORNERS = ["BottomLeftRadius", "BottomRightRadius", "TopLeftRadius", "TopRightRadius"];
/** Items of Enum.ScreenInsets. */
const [DEVICE_INSETS, CORE_INSETS] = [1, 2];

/** Undefined for a property that files still have. */
function replacementOf(schema: FileSchema, className: string, name: string): Replacement | undefined {
  const property = schema.property(className, name);
  const own = property?.kind === "property" ? property.name : name;
  const newer = schema.replacement(className, own) ?? schema.replacement(className, name);
  if (newer === undefined) return undefined;
  const type = property?.type;
  if (type === "BrickColor") return { names: [newer], convert: colorOfBrick };
  if (type === "int64") return { names: [newer], convert: contentOfNumber };
  if (type === "Enum.Font") return { names: [newer], convert: faceOfFont };
  if (own === "IgnoreGuiInset") return { names: [newer], convert: insetsOfFlag };
  if (own === "CornerRadius") return { names: CORNERS, convert: (value) => value };
  return { names: [newer], convert: (value) => value };
}

/** The grey of a part for which no colour is known. */
const USUAL_COLOR = [163, 162, 165];
const colors = new Map(BRICK_COLORS.map(([number, , ...rgb]) => [number, rgb]));

const colorOfBrick: Convert = ({ value }) => ({
  type: "Color3uint8",
  value: (typeof value === "number" ? colors.get(value) : undefined) ?? USUAL_COLOR,
});

const contentOfNumber: Convert = ({ value }) =>
  typeof value === "number" || typeof value === "bigint" ? contentOf(assetUri(value)) : undefined;

const fonts = new Map(NAMED_FONTS.map(([number, , ...face]) => [number, face]));

const faceOfFont: Convert = (value) => {
  const number = value.type === "EnumItem" ? value.value.number : value.value;
  const face = typeof number === "number" ? fonts.get(number) : undefined;
  if (face === undefined) return undefined;
  const [family, weight, style] = face;
  return {
    type: "Font",
    value: {
      family: `rbxasset://fonts/families/${family}.json`,
      weight: (FONT_WEIGHTS.indexOf(weight) + 1) * 100,
      style: FONT_STYLES.indexOf(style),
      cachedFaceId: "",
    },
  };
};

const insetsOfFlag: Convert = ({ value }) => ({
  type: "Enum",
  value: value === true ? DEVICE_INSETS : CORE_INSETS,
});
