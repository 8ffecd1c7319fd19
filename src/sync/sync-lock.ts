/** One sync at a time for a project and a place, by a lock in the state folder. */
import { lockAsync, lockOwnerAsync, type ProcessLock } from "../util/process-lock.ts";
import { lockFile, type SyncState } from "./state-paths.ts";
import type { PlaceIdentity } from "./types.ts";

/** Throws the system's error. */
export function lockSyncAsync(state: SyncState, place: PlaceIdentity, command: string): Promise<ProcessLock> {
  return lockAsync(lockFile(state, place), command);
}

/** Whether a living process holds the lock. */
export async function isLockedAsync(state: SyncState, place: PlaceIdentity): Promise<boolean> {
  return (await lockOwnerAsync(lockFile(state, place))) !== undefined;
}
