/** Runs something as the only sync of a project and a place. */
import { StudioBridgeError } from "../protocol/errors.ts";
import { durationText } from "../util/duration-text.ts";
import { lockSyncAsync } from "./sync-lock.ts";
import type { SyncState } from "./state-paths.ts";
import type { PlaceIdentity } from "./types.ts";

/** Throws SYNC_IN_PROGRESS, which names the process that holds the lock. */
export async function lockedAsync<T>(
  state: SyncState,
  place: PlaceIdentity,
  command: string,
  runAsync: () => Promise<T>,
): Promise<T> {
  const lock = await lockSyncAsync(state, place, command);
  if (!lock.isOurs) {
    const { pid, command: other, sinceMs } = lock.owner;
    const since = durationText(Date.now() - sinceMs);
    throw new StudioBridgeError(
      "SYNC_IN_PROGRESS",
      `Another sync of this project is at work: \`${other}\`, process ${pid}, for ${since}.`,
      { data: { pid }, outcome: "not_started" },
    );
  }
  try {
    return await runAsync();
  } finally {
    await lock.releaseAsync();
  }
}
