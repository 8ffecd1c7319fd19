/** `.meta.json` and `.meta.jsonc` files: properties, attributes and, for folders, the class of the Instance beside them. */
import { utf8ByteString } from "../../util/bytes.ts";
import { isFrameHalf } from "../part-frames.ts";
import type { FileSchema } from "../schema.ts";
import { type ProjectDisk, readDiskTextAsync } from "./disk.ts";
import { inFile } from "./file-fault.ts";
import type { RojoNode } from "./node.ts";
import { type Statement, withStatement } from "./origin.ts";
import { parseJsonAsync } from "./read-json.ts";
import { isRecord, resolveAttribute, resolveProperty, resolveTaggedAttribute } from "./values.ts";

/** What properties are read by, and where what Rojo leaves out is told. */
export interface PropertyScope {
  readonly schema: FileSchema;
  readonly problems: string[];
  readonly disk: ProjectDisk;
}

/** A file's is named after it; a folder's is called `init`, and may also say of which class the folder is. */
export type MetaOwner = "file" | "folder";

/** `path` is the meta file's. Throws FileFault. */
export async function applyMetaAsync(
  node: RojoNode,
  path: string,
  owner: MetaOwner,
  scope: PropertyScope,
): Promise<void> {
  try {
    const source = await readDiskTextAsync(scope.disk, path);
    const { statement, ignoreUnknownInstances } = applyMeta(node, await parseJsonAsync(source), owner, scope);
    if (node.origin === undefined) return;
    node.origin = {
      ...withStatement(node.origin, "meta", statement),
      meta: path,
      ...(ignoreUnknownInstances === undefined ? {} : { ignoreUnknownInstances }),
    };
  } catch (error) {
    throw inFile(path, error);
  }
}

interface ReadMeta {
  readonly statement: Statement;
  readonly ignoreUnknownInstances: boolean | undefined;
}

function applyMeta(node: RojoNode, meta: unknown, owner: MetaOwner, scope: PropertyScope): ReadMeta {
  if (!isRecord(meta)) throw new Error("expected an object");
  const { className, id } = meta;
  const statesClass = typeof className === "string" && owner === "folder";
  if (statesClass) {
    if (node.className !== "Folder")
      throw new Error(`className is for folders, and this is a ${node.className}`);
    node.className = className;
  }
  if (typeof id === "string") node.id = id;
  const statement = applyStatement(node, meta["properties"], meta["attributes"], scope);
  return {
    statement: { ...statement, className: statesClass },
    ignoreUnknownInstances: ignoreUnknownOf(meta["ignoreUnknownInstances"], "ignoreUnknownInstances"),
  };
}

/** Throws an Error for what is neither true nor false. `null` counts as nothing said. */
export function ignoreUnknownOf(value: unknown, key: string): boolean | undefined {
  if (value === undefined || value === null) return undefined;
  if (typeof value !== "boolean") throw new Error(`${key} must be true or false`);
  return value;
}

/** Returns the names of what was set. Throws an Error for what is no object of properties or attributes. */
export function applyStatement(
  node: RojoNode,
  properties: unknown,
  attributes: unknown,
  scope: PropertyScope,
): Statement {
  const names = applyProperties(node, properties, scope);
  if (attributes !== undefined) setAttributes(node, attributes, resolveAttribute);
  const statesAttributes = attributes !== undefined || (isRecord(properties) && "Attributes" in properties);
  return { properties: names, attributes: statesAttributes ? [...node.attributes.keys()] : [] };
}

/** Returns the names of the properties that were set. */
function applyProperties(node: RojoNode, properties: unknown, scope: PropertyScope): readonly string[] {
  if (properties === undefined) return [];
  if (!isRecord(properties)) throw new Error("properties must be an object");
  const names: string[] = [];
  for (const [name, json] of Object.entries(properties)) {
    // Where it is decides both.
    if (name === "Name" || name === "Parent") continue;
    if (name === "Attributes") {
      setAttributes(node, attributesIn(json), resolveTaggedAttribute);
      continue;
    }
    const value = resolveProperty(scope.schema, node.className, name, json);
    if (!isSaved(node.className, name, scope)) continue;
    node.properties.set(name, value);
    names.push(name);
  }
  return names;
}

/** What would be said in place of a property that no file holds. */
const INSTEAD: Readonly<Record<string, string>> = {
  Enabled: "Disabled",
};

/** Rojo writes a place file, and drops without a word what such files do not hold. */
function isSaved(className: string, name: string, { schema, problems }: PropertyScope): boolean {
  const property = schema.property(className, name);
  if (property?.kind !== "property" || property.isSaved) return true;
  // Their CFrame is what files hold.
  if (isFrameHalf(schema, className, name)) return true;
  // Of a property that scripts alone know, files may hold another form under a name of its own.
  if (name !== property.name && name === schema.fileName(className, property.name)) return true;
  const instead = schema.property(className, INSTEAD[name] ?? "") === undefined ? undefined : INSTEAD[name];
  const advice = instead === undefined ? "" : ` Set ${instead} instead.`;
  const problem = `${className}.${name} left out, as Rojo does: place files do not hold it.${advice}`;
  if (!problems.includes(problem)) problems.push(problem);
  return false;
}

/** Written as `{ "Attributes": { … } }`, or without that. */
const attributesIn = (value: unknown): unknown =>
  isRecord(value) && isRecord(value["Attributes"]) ? value["Attributes"] : value;

/** They take the place of all that the Instance has had. */
function setAttributes(node: RojoNode, attributes: unknown, resolve: typeof resolveAttribute): void {
  if (!isRecord(attributes)) throw new Error("attributes must be an object");
  const entries = Object.entries(attributes);
  if (entries.length > 0) node.attributes.clear();
  for (const [name, value] of entries) node.attributes.set(utf8ByteString(name), resolve(name, value));
}
