/** Applies a plan: pulls to files first, then pushes to the other side. The record of the plan is written before either. */
import type { FileSchema } from "../roblox/schema.ts";
import { StudioBridgeError } from "../protocol/errors.ts";
import { type AppliedFiles, applyFilesAsync } from "./files/apply-files.ts";
import { type FilePlan, planFilesAsync } from "./files/file-plan.ts";
import { type PlanRecord, writePlanRecordAsync } from "./files/plan-record.ts";
import { type Root, rootsOfAsync } from "./files/safe-path.ts";
import { shown } from "./plan/project-paths.ts";
import type { SyncPlan } from "./plan/plan.ts";
import type { Sides } from "./read-sides.ts";
import { isHeldBack } from "./held-back.ts";
import { keyOfState, type SyncState } from "./state-paths.ts";
import type { Counterpart, ItemResult, Plan, PlanItem } from "./types.ts";

/** What the pulls of a plan do to files. */
export interface PlannedPulls {
  readonly files: FilePlan;
  /** Where files may be changed, the project's folder first. */
  readonly roots: readonly Root[];
}

/** What the record of a plan keeps about the other side. */
export interface StudioPart {
  readonly callerId: string;
  readonly changes: number;
}

/** Undefined where a plan changed nothing there. */
export function studioPartOf({ studio }: PlanRecord): StudioPart | undefined {
  if (studio === undefined) return undefined;
  const { callerId, changes } = Object(studio);
  return Number(changes) === 0 ? undefined : { callerId: String(callerId), changes: Number(changes) };
}

interface FileWishes {
  readonly allowsOutside: boolean;
  readonly safeNames: boolean;
}

const isPull = ({ verdict }: PlanItem): boolean => verdict === "pull" || verdict === "merge";
const isPush = ({ verdict }: PlanItem): boolean => verdict === "push" || verdict === "merge";

/** Changes the plan: items that the files cannot take become refused, and the others learn their file. */
export async function planPullsAsync(
  plan: SyncPlan,
  { project, studio }: Pick<Sides, "project" | "studio">,
  { allowsOutside, safeNames }: FileWishes,
  schema: FileSchema,
): Promise<PlannedPulls> {
  const roots = await rootsOfAsync(project.tree, { allowsOutside });
  const pulls = plan.items.filter(isPull);
  const files = await planFilesAsync({
    project,
    studio,
    // Made only where something is pulled.
    get pairs() {
      return plan.pairs;
    },
    items: pulls,
    schema,
    allowsOutside,
    safeNames,
  });
  for (const item of pulls) {
    const path = files.paths.get(item);
    if (path !== undefined) item.fsPath = shown(project.tree.folder, path);
    const reason = files.refusals.get(item);
    if (reason !== undefined) Object.assign(item, { verdict: "skip", reason: "refused", detail: reason });
  }
  return { files, roots };
}

export interface ApplyScope {
  readonly planId: string;
  readonly state: SyncState;
  readonly counterpart: Counterpart;
  readonly signal: AbortSignal;
  /** By which the undo step of the plan is found again on the other side. */
  readonly callerId: string | undefined;
  status(text: string): void;
  /** Writes down what the pushes will make of the other side, before the first of them; gives back the name of the revision. */
  beginPushesAsync(pulled: readonly ItemResult[], pushes: readonly PlanItem[]): Promise<string>;
}

/** One result for each item that was to be applied. Throws before the first change if the plan cannot be recorded. */
export async function applyPlanAsync(
  plan: Plan,
  { files: { operations }, roots }: PlannedPulls,
  scope: ApplyScope,
): Promise<readonly ItemResult[]> {
  const { planId, state, counterpart, signal } = scope;
  const pulls = plan.items.filter(isPull);
  if (pulls.length > 0) scope.status(`Writing ${countText(pulls.length)} to files`);
  const { place, label } = counterpart;
  const disk = { state, planId, place, label, roots, signal, callerId: scope.callerId };
  const applied = await applyFilesAsync(operations, disk);
  const results = new Map(pulls.map((item) => [item, resultOf(item, applied.failures.get(item))]));
  const pushes = plan.items.filter((item) => isPush(item) && results.get(item)?.applied !== false);
  if (pushes.length === 0) return [...results.values()];
  const revision = await scope.beginPushesAsync([...results.values()], pushes);
  scope.status(`Writing ${countText(pushes.length)} to ${label}`);
  const pushed = await pushAsync(pushes, plan, applied, { ...scope, revision });
  for (const result of pushed) results.set(result.item, result);
  return plan.items.flatMap((item) => results.get(item) ?? []);
}

const countText = (count: number): string => `${count} ${count === 1 ? "change" : "changes"}`;

const resultOf = (item: PlanItem, reason: string | undefined): ItemResult =>
  reason === undefined ? { item, applied: true } : { item, applied: false, reason };

/** The record says before the first push that Studio takes part, and afterwards what became of it. */
async function pushAsync(
  pushes: readonly PlanItem[],
  plan: Plan,
  { record }: AppliedFiles,
  {
    state,
    planId,
    counterpart,
    signal,
    revision,
    callerId = "",
  }: ApplyScope & {
    readonly revision: string;
  },
): Promise<readonly ItemResult[]> {
  const studio: StudioPart = { callerId, changes: pushes.length };
  const begun: PlanRecord = { ...record, status: "applying", studio, revision };
  await writePlanRecordAsync(state, begun);
  const names = { step: { project: keyOfState(state), plan: planId }, revision };
  const results = await resultsAsync(pushes, () => counterpart.applyAsync(pushes, plan, signal, names));
  const failures = results.flatMap(({ item, applied, reason = "it was not applied" }) =>
    applied ? [] : [[item.id, reason] as const],
  );
  const all = { ...record.failures, ...Object.fromEntries(failures) };
  const status = Object.keys(all).length === 0 ? "applied" : "partial";
  const changes = results.length - failures.length;
  await writePlanRecordAsync(state, { ...begun, studio: { callerId, changes }, status, failures: all });
  return results;
}

/** What the other side throws in the middle is the reason of all; reading back tells what it did before. */
async function resultsAsync(
  pushes: readonly PlanItem[],
  applyAsync: () => Promise<readonly ItemResult[]>,
): Promise<readonly ItemResult[]> {
  try {
    return await applyAsync();
  } catch (error) {
    if (!(error instanceof StudioBridgeError)) throw error;
    const held = isHeldBack(error) ? { isHeldBack: true } : {};
    return pushes.map((item) => ({ item, applied: false, reason: error.message, ...held }));
  }
}
