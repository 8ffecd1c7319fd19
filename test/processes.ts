/** Whether processes that a test did not start itself still run. */

/** A zombie has ended; only its parent has not noticed yet. */
export function isRunning(pid: number): boolean {
  const state = Bun.spawnSync(["ps", "-o", "stat=", "-p", String(pid)])
    .stdout.toString()
    .trim();
  return state !== "" && !state.startsWith("Z");
}
