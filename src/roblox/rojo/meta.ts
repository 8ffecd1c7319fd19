/** `.meta.json` and `.meta.jsonc` files: properties, attributes and, for folders, the class of the Instance beside them. */
import { readFile } from "node:fs/promises";
import { utf8ByteString } from "../../util/bytes.ts";
import { systemCodeOf } from "../../util/system-error.ts";
import type { FileSchema } from "../schema.ts";
import type { RojoNode } from "./node.ts";
import { isRecord, resolveAttribute, resolveProperty } from "./values.ts";

/** A file's is named after it; a folder's is called `init`, and may also say of which class the folder is. */
type MetaOwner = "file" | "folder";

/** `stem` is the path up to `.meta.json`. Does nothing when there is no such file. Throws an Error that names it. */
export async function applyMetaAsync(
  node: RojoNode,
  stem: string,
  owner: MetaOwner,
  schema: FileSchema,
): Promise<void> {
  for (const path of [`${stem}.meta.json`, `${stem}.meta.jsonc`]) {
    const source = await readFile(path, "utf8").catch((error: unknown) => {
      if (systemCodeOf(error) === "ENOENT") return undefined;
      throw error;
    });
    if (source === undefined) continue;
    try {
      applyMeta(node, Bun.JSONC.parse(source), owner, schema);
    } catch (error) {
      throw new Error(`${path}: ${error instanceof Error ? error.message : String(error)}`, { cause: error });
    }
  }
}

function applyMeta(node: RojoNode, meta: unknown, owner: MetaOwner, schema: FileSchema): void {
  if (!isRecord(meta)) throw new Error("expected an object");
  const { className, id } = meta;
  if (typeof className === "string" && owner === "folder") {
    if (node.className !== "Folder")
      throw new Error(`className is for folders, and this is a ${node.className}`);
    node.className = className;
  }
  if (typeof id === "string") node.id = id;
  applyProperties(node, meta["properties"], schema);
  applyAttributes(node, meta["attributes"]);
}

/** Throws an Error for what is no object of properties. */
export function applyProperties(node: RojoNode, properties: unknown, schema: FileSchema): void {
  if (properties === undefined) return;
  if (!isRecord(properties)) throw new Error("properties must be an object");
  for (const [name, value] of Object.entries(properties)) {
    // Where it is decides both.
    if (name === "Name" || name === "Parent") continue;
    if (name === "Attributes") applyAttributes(node, attributesIn(value));
    else node.properties.set(name, resolveProperty(schema, node.className, name, value));
  }
}

/** Written as `{ "Attributes": { … } }`, or without that. */
const attributesIn = (value: unknown): unknown =>
  isRecord(value) && isRecord(value["Attributes"]) ? value["Attributes"] : value;

/** They take the place of all that the Instance has had. Throws an Error for what is no object of attributes. */
export function applyAttributes(node: RojoNode, attributes: unknown): void {
  if (attributes === undefined) return;
  if (!isRecord(attributes)) throw new Error("attributes must be an object");
  const entries = Object.entries(attributes);
  if (entries.length > 0) node.attributes.clear();
  for (const [name, value] of entries)
    node.attributes.set(utf8ByteString(name), resolveAttribute(name, value));
}
