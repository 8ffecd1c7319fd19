/** Ctrl+Z: stops this process as a job of the shell that started it. */

/** Windows has no such signal. */
export const canSuspend = process.platform !== "win32";

/** Where no shell controls jobs the system ignores the signal, and the terminal goes on. */
const IGNORED_AFTER_MS = 2_000;

/** Resolves when the process runs again. */
export async function suspendAsync(): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const giveUp = setTimeout(resolve, IGNORED_AFTER_MS);
  process.once("SIGCONT", resolve);
  process.kill(process.pid, "SIGTSTP");
  await promise;
  clearTimeout(giveUp);
  process.off("SIGCONT", resolve);
}
