/**
 * THE action table: one row per request that the plugin answers, in a file for each family. Message unions, decoders,
 * capabilities, typed calls, default timeouts, the Luau constants, golden files and docs/protocol.md are derived from it.
 */
import type { z } from "zod";
import { changeActions } from "./actions/changes.ts";
import { modelActions } from "./actions/models.ts";
import { placeFileActions } from "./actions/place-files.ts";
import { playTestActions } from "./actions/play-tests.ts";
import { queryActions } from "./actions/queries.ts";
import { scriptActions } from "./actions/scripts.ts";
import { sourceActions } from "./actions/sources.ts";
import { studioActions } from "./actions/studio.ts";
import { syncActions } from "./actions/sync.ts";
import { treeActions } from "./actions/trees.ts";
export { waitConditions } from "./actions/queries.ts";
export { SLICE_MS } from "./actions/row.ts";
export { EXECUTE_TIMEOUT_MS, errorInfoSchema } from "./actions/scripts.ts";
export { subscribableEvents } from "./actions/studio.ts";
export { MAX_ITEMS } from "./actions/trees.ts";
export { callerSchema } from "./fields/callers.ts";
export type { Caller } from "./fields/callers.ts";
export { changeKinds, restoredCopySchema, wireChangeSchema } from "./fields/changes.ts";
export type { WireChange } from "./fields/changes.ts";
export { contextSchema, contexts, playerSchema, studioStateSchema, studioStates } from "./fields/contexts.ts";
export type { SessionContext, StudioState } from "./fields/contexts.ts";
export { dataModelInstanceSchema } from "./fields/instances.ts";
export type { DataModelInstance } from "./fields/instances.ts";
export { logEntrySchema, logLevelSchema, logLevels, outputLevels } from "./fields/log-lines.ts";
export type { LogEntry, LogLevel } from "./fields/log-lines.ts";
export type { PatchOperation, PatchVerdict } from "./fields/patches.ts";
export { syncOfStepSchema, undoReportSchema } from "./fields/undo-steps.ts";
export type { SyncOfStep } from "./fields/undo-steps.ts";

export const actions = {
  ...studioActions,
  ...placeFileActions,
  ...sourceActions,
  ...queryActions,
  ...treeActions,
  ...scriptActions,
  ...playTestActions,
  ...changeActions,
  ...modelActions,
  ...syncActions,
} as const;

export type ActionName = keyof typeof actions;
export type ActionRequest<Name extends ActionName> = z.input<ReturnType<(typeof actions)[Name]["request"]>>;
export type ActionResult<Name extends ActionName> = z.output<ReturnType<(typeof actions)[Name]["result"]>>;

export const actionNames = Object.keys(actions).filter(isActionName);

/** Whether a request must not run twice: its plugin remembers it, and can be asked what became of it. */
export function runsOnce(name: ActionName): boolean {
  return !actions[name].retrySafe;
}

/** Whether a request lasts until something happens, so that its plugin is told when its caller is gone. */
export function endsWithCaller(name: ActionName): boolean {
  return "endsWithCaller" in actions[name];
}

export function isActionName(name: string): name is ActionName {
  return Object.hasOwn(actions, name);
}
