/** `.model.json` files: a tree of Instances as JSON. Old files begin their keys with capitals. */
import { applyStatement, type PropertyScope } from "./meta.ts";
import { newNode, type RojoNode } from "./node.ts";
import { isRecord } from "./values.ts";

/** Throws an Error for what is no model. */
export function jsonModelNode(name: string, json: unknown, scope: PropertyScope): RojoNode {
  if (!isRecord(json)) throw new Error("expected an object");
  const className = json["className"] ?? json["ClassName"];
  if (typeof className !== "string") throw new Error("className is missing");
  const node = newNode(name, className);
  const { id } = json;
  if (typeof id === "string") node.id = id;
  const properties = json["properties"] ?? json["Properties"];
  const attributes = json["attributes"] ?? json["Attributes"];
  applyStatement(node, properties, attributes, scope);
  const children = json["children"] ?? json["Children"] ?? [];
  if (!Array.isArray(children)) throw new Error("children must be an array");
  for (const child of children) node.children.push(jsonModelNode(nameOf(child), child, scope));
  return node;
}

function nameOf(json: unknown): string {
  if (!isRecord(json)) throw new Error("a child must be an object");
  return String(json["name"] ?? json["Name"] ?? json["className"] ?? json["ClassName"] ?? "");
}
