/** The plugin that this build of `sb` carries. */
import packed from "../../build/plugin.rbxm.zst" with { type: "file" };
import { unpackPlugin } from "./plugin-package.ts";
import type { PluginNode } from "./plugin-tree.ts";

export async function embeddedPluginAsync(): Promise<PluginNode> {
  return unpackPlugin(Bun.zstdDecompressSync(await Bun.file(packed).bytes()));
}
