/** `.meta.json` and `.meta.jsonc` files: properties, attributes and, for folders, the class of the Instance beside them. */
import { utf8ByteString } from "../../util/bytes.ts";
import { systemCodeOf } from "../../util/system-error.ts";
import type { FileSchema } from "../schema.ts";
import { type ProjectDisk, readDiskTextAsync } from "./disk.ts";
import type { RojoNode } from "./node.ts";
import { parseJsonAsync } from "./read-json.ts";
import { isRecord, resolveAttribute, resolveProperty, resolveTaggedAttribute } from "./values.ts";

/** What properties are read by, and where what Rojo leaves out is told. */
export interface PropertyScope {
  readonly schema: FileSchema;
  readonly problems: string[];
  readonly disk: ProjectDisk;
}

/** A file's is named after it; a folder's is called `init`, and may also say of which class the folder is. */
type MetaOwner = "file" | "folder";

/** `stem` is the path up to `.meta.json`. Does nothing when there is no such file. Throws an Error that names it. */
export async function applyMetaAsync(
  node: RojoNode,
  stem: string,
  owner: MetaOwner,
  scope: PropertyScope,
): Promise<void> {
  for (const path of [`${stem}.meta.json`, `${stem}.meta.jsonc`]) {
    const source = await readDiskTextAsync(scope.disk, path).catch((error: unknown) => {
      if (systemCodeOf(error) === "ENOENT") return undefined;
      throw error;
    });
    if (source === undefined) continue;
    try {
      applyMeta(node, await parseJsonAsync(source), owner, scope);
    } catch (error) {
      throw new Error(`${path}: ${error instanceof Error ? error.message : String(error)}`, { cause: error });
    }
  }
}

function applyMeta(node: RojoNode, meta: unknown, owner: MetaOwner, scope: PropertyScope): void {
  if (!isRecord(meta)) throw new Error("expected an object");
  const { className, id } = meta;
  if (typeof className === "string" && owner === "folder") {
    if (node.className !== "Folder")
      throw new Error(`className is for folders, and this is a ${node.className}`);
    node.className = className;
  }
  if (typeof id === "string") node.id = id;
  applyProperties(node, meta["properties"], scope);
  applyAttributes(node, meta["attributes"]);
}

/** Throws an Error for what is no object of properties. */
export function applyProperties(node: RojoNode, properties: unknown, scope: PropertyScope): void {
  if (properties === undefined) return;
  if (!isRecord(properties)) throw new Error("properties must be an object");
  for (const [name, json] of Object.entries(properties)) {
    // Where it is decides both.
    if (name === "Name" || name === "Parent") continue;
    if (name === "Attributes") {
      setAttributes(node, attributesIn(json), resolveTaggedAttribute);
      continue;
    }
    const value = resolveProperty(scope.schema, node.className, name, json);
    if (isSaved(node.className, name, scope)) node.properties.set(name, value);
  }
}

/** What would be said in place of a property that no file holds. */
const INSTEAD: Readonly<Record<string, string>> = {
  Position: "CFrame",
  Orientation: "CFrame",
  Rotation: "CFrame",
  Enabled: "Disabled",
};

/** Rojo writes a place file, and drops without a word what such files do not hold. */
function isSaved(className: string, name: string, { schema, problems }: PropertyScope): boolean {
  const property = schema.property(className, name);
  if (property?.kind !== "property" || property.isSaved) return true;
  const instead = schema.property(className, INSTEAD[name] ?? "") === undefined ? undefined : INSTEAD[name];
  const advice = instead === undefined ? "" : ` Set ${instead} instead.`;
  const problem = `${className}.${name} left out, as Rojo does: place files do not hold it.${advice}`;
  if (!problems.includes(problem)) problems.push(problem);
  return false;
}

/** Written as `{ "Attributes": { … } }`, or without that. */
const attributesIn = (value: unknown): unknown =>
  isRecord(value) && isRecord(value["Attributes"]) ? value["Attributes"] : value;

/** Throws an Error for what is no object of attributes. */
export function applyAttributes(node: RojoNode, attributes: unknown): void {
  if (attributes !== undefined) setAttributes(node, attributes, resolveAttribute);
}

/** They take the place of all that the Instance has had. */
function setAttributes(node: RojoNode, attributes: unknown, resolve: typeof resolveAttribute): void {
  if (!isRecord(attributes)) throw new Error("attributes must be an object");
  const entries = Object.entries(attributes);
  if (entries.length > 0) node.attributes.clear();
  for (const [name, value] of entries) node.attributes.set(utf8ByteString(name), resolve(name, value));
}
