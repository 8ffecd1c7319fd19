// What place files call the properties of a class where scripts say something else, or nothing at all.
import { aliasOf, serializes, type StoredClass, type StoredProperty } from "./database.ts";

/**
 * Entries joined by `,`:
 *   File=Property   a file's name for that property
 *   Other~Property  a name that files may use for it too, never written
 *   Old>New         a property that newer files keep as another one
 *   Name:Type       a property that only files know; the type is the database's own name, or Enum.Name
 */
export function fileNames(stored: StoredClass | undefined): string {
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
  return [...entries.values()].sort().join(",");
}

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
