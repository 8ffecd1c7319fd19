/**
 * The plugin tree as bytes that Luau reads without a JSON parser: the place's name, then each node in depth-first order,
 * a header line `depth className nameBytes sourceBytes` before name and source.
 */
import type { PluginNode } from "../../studio/plugin-tree.ts";

export function encodePluginTree(placeName: string, tree: PluginNode): Uint8Array {
  const parts = [`${Buffer.byteLength(placeName)}\n${placeName}`];
  const visit = (node: PluginNode, depth: number): void => {
    const sizes = `${Buffer.byteLength(node.name)} ${Buffer.byteLength(node.source)}`;
    parts.push(`${depth} ${node.className} ${sizes}\n${node.name}${node.source}`);
    for (const child of node.children) visit(child, depth + 1);
  };
  visit(tree, 0);
  return new TextEncoder().encode(parts.join(""));
}
