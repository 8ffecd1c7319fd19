/** Cleans up after syncs and undos whose process was killed, before the next sync looks at the files. */
import { isLockedAsync } from "./sync-lock.ts";
import { type PlanRecord, readOpenRecordsAsync, writePlanRecordAsync } from "./files/plan-record.ts";
import type { Root } from "./files/safe-path.ts";
import { type Group, itemsOf, stateBelowAsync, takeBackAsync } from "./files/undo-files.ts";
import type { PathState } from "./files/file-step.ts";
import type { SyncState } from "./state-paths.ts";
import { isSamePlace, type PlaceIdentity } from "./types.ts";
import { endUndoAsync, giveUpUndoAsync } from "./undo-sync.ts";

/** A plan whose process ended in the middle. */
export interface InterruptedPlan {
  readonly record: PlanRecord;
  /** The ids of items that were not applied, or half applied, and of which nothing is left now. */
  readonly missing: ReadonlySet<string>;
  /** Why files of half applied items were left as they are, by their paths. */
  readonly refused: ReadonlyMap<string, string>;
}

/**
 * Cleans up after a plan whose process was killed: items that are half applied are taken back, because the next sync would
 * take such a state for the work of a person. An undo that was killed is completed. Only for a process that holds the lock of
 * the place.
 */
export async function settleInterruptedPlansAsync(
  state: SyncState,
  place: PlaceIdentity,
): Promise<readonly InterruptedPlan[]> {
  const records: PlanRecord[] = [];
  for (const record of await readOpenRecordsAsync(state)) {
    // A plan of another place has a lock of its own, and may be at work.
    const isFree = isSamePlace(record.place, place) || !(await isLockedAsync(state, record.place));
    if (isFree) records.push(record);
  }
  const interrupted: InterruptedPlan[] = [];
  for (const record of records.filter(({ status }) => status === "undoing")) {
    if (record.otherSide === "asked") await giveUpUndoAsync(state, record);
    else {
      const { refused } = await endUndoAsync(state, record);
      interrupted.push({ record, missing: itemsOf([record.operations]), refused });
    }
  }
  for (const record of records.filter(({ status }) => status === "applying")) {
    const isHalf = async (group: Group) => !(await isCompleteAsync(group, record.roots));
    const { undone, items } = await takeBackAsync(record, isHalf, () => {});
    const failures = Object.fromEntries([...items].map((item) => [item, "the sync was interrupted"]));
    await writePlanRecordAsync(state, { ...record, status: "partial", failures });
    interrupted.push({ record, missing: items, refused: undone.refused });
  }
  return interrupted;
}

/** Whether every path is as the steps leave it in the end. */
async function isCompleteAsync(group: Group, roots: readonly Root[]): Promise<boolean> {
  const last = new Map<string, PathState>();
  for (const { type, path, to = "", before, after } of group) {
    last.set(path, type === "createFolder" ? "folder" : type === "write" ? after : undefined);
    if (type === "rename") last.set(to, before ?? "folder");
  }
  for (const [path, state] of last) {
    const present = await stateBelowAsync(roots, path).catch(() => "unknown");
    if (present !== state) return false;
  }
  return true;
}
