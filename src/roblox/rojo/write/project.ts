/** The text of project files: changes of the nodes of their trees. */
import {
  jsonAt,
  type JsonPath,
  type JsonValue,
  removeJson,
  renameJson,
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
  className: ["$className"],
  id: "$id",
  properties: ["$properties"],
  attributes: ["$attributes"],
};

/** `keys` leads to the node from the top of the file, and `className` is its class before the changes. Throws TextFault. */
export function changedProjectNode(
  schema: FileSchema,
  text: string,
  keys: readonly string[],
  className: string,
  changes: StatementChanges,
): WrittenText {
  return changedStatement(text, keys, KEYS, schema, className, changes);
}

/**
 * Adds a child without files of its own to the node at `keys`. A name that a project cannot have, and one that is taken,
 * are unwritable. Throws TextFault.
 */
export function withProjectNode(
  schema: FileSchema,
  text: string,
  keys: readonly string[],
  node: RojoNode,
): WrittenText {
  const unwritable: Unwritable[] = [];
  const json = nodeJson(schema, node, unwritable);
  if (json === undefined) return { text, unwritable };
  return withProjectEntry(text, keys, node.name, json, unwritable);
}

/** Adds a child whose files are at `path`, relative to the folder of the project. Throws TextFault. */
export function withProjectPath(
  text: string,
  keys: readonly string[],
  name: string,
  path: string,
): WrittenText {
  return withProjectEntry(text, keys, name, { $path: path }, []);
}

function withProjectEntry(
  text: string,
  keys: readonly string[],
  name: string,
  json: JsonValue,
  unwritable: readonly Unwritable[],
): WrittenText {
  const reason = nameFault(name) ?? (has(text, [...keys, name]) ? "is taken in the project" : undefined);
  if (reason !== undefined) return { text, unwritable: [...unwritable, { name, reason }] };
  return { text: setJson(text, [...keys, name], json), unwritable };
}

/** The name of the project itself is that of its root. Throws TextFault. */
export function renamedProjectNode(text: string, keys: readonly string[], name: string): WrittenText {
  if (keys.length === 1) return { text: setJson(text, ["name"], name), unwritable: [] };
  const taken = has(text, [...keys.slice(0, -1), name]) ? "is taken in the project" : undefined;
  const reason = nameFault(name) ?? taken;
  if (reason !== undefined) return { text, unwritable: [{ name, reason }] };
  return { text: renameJson(text, keys, name), unwritable: [] };
}

/** Throws TextFault. */
export const withoutProjectNode = (text: string, keys: readonly string[]): string => removeJson(text, keys);

const has = (text: string, path: JsonPath): boolean => jsonAt(text, path) !== undefined;

const nameFault = (name: string): string | undefined =>
  name.startsWith("$") ? "begins with $, which projects keep for themselves" : undefined;

/** Undefined where a name below does not fit, which is then among the unwritable. */
function nodeJson(schema: FileSchema, node: RojoNode, unwritable: Unwritable[]): JsonValue | undefined {
  const { properties, attributes, unwritable: own } = statementOf(schema, node);
  unwritable.push(...own);
  const children: [string, JsonValue][] = [];
  for (const child of node.children) {
    const isTaken = children.some(([name]) => name === child.name);
    const reason = nameFault(child.name) ?? (isTaken ? "is the name of two children" : undefined);
    const json = reason === undefined ? nodeJson(schema, child, unwritable) : undefined;
    if (reason !== undefined) unwritable.push({ name: child.name, reason });
    if (json === undefined) return undefined;
    children.push([child.name, json]);
  }
  return {
    $className: node.className,
    ...compact({ $id: node.id, $properties: properties, $attributes: attributes }),
    ...Object.fromEntries(children),
  };
}

/** The text of a new project, such as one whose `name` is what no file can bear. */
export function newProjectText(name: string, tree: { readonly [key: string]: JsonValue }): string {
  return setJson("", [], isObject(tree) ? { name, tree } : {});
}
