/** Installs the plugin that this build carries, paired with this machine's key, into the local Studio. */
import { embeddedPluginAsync } from "./embedded-plugin.ts";
import { installPlugin } from "./installed-plugin.ts";
import type { PluginInstallation } from "./installed-plugin.ts";
import { locatePluginsFolderAsync } from "./locate-studio.ts";
import { machinePairingAsync } from "./machine-pairing.ts";
import type { Machine } from "./machine.ts";
import { isStudioRunningAsync } from "./studio-process.ts";

interface InstallOptions {
  /** In place of the plugins folder that is found. */
  readonly folder?: string;
  /** The one port that the plugin dials. */
  readonly port?: number;
  /** Writes the file even when the very same is there. */
  readonly force?: boolean;
}

interface InstalledHere extends PluginInstallation {
  /** A Studio runs that still has the plugin of before. */
  readonly restartNeeded: boolean;
}

/** Throws STUDIO_NOT_FOUND, KEY_ERROR, FILE_ERROR. */
export async function installOnThisMachineAsync(
  machine: Machine,
  { folder, port, force = false }: InstallOptions = {},
): Promise<InstalledHere> {
  const [chosen, tree, pairing] = await Promise.all([
    folder ?? locatePluginsFolderAsync(machine),
    embeddedPluginAsync(),
    machinePairingAsync(),
  ]);
  const paired = { ...pairing, ...(port === undefined ? {} : { port }) };
  const installation = installPlugin(tree, paired, { folder: chosen, machine, force });
  return {
    ...installation,
    restartNeeded: installation.outcome !== "unchanged" && (await isStudioRunningAsync(machine)),
  };
}
