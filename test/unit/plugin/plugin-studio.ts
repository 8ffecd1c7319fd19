/** A headless Studio of the working tree with the plugin of the working tree in it, for tests on this thread. */
import { takeSnapshot } from "../../../scripts/build-snapshot.ts";
import { readAssetsAsync } from "../../../scripts/headless-assets.ts";
import { buildPluginAsync } from "../../../scripts/build-plugin.ts";
import type { BuiltPlugin } from "../../../scripts/build-plugin.ts";
import type { HeadlessAssets } from "../../../src/headless/assets.ts";
import type { HeadlessHost } from "../../../src/headless/process/host.ts";
import { encodePluginTree } from "../../../src/headless/process/plugin-tree-text.ts";
import { HeadlessStudio } from "../../../src/headless/window/studio.ts";
import type { PluginNode } from "../../../src/studio/plugin-tree.ts";
import { PATIENCE_MS } from "../../harness.ts";

export const PLACE_NAME = "Test.rbxl";

/** Read once: both are the same for every test of a run. */
let assets: Promise<HeadlessAssets> | undefined;
let plugin: Promise<BuiltPlugin> | undefined;

export async function readPluginTreeAsync(): Promise<PluginNode> {
  plugin ??= buildPluginAsync("0.0.0-test");
  return (await plugin).tree;
}

/** With the plugin compiled ahead, as the build saves them. */
export function savedAssetsAsync(): Promise<HeadlessAssets> {
  assets ??= makeAssetsAsync();
  return assets;
}

async function makeAssetsAsync(): Promise<HeadlessAssets> {
  const [fresh, tree] = await Promise.all([readAssetsAsync(), readPluginTreeAsync()]);
  return { ...fresh, engine: { snapshot: takeSnapshot(fresh, tree) } };
}

export interface PluginStudio {
  readonly studio: HeadlessStudio;
  /** Non-zero interrupts the script that runs. */
  readonly cancelFlag: Int32Array;
  /** Loads the plugin. */
  readonly start: () => void;
}

export async function openPluginStudioAsync(
  host: HeadlessHost,
  tree: PluginNode,
  {
    settings = {},
    variants = [],
  }: {
    readonly settings?: Readonly<Record<string, string>> | undefined;
    readonly variants?: readonly string[] | undefined;
  } = {},
): Promise<PluginStudio> {
  const cancelFlag = new Int32Array(1);
  const studio = new HeadlessStudio({
    assets: await savedAssetsAsync(),
    host,
    settings: new Map(Object.entries(settings)),
    variants,
    cancelFlag,
    // Time that a busy machine takes from a test is not the script's own.
    scriptTimeoutSeconds: PATIENCE_MS / 1_000,
  });
  const start = (): void => studio.dispatch("loadPlugin", 0, encodePluginTree(PLACE_NAME, tree));
  return { studio, cancelFlag, start };
}
