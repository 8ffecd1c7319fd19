/** Runs the checks of `sb doctor` in the order in which things depend on each other. */
import { realpath } from "node:fs/promises";
import { keyFilePath } from "../../auth/index.ts";
import { machinePairingAsync } from "../../studio/machine-pairing.ts";
import { thisMachine } from "../../studio/machine.ts";
import { isStudioRunningAsync } from "../../studio/studio-process.ts";
import { buildId, target, version } from "../../version.ts";
import { guardAsync, ok } from "./check-results.ts";
import type { Check } from "./check-results.ts";
import type { ConnectionCommandContext } from "../../command/context.ts";
import { bridgeChecksAsync } from "./examine-bridge.ts";
import { installationOf } from "./installation.ts";
import { dialChecksAsync, studioChecksAsync } from "./examine-studio.ts";

export async function examineAsync(context: ConnectionCommandContext): Promise<Check[]> {
  const machine = thisMachine();
  const program = await programCheckAsync();
  const key = await guardAsync("key", async () => {
    const { keyId } = await machinePairingAsync();
    return ok("key", `plugin key ${keyId}, from ${keyFilePath()}`);
  });
  const isRunning = !context.isRemote && (await isStudioRunningAsync(machine));
  const local = context.isRemote ? [] : await studioChecksAsync(machine, isRunning);
  const portChecksAsync = async (port: number) => (context.isRemote ? [] : dialChecksAsync(machine, port));
  return [program, key, ...local, ...(await bridgeChecksAsync(context, isRunning, portChecksAsync))];
}

/** Whatever it is, it works; the last words are for people who want another version. */
async function programCheckAsync(): Promise<Check> {
  const path = await realpath(process.execPath).catch(() => process.execPath);
  const { by, update } = installationOf(path, process.platform);
  const build = `sb ${version} for ${target} with plugin build ${buildId}, at ${process.execPath}`;
  return ok("program", `${build}, installed ${by}. To update: ${update}`);
}
