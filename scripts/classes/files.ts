// What place files call the properties of a class where scripts say something else, or nothing at all.
import {
  aliasOf,
  type Database,
  defaultText,
  serializes,
  type StoredClass,
  type StoredProperty,
} from "./database.ts";

/**
 * Entries joined by `,`:
 *   File=Property   a file's name for that property
 *   Other~Property  a name that files may use for it too, never written
 *   Old>New         a property that newer files keep as another one
 *   Name:Type       a property that only files know; the type is the database's own name, or Enum.Name
 *   Name!value      what a property that no script sees holds at first, by its file name, where that is no kind of zero
 */
export function fileNames(stored: StoredClass | undefined, defaults: readonly string[]): string {
  const entries = new Map<string, string>();
  // A deprecated property gives way to its successor of the same file name.
  const properties = Object.entries(stored?.Properties ?? {}).sort(([, a], [, b]) => age(b) - age(a));
  for (const [name, property] of properties) {
    const alias = aliasOf(property);
    const [newer] = migrationOf(property);
    const fileName = fileNameOf(property);
    if (alias !== undefined) entries.set(name, entries.get(name) ?? `${name}~${alias}`);
    else if (newer !== undefined) entries.set(name, `${name}>${newer}`);
    else if (fileName !== undefined) entries.set(fileName, `${fileName}=${name}`);
    if (alias === undefined && newer === undefined && isHidden(property) && serializes(property))
      entries.set(name, entries.get(name) ?? `${name}:${typeOf(property)}`);
  }
  if (entries.has(PIVOT_DATA)) entries.set(PIVOT_DATA, `${PIVOT_DATA}=WorldPivot`);
  return [...entries.values(), ...defaults].sort().join(",");
}

/** For each class, its entries `Name!value`: a subclass only has what differs from its superclass. */
export function hiddenDefaults({ Classes }: Database): ReadonlyMap<string, readonly string[]> {
  const entries = new Map<string, string[]>();
  for (const [owner, { Properties }] of Object.entries(Classes)) {
    for (const [propertyName, property] of Object.entries(Properties)) {
      if (!isHidden(property) || aliasOf(property) !== undefined) continue;
      const fileName = fileNameOf(property) ?? propertyName;
      const texts = new Map(
        heirsOf(owner, Classes).flatMap((name) => {
          const value = Classes[name]?.DefaultProperties[propertyName];
          const text = value === undefined ? undefined : plainDefault(value);
          return text === undefined ? [] : [[name, text] as const];
        }),
      );
      const usual = mostCommon([...texts.values()]);
      const add = (name: string, text: string) =>
        entries.set(name, [...(entries.get(name) ?? []), `${fileName}!${text}`]);
      if (usual !== undefined && !isZero(usual)) add(owner, usual);
      for (const [name, text] of texts) if (text !== usual && name !== owner) add(name, text);
    }
  }
  return entries;
}

/** The text of a value; undefined for what has no flat text. */
function plainDefault(value: Parameters<typeof defaultText>[0]): string | undefined {
  const [type = ""] = Object.keys(value);
  return STRUCTURED.has(type) ? undefined : defaultText(value);
}

const STRUCTURED = new Set(["Attributes", "Tags", "MaterialColors", "UniqueId"]);

const isZero = (text: string): boolean => /^(0| |false)*$/.test(text) || text === "0 0 0 1 0 0 0 1 0 0 0 1";

function mostCommon(texts: readonly string[]): string | undefined {
  const counts = new Map<string, number>();
  for (const text of texts) counts.set(text, (counts.get(text) ?? 0) + 1);
  return [...counts].sort(([, left], [, right]) => right - left)[0]?.[0];
}

/** A class and all that inherit from it. */
const heirsOf = (owner: string, classes: Database["Classes"]): string[] =>
  Object.keys(classes).filter((name) => {
    for (let at: string | null | undefined = name; at != null; at = classes[at]?.Superclass)
      if (at === owner) return true;
    return false;
  });

/** What files keep for the scriptable WorldPivot of a model; the database knows of no connection. */
const PIVOT_DATA = "WorldPivotData";

const age = ({ Tags }: StoredProperty): number => (Tags.includes("Deprecated") ? 1 : 0);

const isHidden = ({ Scriptability }: StoredProperty): boolean => !Scriptability.startsWith("Read");

const typeOf = ({ DataType }: StoredProperty): string =>
  "Enum" in DataType ? `Enum.${DataType.Enum}` : DataType.Value;

function fileNameOf(property: StoredProperty): string | undefined {
  const form = serialization(property);
  return form !== undefined && "SerializesAs" in form ? String(form.SerializesAs) : undefined;
}

/** The properties that a value moves to; none where it stays. */
function migrationOf(property: StoredProperty): string[] {
  const form = serialization(property);
  if (form === undefined || !("Migrate" in form)) return [];
  const migration = form.Migrate;
  if (typeof migration !== "object" || migration === null || !("To" in migration)) return [];
  return Array.isArray(migration.To) ? migration.To.map(String) : [String(migration.To)];
}

function serialization({ Kind }: StoredProperty): object | undefined {
  if (!("Canonical" in Kind)) return undefined;
  const form = Kind.Canonical.Serialization;
  return typeof form === "object" && form !== null ? form : undefined;
}
