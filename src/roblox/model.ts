/**
 * Instances as files hold them, column by column: each class lists its Instances, and each of its properties the
 * distinct values and who has which. Knows neither a file format nor what any class means.
 */
import type { ByteString } from "../util/bytes.ts";
import { isTupleType, type TupleType } from "../values/datatypes.ts";

export type { TupleType };

export type TextType =
  "String" | "BinaryString" | "ProtectedString" | "ContentId" | "SharedString" | "NetAssetRef" | "Bytecode";
export type NumberType = "Int32" | "Float32" | "Float64" | "Enum" | "BrickColor" | "Faces" | "Axes";
type OptionalTupleType = "OptionalCFrame" | "PhysicalProperties";

interface FontValue {
  readonly family: ByteString;
  readonly weight: number;
  readonly style: number;
  readonly cachedFaceId: ByteString;
}

export type ContentValue =
  | { readonly kind: "none" }
  | { readonly kind: "uri"; readonly uri: ByteString }
  | { readonly kind: "object"; readonly id: number };

/** The bits of `Faces` and `Axes` by name, the lowest one first. */
export const FACES = ["Right", "Top", "Back", "Left", "Bottom", "Front"] as const;
export const AXES = ["X", "Y", "Z"] as const;

export type AttributeMap = ReadonlyMap<ByteString, FileValue>;

/**
 * A property's value. Tuples list their components in constructor order: a UDim2 as xScale xOffset yScale yOffset, a
 * CFrame as position then rotation row by row, sequences keypoint by keypoint (three numbers, or five for colours).
 */
export type FileValue =
  | { readonly type: TextType; readonly value: ByteString }
  | { readonly type: "Bool"; readonly value: boolean }
  | { readonly type: NumberType; readonly value: number }
  | { readonly type: "Int64" | "SecurityCapabilities"; readonly value: bigint }
  | { readonly type: TupleType; readonly value: readonly number[] }
  | { readonly type: OptionalTupleType; readonly value: readonly number[] | null }
  /** The id of an Instance of the model, or null. */
  | { readonly type: "Ref"; readonly value: number | null }
  /** Sixteen bytes as the binary format orders them: index, time, random. */
  | { readonly type: "UniqueId"; readonly value: ByteString }
  | { readonly type: "Font"; readonly value: FontValue }
  | { readonly type: "Content"; readonly value: ContentValue }
  | { readonly type: "EnumItem"; readonly value: { readonly enumName: string; readonly number: number } }
  | { readonly type: "Attributes"; readonly value: AttributeMap }
  | { readonly type: "Tags"; readonly value: readonly ByteString[] }
  /** What only files know: kept as it is by the engine, and written again. */
  | { readonly type: "Opaque"; readonly value: FileValue };

export type ValueType = FileValue["type"];

export const isTuple = (value: FileValue): value is Extract<FileValue, { readonly type: TupleType }> =>
  isTupleType(value.type);

export interface ModelColumn {
  readonly values: readonly FileValue[];
  /** For each member of the class, in order: 0 for no value, else the position in `values` plus one. */
  readonly rows: readonly number[];
}

export interface ModelClass {
  readonly className: string;
  /** Ids of its Instances. */
  readonly members: readonly number[];
  readonly columns: ReadonlyMap<string, ModelColumn>;
}

export interface Model {
  /** For each id, the id of the parent, or -1 for a root. A parent has a lower id than its children. */
  readonly parents: readonly number[];
  readonly classes: readonly ModelClass[];
}

export const NO_PARENT = -1;

/** A nesting that no place has; deeper ones would exhaust the stacks of those who walk the tree. */
export const MAX_DEPTH = 2000;

/** Throws for an Instance below so many others that no place has it. */
export function checkDepth(depth: number): void {
  if (depth > MAX_DEPTH) throw new Error(`Instances are nested more than ${MAX_DEPTH} deep`);
}

/** After so many different values, a column may turn out to have few equal ones. */
const SAMPLE = 16;

/** Collects the values of one property, equal ones once where that costs little. */
export class ColumnBuilder {
  readonly values: FileValue[] = [];
  readonly rows: number[] = [];
  readonly #positions = new Map<string, number>();
  readonly #objects = new Map<FileValue, number>();
  /** Readers often give the same value again and again. */
  #last: { readonly value: FileValue; readonly position: number } | undefined;

  /** The next member's value; undefined for none. */
  push(value: FileValue | undefined): void {
    this.rows.push(value === undefined ? 0 : this.#intern(value));
  }

  /** The value of the next `count` members. */
  repeat(value: FileValue, count: number): void {
    const position = this.#intern(value);
    for (let index = 0; index < count; index++) this.rows.push(position);
  }

  /** The value of the member at `row`; members before it that were left out have none. */
  put(row: number, value: FileValue): void {
    while (this.rows.length <= row) this.rows.push(0);
    let position = this.#objects.get(value);
    if (position === undefined) {
      position = this.#intern(value);
      this.#objects.set(value, position);
    }
    this.rows[row] = position;
  }

  /** The values of a column of another model, at these rows; undefined for members that are left out. */
  take({ values, rows }: ModelColumn, at: readonly (number | undefined)[]): void {
    const offset = this.values.length;
    for (const value of values) this.values.push(value);
    for (const [index, row] of at.entries()) {
      const position = rows[index] ?? 0;
      if (row === undefined || position === 0) continue;
      while (this.rows.length <= row) this.rows.push(0);
      this.rows[row] = offset + position;
    }
  }

  #intern(value: FileValue): number {
    if (this.#last?.value === value) return this.#last.position;
    const position = this.#positionOf(value);
    this.#last = { value, position };
    return position;
  }

  #positionOf(value: FileValue): number {
    // Where most values have turned out to be different, comparing them costs more than keeping some twice.
    const isMixed = this.values.length > SAMPLE && this.values.length * 2 > this.rows.length;
    if (isMixed) return this.values.push(value);
    const key = valueKey(value);
    let position = this.#positions.get(key);
    if (position === undefined) {
      position = this.values.push(value);
      this.#positions.set(key, position);
    }
    return position;
  }
}

const numberKey = (value: number): string => (Object.is(value, -0) ? "-0" : String(value));

/** Equal for equal values of one type. */
function valueKey({ type, value }: FileValue): string {
  if (typeof value === "string") return value;
  if (typeof value === "number") return numberKey(value);
  // The native join takes -0 and 0 for equal, which costs a sign and saves a third of the time.
  if (isNumbers(value)) return value.join();
  return `${type} ${keyOf(value)}`;
}

const isNumbers = (value: unknown): value is readonly number[] =>
  Array.isArray(value) && typeof value[0] === "number";

function keyOf(value: unknown): string {
  if (typeof value === "number") return numberKey(value);
  if (value instanceof Map) return keyOf([...value]);
  if (Array.isArray(value)) return `[${value.map(keyOf).join()}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(String(value));
  return `{${Object.values(value).map(keyOf).join()}}`;
}

interface ClassDraft {
  readonly members: number[];
  readonly columns: Map<string, ColumnBuilder>;
}

function columnOf({ columns }: ClassDraft, property: string): ColumnBuilder {
  let column = columns.get(property);
  if (column === undefined) columns.set(property, (column = new ColumnBuilder()));
  return column;
}

const movedColumn = ({ values, rows }: ModelColumn, idOf: (id: number) => number): ModelColumn => ({
  values: values.map((value) => movedValue(value, idOf)),
  rows,
});

/** What refers to an Instance refers to the same one under its new id. */
function movedValue(value: FileValue, idOf: (id: number) => number): FileValue {
  if (value.type === "Ref" && value.value !== null) return { type: "Ref", value: idOf(value.value) };
  return value.type === "Content" && value.value.kind === "object"
    ? { type: "Content", value: { kind: "object", id: idOf(value.value.id) } }
    : value;
}

/** Builds a model from a tree, one Instance after the other, parents first. */
export class ModelBuilder {
  readonly #parents: number[] = [];
  readonly #depths: number[] = [];
  readonly #places: { readonly draft: ClassDraft; readonly row: number }[] = [];
  readonly #classes = new Map<string, ClassDraft>();

  /** The new Instance's id. Throws when it would be nested too deep. */
  add(className: string, parent: number): number {
    const depth = parent === NO_PARENT ? 0 : (this.#depths[parent] ?? 0) + 1;
    checkDepth(depth);
    let draft = this.#classes.get(className);
    if (draft === undefined) {
      draft = { members: [], columns: new Map() };
      this.#classes.set(className, draft);
    }
    const id = this.#parents.push(parent) - 1;
    this.#depths.push(depth);
    this.#places.push({ draft, row: draft.members.push(id) - 1 });
    return id;
  }

  set(id: number, property: string, value: FileValue): void {
    const place = this.#places[id];
    if (place === undefined) throw new Error(`no Instance ${id}`);
    columnOf(place.draft, property).put(place.row, value);
  }

  /**
   * Adds what a model has below its first Instance, for which `root` stands: that one has its own values and gets only the
   * references of the other. Gives the new ids by the old ones.
   */
  graft({ parents, classes }: Model, root: number): (id: number) => number {
    const offset = this.#parents.length - 1;
    const idOf = (id: number): number => (id === 0 ? root : id + offset);
    const classNames = new Array<string>(parents.length).fill("");
    for (const { className, members } of classes) for (const id of members) classNames[id] = className;
    for (let id = 1; id < parents.length; id++) this.add(classNames[id] ?? "", idOf(parents[id] ?? 0));
    for (const { members, columns } of classes) {
      const rows = members.map((id) => (id === 0 ? undefined : this.#places[idOf(id)]?.row));
      const draft = this.#places[idOf(members.find((id) => id !== 0) ?? 0)]?.draft;
      const rootRow = members.indexOf(0);
      for (const [name, column] of columns) {
        const refers = column.values[0]?.type === "Ref" || column.values[0]?.type === "Content";
        const moved = refers ? movedColumn(column, idOf) : column;
        if (draft !== undefined && rows.some((row) => row !== undefined))
          columnOf(draft, name).take(moved, rows);
        const own = moved.values[(column.rows[rootRow] ?? 0) - 1];
        if (own?.type === "Ref") this.set(root, name, own);
      }
    }
    return idOf;
  }

  finish(): Model {
    const classes = [...this.#classes].map(([className, { members, columns }]) => {
      for (const { rows } of columns.values()) while (rows.length < members.length) rows.push(0);
      return { className, members, columns };
    });
    return { parents: this.#parents, classes };
  }
}

/** For each id, the ids of its children in order; the last entry lists the roots. */
export function childrenOf({ parents }: Model): number[][] {
  const children: number[][] = Array.from({ length: parents.length + 1 }, () => []);
  for (const [id, parent] of parents.entries()) children.at(parent)?.push(id);
  return children;
}
