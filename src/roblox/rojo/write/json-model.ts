/** The text of `.model.json` files: whole, and changes of single Instances in them. */
import {
  jsonAt,
  jsonText,
  type JsonPath,
  type JsonValue,
  removeJson,
  setJson,
} from "../../../util/json-edit.ts";
import type { FileSchema } from "../../schema.ts";
import type { RojoNode } from "../node.ts";
import {
  changedStatement,
  compact,
  isObject,
  type StatementChanges,
  type StatementKeys,
  statementOf,
  type Unwritable,
  type WrittenText,
} from "./statement.ts";

const KEYS: StatementKeys = {
  className: ["className", "ClassName"],
  id: "id",
  properties: ["properties", "Properties"],
  attributes: ["attributes", "Attributes"],
};
const NAMES = ["name", "Name"];
const CHILDREN = ["children", "Children"];

/** A new file. The name of the first Instance is that of the file. */
export function modelJsonText(schema: FileSchema, node: RojoNode): WrittenText {
  const unwritable: Unwritable[] = [];
  const json = partJson(schema, node, undefined, unwritable);
  return { text: `${jsonText(json, { indent: "", unit: "  ", lineEnd: "\n" })}\n`, unwritable };
}

function partJson(
  schema: FileSchema,
  node: RojoNode,
  name: string | undefined,
  unwritable: Unwritable[],
): JsonValue {
  const { properties, attributes, unwritable: own } = statementOf(schema, node);
  unwritable.push(...own);
  const children = node.children.map((child) => partJson(schema, child, child.name, unwritable));
  return {
    ...(name === undefined ? {} : { name }),
    className: node.className,
    ...compact({ id: node.id, properties, attributes, children }),
  };
}

export interface PartChanges extends StatementChanges {
  /** Not for the first Instance, which is named by its file. */
  readonly name?: string;
}

/** `position` is the way to the Instance from the top of the file, by the positions of children. Throws TextFault. */
export function changedModelPart(
  schema: FileSchema,
  text: string,
  position: readonly number[],
  className: string,
  { name, ...changes }: PartChanges,
): WrittenText {
  const path = pathOf(text, position);
  const renamed = name === undefined ? text : setJson(text, [...path, keyAt(text, path, NAMES)], name);
  return changedStatement(renamed, path, KEYS, schema, className, changes);
}

/** Adds a last child to the Instance at `position`. Throws TextFault. */
export function withModelPart(
  schema: FileSchema,
  text: string,
  position: readonly number[],
  node: RojoNode,
): WrittenText {
  const unwritable: Unwritable[] = [];
  const path = pathOf(text, position);
  const list = [...path, keyAt(text, path, CHILDREN)];
  const present = jsonAt(text, list);
  const end = Array.isArray(present) ? present.length : 0;
  const part = partJson(schema, node, node.name, unwritable);
  const changed = end === 0 ? setJson(text, list, [part]) : setJson(text, [...list, end], part);
  return { text: changed, unwritable };
}

/** The text without an Instance and what is below it. Positions behind it move. Throws TextFault. */
export function withoutModelPart(text: string, position: readonly number[]): string {
  const path = pathOf(text, position);
  const list = path.slice(0, -1);
  const siblings = jsonAt(text, list);
  return removeJson(text, Array.isArray(siblings) && siblings.length === 1 ? list : path);
}

/** Throws an Error for a position that the file does not have. */
function pathOf(text: string, position: readonly number[]): JsonPath {
  return position.reduce<JsonPath>((path, index) => {
    const next = [...path, keyAt(text, path, CHILDREN), index];
    if (jsonAt(text, next) === undefined)
      throw new Error(`the model has no Instance at ${position.join(".")}`);
    return next;
  }, []);
}

/** The one of several spellings that the file uses at `path`, or the first. */
function keyAt(text: string, path: JsonPath, spellings: readonly string[]): string {
  const value = jsonAt(text, path);
  return spellings.find((key) => isObject(value) && key in value) ?? spellings[0] ?? "";
}
