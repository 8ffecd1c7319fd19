/**
 * Which Studios run on this machine, so that a command knows if waiting for a plugin makes sense. It looks at process
 * names and never at windows, files or the network.
 */
import { isWsl } from "./machine.ts";
import type { Machine } from "./machine.ts";
import { WINDOWS_EXECUTABLE } from "./studio-paths.ts";

/** A busy machine takes its time, and so do Windows programs, the more so from inside WSL. */
const PROBE_TIMEOUT_MS = 1_000;

/**
 * The program's name on Windows and under Wine, and on macOS: the last part of a path, not a word among the arguments
 * of others.
 */
const STUDIO = /^"?(.*[\\/])?RobloxStudio(Beta)?(\.exe)?(["\s]|$)/m;

const tasklist = ["/FO", "CSV", "/NH", "/FI", `IMAGENAME eq ${WINDOWS_EXECUTABLE}`] as const;

/** False also when it cannot be found out. UNVERIFIED: Studio's processes have the names of the programs in its install folders on Windows and macOS. */
export async function isStudioRunningAsync(machine: Machine): Promise<boolean> {
  const listings = await Promise.all(
    probesFor(machine).map((command) => machine.runAsync(command, PROBE_TIMEOUT_MS).catch(() => "")),
  );
  return listings.some((listing) => STUDIO.test(listing));
}

/** Whether the process that was started as Studio, or as what starts it, still is that. */
export async function isStudioProcessAsync(pid: number, machine: Machine): Promise<boolean> {
  const commandLine = await commandLineOfAsync(pid, machine);
  return STUDIO.test(commandLine) || /\bvinegar\b/i.test(commandLine);
}

/** Empty when there is no such process; on Windows only the program's name is told. */
export function commandLineOfAsync(pid: number, machine: Machine): Promise<string> {
  const command =
    machine.platform === "win32"
      ? ["tasklist", "/FO", "CSV", "/NH", "/FI", `PID eq ${pid}`]
      : ["ps", "-p", String(pid), "-o", "args="];
  return machine.runAsync(command, PROBE_TIMEOUT_MS).catch(() => "");
}

function probesFor(machine: Machine): (readonly string[])[] {
  switch (machine.platform) {
    case "win32":
      return [["tasklist", ...tasklist]];
    case "darwin":
      return [["ps", "-axo", "args="]];
    case "linux": {
      const own = ["ps", "-eo", "args="];
      return isWsl(machine) ? [own, ["tasklist.exe", ...tasklist]] : [own];
    }
    default:
      return [];
  }
}
