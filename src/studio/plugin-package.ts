/** The plugin as the `.rbxm` that lies in Studio's plugins folder: from the tree of its scripts to bytes, and back. */
import { readBinaryModel } from "../roblox/binary-reader.ts";
import { writeBinaryModel } from "../roblox/binary-writer.ts";
import { childrenOf, ModelBuilder, NO_PARENT } from "../roblox/model.ts";
import type { Model, ModelColumn } from "../roblox/model.ts";
import { textOfByteString, utf8ByteString } from "../util/bytes.ts";
import type { PluginNode } from "./plugin-tree.ts";

const CLASS_NAMES = ["Folder", "Script", "ModuleScript"] as const;
const isService = () => false;

export function packPlugin(tree: PluginNode): Uint8Array {
  const builder = new ModelBuilder();
  addNode(builder, tree, NO_PARENT);
  return writeBinaryModel(builder.finish(), isService);
}

function addNode(builder: ModelBuilder, node: PluginNode, parent: number): void {
  const id = builder.add(node.className, parent);
  const set = (property: string, text: string) =>
    builder.set(id, property, { type: "String", value: utf8ByteString(text) });
  set("Name", node.name);
  if (node.className !== "Folder") set("Source", node.source);
  for (const child of node.children) addNode(builder, child, id);
}

/** Throws an Error when the bytes are no packed plugin. */
export function unpackPlugin(file: Uint8Array): PluginNode {
  const { model } = readBinaryModel(file);
  const children = childrenOf(model);
  const [root, ...others] = children.at(NO_PARENT) ?? [];
  if (root === undefined || others.length > 0) throw new Error("a packed plugin has exactly one root");
  return nodeOf(root, scriptsOf(model), children);
}

type Script = Omit<PluginNode, "children">;

/** Each Instance of the model without its children, by its id. */
function scriptsOf(model: Model): ReadonlyMap<number, Script> {
  const scripts = new Map<number, Script>();
  for (const { className: found, members, columns } of model.classes) {
    const className = CLASS_NAMES.find((known) => known === found);
    if (className === undefined) throw new Error(`a plugin cannot contain a ${found}`);
    for (const [row, id] of members.entries()) {
      const name = textAt(columns.get("Name"), row, `${className}.Name`);
      const source = className === "Folder" ? "" : textAt(columns.get("Source"), row, `${className}.Source`);
      scripts.set(id, { name, className, source });
    }
  }
  return scripts;
}

function textAt(column: ModelColumn | undefined, row: number, label: string): string {
  const value = column?.values[(column.rows[row] ?? 0) - 1];
  if (value?.type !== "String") throw new Error(`the plugin has a ${label} that is not text`);
  return textOfByteString(value.value);
}

function nodeOf(
  id: number,
  scripts: ReadonlyMap<number, Script>,
  children: readonly (readonly number[])[],
): PluginNode {
  const script = scripts.get(id);
  if (script === undefined) throw new Error(`the Instance ${id} of the plugin has no class`);
  return { ...script, children: (children[id] ?? []).map((child) => nodeOf(child, scripts, children)) };
}
