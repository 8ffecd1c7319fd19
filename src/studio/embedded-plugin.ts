/**
 * The plugin that this build of `sb` carries, as the tree of its scripts and not as a `.rbxm`, because its installer puts the
 * machine's key into one of them. Headless Studio has the same tree in its saved VM.
 */
import embedded from "../../build/plugin.json.zst" with { type: "file" };
import type { PluginNode } from "./plugin-tree.ts";

export async function embeddedPluginAsync(): Promise<PluginNode> {
  const tree: PluginNode = JSON.parse(
    new TextDecoder().decode(Bun.zstdDecompressSync(await Bun.file(embedded).bytes())),
  );
  return tree;
}
