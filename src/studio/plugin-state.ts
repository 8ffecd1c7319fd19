/** Whether the plugin in the local Studio has this machine's key. */
import { pluginPath, readInstalledPlugin } from "./installed-plugin.ts";
import type { InstalledPlugin } from "./installed-plugin.ts";
import { locatePluginsFolderAsync } from "./locate-studio.ts";
import { machinePairingAsync } from "./machine-pairing.ts";
import type { Machine } from "./machine.ts";

interface PluginState {
  readonly path: string;
  readonly plugin: InstalledPlugin;
  /** It is there and holds this machine's key. */
  readonly isPaired: boolean;
}

/** Throws STUDIO_NOT_FOUND, KEY_ERROR, FILE_ERROR. */
export async function pluginStateAsync(machine: Machine): Promise<PluginState> {
  const [folder, { keyId }] = await Promise.all([locatePluginsFolderAsync(machine), machinePairingAsync()]);
  const plugin = readInstalledPlugin(folder, machine);
  return {
    path: pluginPath(folder, machine),
    plugin,
    isPaired: plugin.kind === "ours" && plugin.keyId === keyId,
  };
}
