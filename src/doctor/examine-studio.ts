/** The checks of `sb doctor` on the local Studio and the plugin in it. */
import { errorCodes, StudioBridgeError } from "../protocol/errors.ts";
import { PORT_CANDIDATES } from "../protocol/limits.ts";
import { locateStudioAsync } from "../studio/locate-studio.ts";
import type { Machine } from "../studio/machine.ts";
import { pluginStateAsync } from "../studio/plugin-state.ts";
import { buildId } from "../version.ts";
import { fail, guardAsync, ok, warn } from "./check-results.ts";
import type { Check } from "./check-results.ts";

export async function studioChecksAsync(machine: Machine, isRunning: boolean): Promise<Check[]> {
  const studio = await studioCheckAsync(machine, isRunning);
  const plugin = await guardAsync("plugin", () => pluginCheckAsync(machine, studio.status === "ok"));
  return [studio, plugin];
}

/** Whether the installed plugin looks for the host where it is; nothing where there is no plugin of ours. */
export async function dialChecksAsync(machine: Machine, hostPort: number): Promise<Check[]> {
  const state = await pluginStateAsync(machine).catch((error: unknown) => {
    if (error instanceof StudioBridgeError) return undefined;
    throw error;
  });
  if (state?.plugin.kind !== "ours") return [];
  const { port } = state.plugin;
  const ports: readonly number[] = port === undefined ? PORT_CANDIDATES : [port];
  if (ports.includes(hostPort)) return [];
  const dialled = port === undefined ? `${ports[0]} to ${ports.at(-1)}` : String(port);
  const other = port === undefined ? "" : `, or use --port ${port}`;
  return [
    warn(
      "dialling",
      `The installed plugin looks for a host on port ${dialled}, and this host has port ${hostPort}.`,
      `Run \`sb install-plugin --port ${hostPort}\` and restart Studio${other}.`,
    ),
  ];
}

async function studioCheckAsync(machine: Machine, isRunning: boolean): Promise<Check> {
  try {
    const { executable } = await locateStudioAsync(machine);
    return ok("studio", `${isRunning ? "running" : "not running"}, at ${executable}`);
  } catch (error) {
    if (!(error instanceof StudioBridgeError)) throw error;
    // A path that its user set and that leads nowhere is a mistake; no Studio at all may be on purpose.
    const { variable } = error.data;
    if (typeof variable === "string")
      return fail("studio", `${variable} names no Studio.`, `Correct or unset ${variable}.`);
    return warn("studio", error.message, "Install it, or run scripts without it, with --headless.");
  }
}

async function pluginCheckAsync(machine: Machine, hasStudio: boolean): Promise<Check> {
  const install = errorCodes.UNPAIRED.cure;
  const state = await pluginStateAsync(machine).catch((error: unknown) => {
    if (error instanceof StudioBridgeError && error.code === "STUDIO_NOT_FOUND") return undefined;
    throw error;
  });
  if (state === undefined)
    return warn("plugin", "Studio's plugins folder was not found.", "Name it in SB_PLUGINS_DIR.");
  const { plugin, path, isPaired } = state;
  if (plugin.kind === "none") {
    const message = `not installed (${path})`;
    return hasStudio ? fail("plugin", message, install) : warn("plugin", message, install);
  }
  if (plugin.kind === "foreign") return fail("plugin", `${path} is not studio-bridge's plugin.`, install);
  if (!isPaired) return fail("plugin", `${path} does not hold this machine's key.`, install);
  if (plugin.buildId !== buildId)
    return warn("plugin", `${path} is build ${plugin.buildId}; this sb has build ${buildId}.`, install);
  const port = plugin.port === undefined ? "" : `, port ${plugin.port} only`;
  return ok("plugin", `version ${plugin.version}, this machine's key${port}, at ${path}`);
}
