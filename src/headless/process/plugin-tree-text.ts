/**
 * Writes the plugin for a headless Studio as bytes that Luau reads without a JSON parser. The first line has two sizes: that of the
 * place's name, and that of the name of a module.
 */
import type { PluginNode } from "../../studio/plugin-tree.ts";

/** A plugin as a tree: its nodes, as nodeTexts gives them. */
export function encodePluginTree(placeName: string, tree: PluginNode): Uint8Array {
  return new TextEncoder().encode(head(placeName, "") + nodeTexts(tree).join(""));
}

/** Each node in depth-first order: a line `depth className nameBytes sourceBytes`, its name and its source. */
export function nodeTexts({ name, className, source, children }: PluginNode, depth = 0): readonly string[] {
  const sizes = `${Buffer.byteLength(name)} ${Buffer.byteLength(source)}`;
  const own = `${depth} ${className} ${sizes}\n${name}${source}`;
  return [own, ...children.flatMap((child) => nodeTexts(child, depth + 1))];
}

/** The plugin that the saved VM contains, with another source in one module. */
export function encodeSavedPlugin(placeName: string, moduleName: string, source: string): Uint8Array {
  return new TextEncoder().encode(head(placeName, moduleName) + source);
}

const head = (placeName: string, moduleName: string): string =>
  `${Buffer.byteLength(placeName)} ${Buffer.byteLength(moduleName)}\n${placeName}${moduleName}`;
