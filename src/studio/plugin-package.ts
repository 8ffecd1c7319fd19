/**
 * The packed plugin: a tree of Instances as the bytes of a `.rbxm`, and back. The build embeds one; installing it and
 * loading it into headless Studio both start from the embedded bytes, so both get the very same plugin.
 */
import { readRbxm, writeRbxm } from "./rbxm.ts";
import type { RbxmInstance, RbxmValue } from "./rbxm.ts";
import type { PluginNode } from "./plugin-tree.ts";

const CLASS_NAMES = ["Folder", "Script", "ModuleScript"] as const;
const text = (value: string): RbxmValue => ({ type: "string", value });

export function packPlugin(tree: PluginNode): Uint8Array {
  return writeRbxm([toInstance(tree)]);
}

/** Throws an Error when the bytes are no packed plugin. */
export function unpackPlugin(file: Uint8Array): PluginNode {
  const [root, ...others] = readRbxm(file);
  if (root === undefined || others.length > 0) throw new Error("a packed plugin has exactly one root");
  return fromInstance(root);
}

function toInstance(node: PluginNode): RbxmInstance {
  const properties: [string, RbxmValue][] = [["Name", text(node.name)]];
  if (node.className !== "Folder") properties.push(["Source", text(node.source)]);
  return {
    className: node.className,
    properties: new Map(properties),
    children: node.children.map(toInstance),
  };
}

function fromInstance(instance: RbxmInstance): PluginNode {
  const className = CLASS_NAMES.find((name) => name === instance.className);
  if (className === undefined) throw new Error(`a plugin has no use for a ${instance.className}`);
  return {
    name: stringProperty(instance, "Name"),
    className,
    source: className === "Folder" ? "" : stringProperty(instance, "Source"),
    children: instance.children.map(fromInstance),
  };
}

function stringProperty(instance: RbxmInstance, name: string): string {
  const value = instance.properties.get(name);
  if (value?.type !== "string") throw new Error(`a ${instance.className} of the plugin has no ${name}`);
  return value.value;
}
