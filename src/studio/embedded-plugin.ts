/**
 * The plugin that this build of `sb` carries. It is embedded as the tree of its scripts and not as a `.rbxm`, because
 * headless Studio needs the tree at once, and unpacking the model would delay its start by 6 to 26 ms.
 */
import embedded from "../../build/plugin.json.zst" with { type: "file" };
import type { PluginNode } from "./plugin-tree.ts";

export async function embeddedPluginAsync(): Promise<PluginNode> {
  const tree: PluginNode = JSON.parse(
    new TextDecoder().decode(Bun.zstdDecompressSync(await Bun.file(embedded).bytes())),
  );
  return tree;
}
