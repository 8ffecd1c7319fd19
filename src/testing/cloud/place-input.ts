/**
 * Packs the project's place into bytes, which a task in the cloud unpacks into the place that it runs in. Such bytes
 * cannot contain services, so that Folders replace them. A table before the model says what each Folder replaces;
 * `Task.luau` reads it.
 */
import type { PlaceContent } from "../../headless/index.ts";
import { writeBinaryModel } from "../../roblox/binary-writer.ts";
import { asFileModel } from "../../roblox/file-model.ts";
import type { FileValue } from "../../roblox/model.ts";
import { modelOf, newNode, nodesOf, type RojoNode } from "../../roblox/rojo/node.ts";
import type { FileSchema } from "../../roblox/schema.ts";
import { textOfByteString } from "../../util/bytes.ts";

interface StandIn {
  readonly className: string;
  /** The properties of a service that JSON can hold. Other properties keep their values in the cloud. */
  readonly properties: Readonly<Record<string, boolean | number | string>>;
}

/** The start of the names of stand-ins. No Instance of a project has such a name by chance. */
const PREFIX = "sb test stand-in ";

/** The bytes: the length of the table in 4 bytes, the table as JSON, and a binary model. */
export function placeInput({
  model,
  schema,
}: Pick<PlaceContent, "model" | "schema">): Uint8Array<ArrayBuffer> {
  const standIns: Record<string, StandIn> = {};
  const root = newNode("", "DataModel");
  for (const node of nodesOf(model))
    if (standInOrKeep(node, schema, standIns, true)) root.children.push(node);
  const bytes = writeBinaryModel(asFileModel(modelOf(root, schema), schema, "binary"), () => false);
  const table = new TextEncoder().encode(JSON.stringify(standIns));
  const input = new Uint8Array(4 + table.length + bytes.length);
  new DataView(input.buffer).setUint32(0, table.length, true);
  input.set(table, 4);
  input.set(bytes, 4 + table.length);
  return input;
}

/**
 * Turns a node that scripts cannot create into a Folder that stands in for it. This needs a stand-in above it, or the root.
 * Returns false if the node is to be left out: a service without any content, or an Instance that no script can create and
 * that is not directly below a stand-in.
 */
function standInOrKeep(
  node: RojoNode,
  schema: FileSchema,
  standIns: Record<string, StandIn>,
  isBelowStandIn: boolean,
): boolean {
  const { className, children } = node;
  const isService = schema.isService(className);
  const isStandIn = isService || (schema.isClass(className) && !schema.isCreatable(className));
  if (isStandIn && !isBelowStandIn) return false;
  const kept = children.filter((child) => standInOrKeep(child, schema, standIns, isStandIn));
  children.splice(0, children.length, ...kept);
  if (!isStandIn) return true;
  const properties = isService ? simpleProperties(node, schema) : {};
  const hasFacts = Object.keys(properties).length > 0 || node.attributes.size > 0 || hasTags(node);
  if (children.length === 0 && !hasFacts) return false;
  const name = PREFIX + Object.keys(standIns).length;
  standIns[name] = { className, properties };
  const tags = node.properties.get("Tags");
  node.name = name;
  node.className = "Folder";
  node.references.clear();
  node.properties.clear();
  if (tags !== undefined) node.properties.set("Tags", tags);
  return true;
}

function hasTags({ properties }: RojoNode): boolean {
  const tags = properties.get("Tags")?.value;
  return tags !== undefined && tags !== "";
}

function simpleProperties({ className, properties }: RojoNode, schema: FileSchema): StandIn["properties"] {
  return Object.fromEntries(
    [...properties].flatMap(([fileName, value]) => {
      const property = schema.property(className, fileName);
      const simple = property?.kind === "property" ? simpleValue(value) : undefined;
      return simple === undefined || property?.kind !== "property" ? [] : [[property.name, simple]];
    }),
  );
}

function simpleValue({ type, value }: FileValue): boolean | number | string | undefined {
  switch (type) {
    case "Bool":
      return value;
    case "Enum":
    case "Int32":
    case "Float32":
    case "Float64":
      return Number.isFinite(value) ? value : undefined;
    case "String":
      return textOfByteString(value);
    default:
      return undefined;
  }
}
