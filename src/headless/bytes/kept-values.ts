/**
 * Values of a place file that the engine cannot hold: identities, whole numbers that are too large for a Luau number,
 * and the files that Studio has found for fonts. They are kept outside the engine and put back when the place is saved.
 */
import type { FileValue, Model, ModelClass, ModelColumn } from "../../roblox/model.ts";

/** Identities of Instances in the file; a clone has others, so the engine never gets them. */
export const IDENTITIES: ReadonlySet<string> = new Set(["UniqueId", "HistoryId"]);

/** Values by the id of their Instance in the model that was opened. */
type Values = ReadonlyMap<number, FileValue>;

/** Values by the name of the property in the file. */
export type KeptValues = ReadonlyMap<string, Values>;

/** Of a model as its file has it. */
export function keptValuesOf({ classes }: Model): KeptValues {
  const kept = new Map<string, Map<number, FileValue>>();
  for (const { members, columns } of classes) {
    for (const [name, { values, rows }] of columns) {
      const isKept = values.map((value) => isIdentity(name, value) || isRounded(value) || isFoundFont(value));
      if (!isKept.includes(true)) continue;
      const own = kept.get(name) ?? new Map<number, FileValue>();
      kept.set(name, own);
      for (const [index, row] of rows.entries()) {
        const [id, value] = [members[index], values[row - 1]];
        if (id !== undefined && value !== undefined && isKept[row - 1] === true) own.set(id, value);
      }
    }
  }
  return kept;
}

const isIdentity = (name: string, { type }: FileValue): boolean =>
  type === "UniqueId" && IDENTITIES.has(name);

const isFoundFont = ({ type, value }: FileValue): boolean => type === "Font" && value.cachedFaceId !== "";

const isRounded = ({ type, value }: FileValue): boolean =>
  type === "Int64" && BigInt(Number(value)) !== value;

/**
 * The model for the file with what was kept; `origins` are the ids that its Instances had in the model that was opened.
 * What scripts have changed since stays changed.
 */
export function withKeptValues(model: Model, origins: readonly number[], kept: KeptValues): Model {
  if (kept.size === 0) return model;
  const classes = model.classes.map((owner): ModelClass => {
    const columns = new Map(owner.columns);
    for (const [name, values] of kept) {
      const mine = owner.members.map((id) => values.get(origins[id] ?? -1));
      const column = merged(columns.get(name), mine);
      if (column !== undefined) columns.set(name, column);
    }
    return { ...owner, columns };
  });
  return { parents: model.parents, classes };
}

/** Undefined where no member has anything of the kind. */
function merged(
  column: ModelColumn | undefined,
  mine: readonly (FileValue | undefined)[],
): ModelColumn | undefined {
  const first = mine.find((value) => value !== undefined);
  if (first === undefined) return column;
  if (column === undefined) {
    // Other values without a column have become the default, and are so on purpose.
    if (first.type !== "UniqueId") return undefined;
    const values = [...mine.filter((value) => value !== undefined), NO_IDENTITY];
    let used = 0;
    return { values, rows: mine.map((value) => (value === undefined ? values.length : ++used)) };
  }
  const values = [...column.values];
  const rows = column.rows.map((row, index) => {
    const [own, now] = [mine[index], column.values[row - 1]];
    return own !== undefined && now !== undefined && isSame(now, own) ? values.push(own) : row;
  });
  return { values, rows };
}

/** As far as the engine can tell them apart. */
function isSame(now: FileValue, own: FileValue): boolean {
  if (now.type === "Font" && own.type === "Font")
    return (
      now.value.family === own.value.family &&
      now.value.weight === own.value.weight &&
      now.value.style === own.value.style
    );
  return now.type === own.type && Number(now.value) === Number(own.value);
}

const NO_IDENTITY: FileValue = { type: "UniqueId", value: "\0".repeat(16) };
