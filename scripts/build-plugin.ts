/**
 * Reads plugin/src as the tree of scripts that the binary embeds, with Rojo's naming rules: a folder with an `init` file
 * becomes that script, one without becomes a Folder, `X.luau` becomes the ModuleScript X.
 */
import { mkdir, readdir } from "node:fs/promises";
import { basename, join } from "node:path";
import { withModuleSource } from "../src/studio/plugin-tree.ts";
import type { PluginNode } from "../src/studio/plugin-tree.ts";

const ROOT_NAME = "StudioBridge";
const source = join(import.meta.dir, "..", "plugin", "src");

async function readFolderAsync(folder: string, name: string): Promise<PluginNode> {
  const entries = (await readdir(folder, { withFileTypes: true })).sort((a, b) => (a.name < b.name ? -1 : 1));
  const children: PluginNode[] = [];
  let self: Pick<PluginNode, "className" | "source"> = { className: "Folder", source: "" };
  for (const entry of entries) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) children.push(await readFolderAsync(path, entry.name));
    else if (entry.name === "init.server.luau")
      self = { className: "Script", source: await Bun.file(path).text() };
    else if (entry.name === "init.luau")
      self = { className: "ModuleScript", source: await Bun.file(path).text() };
    else if (entry.name.endsWith(".luau")) children.push(await readModuleAsync(path));
  }
  return { name, ...self, children };
}

async function readModuleAsync(path: string): Promise<PluginNode> {
  return {
    name: basename(path, ".luau"),
    className: "ModuleScript",
    source: await Bun.file(path).text(),
    children: [],
  };
}

export interface BuiltPlugin {
  /** First 12 hex digits of a hash over every source; changes exactly when the plugin does. */
  readonly buildId: string;
  readonly tree: PluginNode;
}

export async function buildPluginAsync(version: string): Promise<BuiltPlugin> {
  const sources = await readFolderAsync(source, ROOT_NAME);
  const buildId = new Bun.CryptoHasher("sha256").update(JSON.stringify(sources)).digest("hex").slice(0, 12);
  const build = `--!strict\nreturn table.freeze({ version = ${JSON.stringify(version)}, id = "${buildId}" })\n`;
  return { buildId, tree: withModuleSource(sources, "Build", build) };
}

/** Writes build/plugin.json; `path` is where it is. */
export async function writePluginAsync(version: string): Promise<BuiltPlugin & { path: string }> {
  const plugin = await buildPluginAsync(version);
  const folder = join(import.meta.dir, "..", "build");
  const path = join(folder, "plugin.json");
  await mkdir(folder, { recursive: true });
  await Bun.write(path, JSON.stringify(plugin.tree));
  return { ...plugin, path };
}
