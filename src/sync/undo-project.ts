/** Takes back the last sync of a project, or the sync that an undo step of Studio belongs to. */
import type { FileCaller } from "../project/file-roots.ts";
import type { SessionLink } from "../session/session-link.ts";
import { isReachableAsync } from "../project/readable-file.ts";
import type { SyncOfStep } from "../protocol/fields/undo-steps.ts";
import { StudioBridgeError } from "../protocol/errors.ts";
import { studioPartOf } from "./apply-plan.ts";
import { readPlanRecordAsync } from "./files/plan-record.ts";
import { plansOfKey, syncStateAsync } from "./state-paths.ts";
import { lastPlanAsync, nothingToUndo, type UndoneSync, undoSyncAsync } from "./undo-sync.ts";
import { requireProjectAsync } from "../project/find-rojo-project.ts";
import { studioPart } from "./studio/studio-part.ts";

interface UndoInput {
  readonly project?: string | undefined;
  /** Studio keeps its part. */
  readonly files: boolean;
}

/** What is left to do once Studio is open; the result where no Studio is needed. An agent takes back its own syncs only. */
export async function prepareUndoAsync(
  { project, files }: UndoInput,
  caller: FileCaller,
): Promise<{ readonly finished: UndoneSync } | ((session: SessionLink) => Promise<UndoneSync>)> {
  const state = await syncStateAsync(await requireProjectAsync(project, caller));
  const record = await lastPlanAsync(state);
  if (record === undefined) throw nothingToUndo();
  const isForAgent = caller.fileRoots !== undefined;
  if (files) return { finished: await undoSyncAsync(state, record, "kept") };
  if (studioPartOf(record) === undefined && !isForAgent)
    return { finished: await undoSyncAsync(state, record, noStudio) };
  return async (session) => {
    if (isForAgent && record.callerId !== session.caller.id) throw notOwn();
    return undoSyncAsync(state, record, studioPart(record, session));
  };
}

/** A plan that changed files alone never asks it. */
const noStudio = {
  takeBackAsync: async () => undefined,
  redoAsync: async () => true,
  nameAsync: async () => {},
};

const notOwn = (): StudioBridgeError =>
  new StudioBridgeError(
    "EDIT_REFUSED",
    "The last sync of this project was made by another client or a person.",
    {
      hint: "Ask the user, who can take it back with `sb sync undo`.",
      outcome: "not_started",
    },
  );

/** Undefined where the sync is that of another machine, or of a project that the client may not change. */
export async function undoSyncOfStepAsync(
  { project, plan }: SyncOfStep,
  link: SessionLink & FileCaller,
): Promise<UndoneSync | undefined> {
  const plans = plansOfKey(project);
  const record = plans === undefined ? undefined : await readPlanRecordAsync(plans, plan);
  if (record === undefined || !(await isReachableAsync(record.projectFile, link))) return undefined;
  return undoSyncAsync(await syncStateAsync(record.projectFile), record, studioPart(record, link));
}
