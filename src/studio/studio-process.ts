/**
 * Whether a Studio runs on this machine, so that a command knows if waiting for a plugin makes sense. It looks at
 * process names and never at windows, files or the network.
 */

/** Runs a program and gives what it printed; rejects when it cannot. */
export type RunProgram = (command: readonly string[], timeoutMs: number) => Promise<string>;

const PROBE_TIMEOUT_MS = 100;

/** The program's name on Windows and under Wine, and on macOS. */
const STUDIO = /\bRobloxStudio(Beta)?\b/;

const probes: Partial<Record<NodeJS.Platform, readonly string[]>> = {
  win32: ["tasklist", "/FO", "CSV", "/NH", "/FI", "IMAGENAME eq RobloxStudioBeta.exe"],
  darwin: ["ps", "-axo", "args="],
  linux: ["ps", "-eo", "args="],
};

/** False also when it cannot be found out. UNVERIFIED: the process names, on Windows and macOS (install folders). */
export async function isStudioRunningAsync(
  run: RunProgram = runProgramAsync,
  platform: NodeJS.Platform = process.platform,
): Promise<boolean> {
  const probe = probes[platform];
  if (probe === undefined) return false;
  try {
    return STUDIO.test(await run(probe, PROBE_TIMEOUT_MS));
  } catch {
    return false;
  }
}

async function runProgramAsync(
  [program = "", ...args]: readonly string[],
  timeoutMs: number,
): Promise<string> {
  await using child = Bun.spawn([program, ...args], {
    stdin: "ignore",
    stdout: "pipe",
    stderr: "ignore",
    timeout: timeoutMs,
    windowsHide: true,
  });
  return child.stdout.text();
}
