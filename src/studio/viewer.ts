/** The words that show a file in the viewer of this machine's user. Starts nothing. */
import { isWsl, pathsOf } from "./machine.ts";
import type { Machine } from "./machine.ts";

const TIMEOUT_MS = 5_000;

/** Rejects where WSL cannot name the file for Windows. */
export async function viewerCommandAsync(path: string, machine: Machine): Promise<string[]> {
  const whole = pathsOf(machine).resolve(path);
  if (machine.platform === "darwin") return ["open", whole];
  // Unlike `start` of cmd, it reads no name as anything else than a name.
  if (machine.platform === "win32") return ["explorer.exe", whole];
  if (!isWsl(machine)) return ["xdg-open", whole];
  // UNVERIFIED: explorer.exe opens a file under \\wsl$ like any other file. If it does not, the path has been printed.
  const there = await machine.runAsync(["wslpath", "-w", whole], TIMEOUT_MS);
  return ["explorer.exe", there.trim()];
}
