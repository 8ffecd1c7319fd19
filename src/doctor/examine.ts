/** Runs the checks of `sb doctor` in the order in which things depend on each other. */
import { realpath } from "node:fs/promises";
import { keyFilePath } from "../auth/index.ts";
import { machinePairingAsync } from "../studio/machine-pairing.ts";
import { thisMachine } from "../studio/machine.ts";
import type { Machine } from "../studio/machine.ts";
import { isStudioRunningAsync } from "../studio/studio-process.ts";
import { buildId, target, version } from "../version.ts";
import { failure, guardAsync, ok, warn } from "./check-results.ts";
import type { Check } from "./check-results.ts";
import type { ExaminedMachine } from "./examined-machine.ts";
import { bridgeChecksAsync } from "./examine-bridge.ts";
import { settingsChecksAsync } from "./examine-settings.ts";
import { installationOf } from "./installation.ts";
import { dialChecksAsync, studioChecksAsync } from "./examine-studio.ts";

export async function examineAsync(examined: ExaminedMachine): Promise<Check[]> {
  const machine = machineOrWarning();
  const program = await programCheckAsync();
  const key = await guardAsync("key", async () => {
    const { keyId } = await machinePairingAsync();
    return ok("key", `plugin key ${keyId}, from ${keyFilePath()}`);
  });
  const settings = await settingsChecksAsync(process.cwd());
  const first = [program, key, ...settings];
  // Studio's folders are in a home folder; the host is not.
  if ("status" in machine)
    return [...first, machine, ...(await bridgeChecksAsync(examined, false, noChecksAsync))];
  const isRunning = !examined.isRemote && (await isStudioRunningAsync(machine));
  const local = examined.isRemote ? [] : await studioChecksAsync(machine, isRunning);
  const portChecksAsync = async (port: number) => (examined.isRemote ? [] : dialChecksAsync(machine, port));
  return [...first, ...local, ...(await bridgeChecksAsync(examined, isRunning, portChecksAsync))];
}

const noChecksAsync = async (): Promise<readonly Check[]> => [];

/** A user id without an account has no home folder, unless HOME names one. There Studio cannot be, and all else works. */
function machineOrWarning(): Machine | Check {
  try {
    return thisMachine();
  } catch (error) {
    const { message, next = "" } = failure("studio", error);
    return warn("studio", `Studio was not looked for. ${message}`, next);
  }
}

/** Whatever it is, it works; the last words are for people who want another version. */
async function programCheckAsync(): Promise<Check> {
  const path = await realpath(process.execPath).catch(() => process.execPath);
  const { by, update } = installationOf(path, process.platform);
  const build = `sb ${version} for ${target} with plugin build ${buildId}, at ${process.execPath}`;
  return ok("program", `${build}, installed ${by}. To update: ${update}`);
}
