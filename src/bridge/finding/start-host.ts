/** Starts a host that outlives this process, with the command line that the caller gives. */
import { tmpdir } from "node:os";
import * as messages from "../../protocol/messages.ts";
import { systemReason } from "../../util/system-error.ts";

/** Environment variables that would make the compiled binary behave as plain Bun. */
const unwelcome = ["BUN_OPTIONS", "BUN_BE_BUN"];

export interface StartedHost {
  /** Undefined while the process runs. */
  exitCode(): number | null | undefined;
}

/** Throws HOST_START_FAILED when the command cannot be started at all. */
export function startHost(command: readonly string[]): StartedHost {
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !unwelcome.includes(name)));
  try {
    const child = Bun.spawn([...command], {
      stdin: "ignore",
      stdout: "ignore",
      stderr: "ignore",
      detached: true,
      windowsHide: true,
      cwd: tmpdir(),
      env,
    });
    child.unref();
    return { exitCode: () => child.exitCode ?? undefined };
  } catch (error) {
    throw messages.hostStartFailed(systemReason(error));
  }
}
