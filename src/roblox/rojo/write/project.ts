/** The text of project files: changes of the nodes of their trees. */
import { type JsonValue, setJson } from "../../../util/json-edit.ts";
import type { FileSchema } from "../../schema.ts";
import {
  changedStatement,
  isObject,
  type StatementChanges,
  type StatementKeys,
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

/** The text of a new project, such as one whose `name` is what no file can bear. */
export function newProjectText(name: string, tree: { readonly [key: string]: JsonValue }): string {
  return setJson("", [], isObject(tree) ? { name, tree } : {});
}
