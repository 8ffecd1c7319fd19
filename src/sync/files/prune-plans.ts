/** Forgets what is kept of old plans: their trash in the project, and their records in the state folder. */
import type { SyncState } from "../state-paths.ts";
import { forgetPlanRecordAsync, pruneOldRecordsAsync } from "./plan-record.ts";
import type { Root } from "./safe-path.ts";
import { pruneTrashAsync } from "./trash.ts";

const PAUSE_MS = 10 * 60 * 1000;
const prunedAtMs = new Map<string, number>();

/** A process that applies many plans looks at all that is kept now and then only. Throws the system's error. */
export async function prunePlansNowAndThenAsync(
  state: SyncState,
  project: Root,
  keep: string,
): Promise<void> {
  const nowMs = Date.now();
  if (nowMs - (prunedAtMs.get(state.plans) ?? 0) < PAUSE_MS) return;
  prunedAtMs.set(state.plans, nowMs);
  await pruneOldRecordsAsync(state, keep, nowMs);
  for (const planId of await pruneTrashAsync(project, keep, nowMs))
    await forgetPlanRecordAsync(state, planId);
}
