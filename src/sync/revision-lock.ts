/** Lets one process at a time add to the revisions of a project. Two Studios may be synced with one project. */
import { StudioBridgeError } from "../protocol/errors.ts";
import { lockAsync } from "../util/process-lock.ts";
import { lineLockFile, type SyncState } from "./state-paths.ts";

/** A sync that applies a large plan may take so long. */
const PATIENCE_MS = 60_000;
const RETRY_MS = 50;

/** Throws SYNC_IN_PROGRESS where another sync of the project has not ended in time. */
export async function withLineAsync<T>(
  state: SyncState,
  command: string,
  runAsync: () => Promise<T>,
): Promise<T> {
  const until = performance.now() + PATIENCE_MS;
  for (;;) {
    const lock = await lockAsync(lineLockFile(state), command);
    if (lock.isOurs)
      try {
        return await runAsync();
      } finally {
        await lock.releaseAsync();
      }
    if (performance.now() > until)
      throw new StudioBridgeError(
        "SYNC_IN_PROGRESS",
        `Another sync of this project is writing now: \`${lock.owner.command}\`, process ${lock.owner.pid}.`,
        { data: { pid: lock.owner.pid }, outcome: "not_started" },
      );
    await Bun.sleep(RETRY_MS);
  }
}
