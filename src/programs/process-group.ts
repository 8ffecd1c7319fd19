/** Ends a program together with everything it started. Groups that are still there when this process ends die with it. */

/** How long a program may take to end by itself. */
const GRACE_MS = 1_000;

/** Groups to end with this process: those that run, and those that were asked to end and have not been forced yet. */
const running = new Set<number>();
const ending = new Set<number>();
let isWatching = false;

/** Call it once the program has started; `pid` leads a group of its own, except on Windows. */
export function trackGroup(pid: number): Disposable {
  if (!isWatching)
    process.on("exit", () => running.union(ending).forEach((each) => signalGroup(each, "SIGKILL")));
  isWatching = true;
  running.add(pid);
  return { [Symbol.dispose]: () => running.delete(pid) };
}

/** Asks the group to end, and kills it a second later. */
export function endGroup(pid: number): void {
  ending.add(pid);
  signalGroup(pid, "SIGTERM");
  const insist = () => {
    ending.delete(pid);
    signalGroup(pid, "SIGKILL");
  };
  setTimeout(insist, GRACE_MS).unref();
}

function signalGroup(pid: number, signal: "SIGTERM" | "SIGKILL"): void {
  if (process.platform === "win32") {
    // Windows has neither groups nor signals. Synchronous, because it may be the last thing this process does.
    const command = ["taskkill", "/T", "/F", "/PID", String(pid)];
    Bun.spawnSync(command, { env: process.env, windowsHide: true });
    return;
  }
  try {
    process.kill(-pid, signal);
  } catch {
    // All of them have ended.
  }
}
