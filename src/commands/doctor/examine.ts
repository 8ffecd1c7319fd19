/** Runs the checks of `sb doctor` in the order in which things depend on each other. */
import { keyFilePath } from "../../auth/index.ts";
import { machinePairingAsync } from "../../studio/machine-pairing.ts";
import { thisMachine } from "../../studio/machine.ts";
import { isStudioRunningAsync } from "../../studio/studio-process.ts";
import { buildId, version } from "../../version.ts";
import { guardAsync, ok } from "./check-results.ts";
import type { Check } from "./check-results.ts";
import type { ConnectionCommandContext } from "../../command/context.ts";
import { bridgeChecksAsync } from "./examine-bridge.ts";
import { dialChecksAsync, studioChecksAsync } from "./examine-studio.ts";

export async function examineAsync(context: ConnectionCommandContext): Promise<Check[]> {
  const machine = thisMachine();
  const program = ok("program", `sb ${version} with plugin build ${buildId}, at ${process.execPath}`);
  const key = await guardAsync("key", async () => {
    const { keyId } = await machinePairingAsync();
    return ok("key", `plugin key ${keyId}, from ${keyFilePath()}`);
  });
  const isRunning = !context.isRemote && (await isStudioRunningAsync(machine));
  const local = context.isRemote ? [] : await studioChecksAsync(machine, isRunning);
  const portChecksAsync = async (port: number) => (context.isRemote ? [] : dialChecksAsync(machine, port));
  return [program, key, ...local, ...(await bridgeChecksAsync(context, isRunning, portChecksAsync))];
}
