/**
 * Takes a sync back: what it did to files, and what it did in Studio. Every undo of a sync passes here. Files are looked at
 * first, then Studio takes its part back, then the files go; what cannot be taken back leaves both sides as they are.
 */
import { StudioBridgeError } from "../protocol/errors.ts";
import { studioPartOf } from "./apply-plan.ts";
import type { OnStep } from "./files/file-step.ts";
import {
  type PlanRecord,
  readPlanRecordAsync,
  readPlanRecordsAsync,
  writePlanRecordAsync,
} from "./files/plan-record.ts";
import { takeBackAsync, type UndoneFiles, undoFaultsAsync } from "./files/undo-files.ts";
import { lockedAsync } from "./with-sync-lock.ts";
import type { SyncState } from "./state-paths.ts";
import { isSamePlace } from "./types.ts";
import { undoRevisionAsync } from "./undo-revision.ts";

/** The side of a sync that is not files. */
export interface OtherSide {
  /** Why it cannot take its part back, and then nothing is different there; undefined where it has. */
  takeBackAsync(): Promise<string | undefined>;
  /** Makes its part again, because the files turned out to be unable. Gives whether it did. */
  redoAsync(): Promise<boolean>;
  /** Takes the name of the revision on which the undo has ended. */
  nameAsync(revision: string): Promise<void>;
}

export interface UndoneSync {
  readonly planId: string;
  readonly label: string;
  readonly projectFile: string;
  /** Nothing was left as it is. */
  readonly isWhole: boolean;
  readonly fileSteps: number;
  readonly studioChanges: number;
  /** Why something was left as it is, by path. */
  readonly refused: Readonly<Record<string, string>>;
}

/** The plan that an undo of the project would take back. */
export async function lastPlanAsync(state: SyncState): Promise<PlanRecord | undefined> {
  return (await readPlanRecordsAsync(state)).find(canBeTakenBack);
}

const canBeTakenBack = ({ status, operations, studio }: PlanRecord): boolean =>
  status !== "undone" && (operations.length > 0 || studio !== undefined);

/** `kept`: the other side keeps its part, and the files go as far as they can. Throws SYNC_IN_PROGRESS. */
export async function undoSyncAsync(
  state: SyncState,
  { planId, place }: Pick<PlanRecord, "planId" | "place">,
  otherSide: OtherSide | "kept",
): Promise<UndoneSync> {
  return lockedAsync(state, place, "sb sync undo", async () => {
    const record = await readPlanRecordAsync(state, planId);
    if (record === undefined || !canBeTakenBack(record)) throw nothingToUndo();
    const later = await laterPlanAsync(state, record);
    if (later !== undefined) return refusedSync(record, new Map([[later.planId, LATER]]));
    if (otherSide === "kept") {
      const begun = await writeAsync(state, { ...record, status: "undoing", otherSide: "kept" });
      return undoneSync(begun, await endUndoAsync(state, begun));
    }
    const faults = await undoFaultsAsync(record);
    if (faults.size > 0) return refusedSync(record, faults);
    return undoBothAsync(state, record, otherSide);
  });
}

const LATER = "was made later and changed this place too; take that back first";

/** Syncs with one place go back from the newest to the oldest, because each has the state before it from the one before. */
async function laterPlanAsync(state: SyncState, { planId, place }: PlanRecord) {
  const plans = await readPlanRecordsAsync(state);
  const newest = plans.find((plan) => canBeTakenBack(plan) && isSamePlace(plan.place, place));
  return newest?.planId === planId ? undefined : newest;
}

async function undoBothAsync(
  state: SyncState,
  record: PlanRecord,
  otherSide: OtherSide,
): Promise<UndoneSync> {
  const hasOther = studioPartOf(record) !== undefined;
  if (hasOther) {
    await writeAsync(state, { ...record, status: "undoing", otherSide: "asked" });
    const reason = await askedAsync(otherSide, () => writePlanRecordAsync(state, record));
    if (reason !== undefined) {
      await writePlanRecordAsync(state, record);
      return refusedSync(record, new Map([[record.label, reason]]));
    }
  }
  const begun = await writeAsync(state, { ...record, status: "undoing", otherSide: "taken back" });
  const undone = await endUndoAsync(state, begun, {
    makeGoodAsync: async () => {
      if (hasOther && !(await otherSide.redoAsync())) return false;
      await writePlanRecordAsync(state, record);
      return true;
    },
  });
  if (undone.isMadeGood) return refusedSync(record, undone.refused);
  if (undone.revision !== undefined) await otherSide.nameAsync(undone.revision);
  return undoneSync(begun, undone);
}

/** What surely did not begin leaves the record as it was; otherwise the next undo finds out what became of it. */
async function askedAsync(
  otherSide: OtherSide,
  restoreAsync: () => Promise<void>,
): Promise<string | undefined> {
  try {
    return await otherSide.takeBackAsync();
  } catch (error) {
    if (error instanceof StudioBridgeError && error.outcome === "not_started") await restoreAsync();
    throw error;
  }
}

interface End {
  /** For tests: called after each single change of the disk. */
  readonly onStep?: OnStep;
  /** Called where no file could be taken back. Gives whether everything is as before the undo. */
  readonly makeGoodAsync?: () => Promise<boolean>;
}

/**
 * The last part of an undo, once the other side has done its own: files, revision and record. An undo that was killed is
 * completed by the same, and ends with a revision of its own then. What the sync had changed is left open by that revision,
 * because the sides differ again.
 */
export async function endUndoAsync(
  state: SyncState,
  record: PlanRecord,
  { onStep = () => {}, makeGoodAsync = () => Promise.resolve(false) }: End = {},
): Promise<UndoneFiles & { readonly isMadeGood: boolean; readonly revision?: string | undefined }> {
  if (record.status !== "undoing") await writeAsync(state, { ...record, status: "undoing" });
  const { undone } = await takeBackAsync(record, () => Promise.resolve(true), onStep);
  const isWhole = undone.refused.size === 0;
  if (!isWhole && undone.isUntouched && (await makeGoodAsync())) return { ...undone, isMadeGood: true };
  const revision = await undoRevisionAsync(state, record.place, record.revision);
  await writePlanRecordAsync(state, { ...record, status: isWhole ? "undone" : "partly_undone" });
  return { ...undone, isMadeGood: false, revision };
}

/** Whether the other side has taken its part back is not known, so that what the sync had changed is left open. */
export async function giveUpUndoAsync(state: SyncState, record: PlanRecord): Promise<void> {
  const { otherSide: _, ...rest } = record;
  await undoRevisionAsync(state, record.place, record.revision);
  const isWhole = Object.keys(record.failures).length === 0;
  await writePlanRecordAsync(state, { ...rest, status: isWhole ? "applied" : "partial" });
}

async function writeAsync(state: SyncState, record: PlanRecord): Promise<PlanRecord> {
  await writePlanRecordAsync(state, record);
  return record;
}

const undoneSync = (record: PlanRecord, { refused }: UndoneFiles): UndoneSync => ({
  ...namesOf(record),
  isWhole: refused.size === 0,
  fileSteps: record.operations.length,
  studioChanges: record.otherSide === "kept" ? 0 : (studioPartOf(record)?.changes ?? 0),
  refused: Object.fromEntries(refused),
});

const refusedSync = (record: PlanRecord, refused: ReadonlyMap<string, string>): UndoneSync => ({
  ...namesOf(record),
  isWhole: false,
  fileSteps: 0,
  studioChanges: 0,
  refused: Object.fromEntries(refused),
});

const namesOf = ({ planId, label, projectFile }: PlanRecord) => ({ planId, label, projectFile });

export const nothingToUndo = (): StudioBridgeError =>
  new StudioBridgeError("FILE_ERROR", "There is no sync of this project to take back.", {
    hint: "`sb sync status` lists the syncs that changed something.",
  });
