/** Takes the reply of `readItems`, which has a column for each name, apart into what one Instance after the other holds. */
import type { ActionResult } from "../protocol/actions.ts";
import { StudioBridgeError } from "../protocol/errors.ts";
import type { SerializedValue } from "../protocol/values.ts";
import { datatype } from "../values/datatypes.ts";

export type ItemColumns = ActionResult<"readItems">;
type WireColumn = ItemColumns["columns"][number];
type Values = { readonly [name: string]: SerializedValue };

/** What one Instance is made of, as far as it was asked for. */
export interface Item {
  readonly id: number;
  readonly className: string;
  readonly properties?: Values;
  readonly defaults?: Values;
  readonly attributes?: Values;
  readonly tags?: string[];
  readonly source?: string;
  /** The source, if it is not valid UTF-8. */
  readonly base64?: string;
  readonly isDraft?: boolean;
  readonly hasUnsavedDraft?: boolean;
}

type Draft = { -readonly [Key in keyof Item]: Item[Key] };

export interface Rows {
  readonly ids: readonly number[];
  readonly classNames: readonly string[];
}

/** Values of one name. Rows that have equal values share one object, unless the values are made of numbers. */
export interface Column {
  readonly of: WireColumn["of"];
  readonly name: string;
  readonly rows: readonly number[];
  /** Which values there are; `picks` has the position of the value of each row. */
  readonly values: readonly SerializedValue[];
  readonly picks: readonly number[];
  /** Whether each row has a value of its own. */
  readonly isOwn: boolean;
}

const NUMBER = "number";

export function rowsOf({ ids, classes, classNames }: ItemColumns): Rows {
  const named = numbersOf(classes)?.map((position) => classNames[position] ?? "") ?? broken("classes");
  const numbers = numbersOf(ids) ?? broken("ids");
  return numbers.length === named.length ? { ids: numbers, classNames: named } : broken("classes");
}

/** Throws INVALID_PAYLOAD for a column that does not fit its rows. */
export function columnOf(wire: WireColumn, rowCount: number): Column {
  const { of, name, type } = wire;
  const rows = rowNumbers(wire.rows, rowCount) ?? broken(name);
  if (type !== undefined) {
    const values = tuplesOf(type, numbersOf(wire.numbers ?? "") ?? [], rows.length) ?? broken(name);
    return { of, name, rows, values, picks: values.map((_, at) => at), isOwn: true };
  }
  const values = wire.values ?? [];
  const picks = wire.picks === undefined ? rows.map(() => 0) : (numbersOf(wire.picks) ?? []);
  const fits = picks.length === rows.length && picks.every((position) => position in values);
  return fits ? { of, name, rows, values, picks, isOwn: false } : broken(name);
}

/** The Instances in the order of the reply. */
export function itemsOf(reply: ItemColumns, aspects: readonly string[]): readonly Item[] {
  const { ids, classNames } = rowsOf(reply);
  const empty = emptyOf(aspects);
  const items = ids.map((id, row): Draft => ({ id, className: classNames[row] ?? "", ...empty() }));
  for (const wire of reply.columns) {
    const column = columnOf(wire, items.length);
    for (const [at, row] of column.rows.entries()) {
      const [item, value] = [items[row], column.values[column.picks[at] ?? 0]];
      if (item !== undefined && value !== undefined) put(item, column, value);
    }
  }
  return items;
}

/** What was asked for and has no values is there, and empty. */
function emptyOf(aspects: readonly string[]): () => Partial<Draft> {
  const has = (...names: readonly string[]) => names.some((name) => aspects.includes(name));
  return () => ({
    ...(has("properties", "custom") ? { properties: {} } : {}),
    ...(has("defaults") ? { defaults: {} } : {}),
    ...(has("attributes") ? { attributes: {} } : {}),
    ...(has("tags") ? { tags: [] } : {}),
  });
}

function put(item: Draft, { of, name }: Column, value: SerializedValue): void {
  switch (of) {
    case "properties":
    case "defaults":
    case "attributes":
      // Also a name such as `__proto__` becomes a member of its own.
      Object.defineProperty((item[of] ??= {}), name, {
        value,
        enumerable: true,
        configurable: true,
        writable: true,
      });
      return;
    case "tags":
      item.tags = Array.isArray(value) ? value.map(String) : broken(of);
      return;
    case "source":
    case "base64":
      item[of] = typeof value === "string" ? value : broken(of);
      return;
    case "isDraft":
    case "hasUnsavedDraft":
      item[of] = value === true;
  }
}

/** `0-2,5` is 0, 1, 2, 5. Undefined for rows that are not there. */
function rowNumbers(text: string, rowCount: number): number[] | undefined {
  const rows: number[] = [];
  for (const run of text === "" ? [] : text.split(",")) {
    const [first = Number.NaN, last = first] = run.split("-").map(Number);
    if (!Number.isInteger(first) || !(last < rowCount)) return undefined;
    for (let row = first; row <= last; row += 1) rows.push(row);
  }
  return rows;
}

const NAMED: Readonly<Record<string, number>> = { inf: Infinity, "-inf": -Infinity, nan: NaN, "-nan": NaN };

/** The runtime's own reader is several times as fast as reading number by number. It knows no infinity. */
function numbersOf(text: string): readonly number[] | undefined {
  if (text === "") return [];
  try {
    if (!text.includes("n")) return JSON.parse(`[${text}]`);
  } catch {
    return undefined;
  }
  return text.split(",").map((each) => NAMED[each] ?? Number(each));
}

/** Infinities have names in the values of the wire, which are JSON. */
const component = (value: number): number | string =>
  Number.isFinite(value) ? value : Number.isNaN(value) ? "nan" : value > 0 ? "inf" : "-inf";

function tuplesOf(
  type: string,
  numbers: readonly number[],
  count: number,
): readonly SerializedValue[] | undefined {
  const size = type === NUMBER ? 1 : (datatype(type)?.fields.length ?? 0);
  if (size === 0 || numbers.length !== size * count) return undefined;
  if (type === NUMBER) return numbers;
  const isFinite = numbers.every(Number.isFinite);
  const values: SerializedValue[] = [];
  for (let at = 0; at < numbers.length; at += size) {
    const value = numbers.slice(at, at + size);
    values.push({ type, value: isFinite ? value : value.map(component) });
  }
  return values;
}

function broken(what: string): never {
  throw new StudioBridgeError("INVALID_PAYLOAD", `itemsResult: the column ${what} does not fit its rows`, {
    outcome: "ran_reply_lost",
  });
}
