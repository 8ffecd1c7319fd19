/**
 * Runs one sync: reads both sides, plans, lets choices be made, applies the plan, reads the result back, and remembers what
 * both sides hold. Nothing is called done before it was read back.
 */
import type { RojoNode } from "../roblox/rojo/node.ts";
import type { FileSchema } from "../roblox/schema.ts";
import { keepBaseAsync } from "./base/kept-base.ts";
import { type Base, saveBaseAsync } from "./base/store.ts";
import { applyPlanAsync, type PlannedPulls, planPullsAsync } from "./apply-plan.ts";
import { committedFilesAsync } from "./committed-files.ts";
import { newPlanId } from "./files/trash.ts";
import { settleInterruptedPlansAsync } from "./files/undo-files.ts";
import { lockedAsync } from "./locked.ts";
import { agreedTree } from "./plan/agreed.ts";
import { planOf, type SyncPlan } from "./plan/plan.ts";
import { type OverrideReply, resolve } from "./plan/resolve.ts";
import { appliedStatus, isApplied, type NextStep, nextStep, type SyncStatus } from "./plan/summary.ts";
import { planInput } from "./plan-input.ts";
import { type ReadBack, readBackAsync } from "./read-back.ts";
import { readSidesAsync, type Sides } from "./read-sides.ts";
import { type SyncState, syncStateAsync } from "./state-paths.ts";
import type { Counterpart, ItemResult, Override, PropertyChoice, SyncMode, Verdict } from "./types.ts";

export interface SyncWishes {
  /** Absolute. */
  readonly projectFile: string;
  readonly mode: SyncMode;
  readonly isPartial: boolean;
  readonly properties: PropertyChoice | undefined;
  readonly overrides: readonly Override[];
  readonly allowedRemovals: number | undefined;
  readonly allowsOutside: boolean;
  readonly safeNames: boolean;
}

/** What a person decided; `declined` where they want none of it, undefined where no person could answer. */
export type Decided =
  { readonly overrides: readonly Override[]; readonly allowsRemovals: boolean } | "declined" | undefined;

export interface SyncWorld {
  readonly schema: FileSchema;
  /** No item is begun after it; the one that was begun is finished. */
  readonly signal: AbortSignal;
  /** What `sb sync status` and other syncs call this one. */
  readonly command: string;
  /** Whose the undo step on the other side is. */
  readonly callerId?: string;
  status(text: string): void;
  /** Absent where no person can be asked. */
  decideAsync?(plan: SyncPlan, asksToConfirm: boolean): Promise<Decided>;
}

export interface SyncRun {
  readonly plan: SyncPlan;
  readonly status: SyncStatus;
  /** Present where something was to be written. */
  readonly planId?: string;
  readonly replies: readonly OverrideReply[];
  /** The verdicts of items before any choice, by their ids. */
  readonly proposed: ReadonlyMap<string, Verdict>;
  readonly results: readonly ItemResult[];
  /** Whether a side was changed while this run worked, so that there is more to apply. */
  readonly hasMore?: boolean;
  /** For people. */
  readonly notices: readonly string[];
}

/** Throws FILE_ERROR, SYNC_IN_PROGRESS, CANCELLED before anything was changed, and what the counterpart throws. */
export async function runSyncAsync(
  wishes: SyncWishes,
  counterpart: Counterpart,
  world: SyncWorld,
): Promise<SyncRun> {
  const state = await syncStateAsync(wishes.projectFile);
  const job = { wishes, counterpart, world, state };
  if (wishes.mode === "dryrun") return runLockedAsync(job);
  return lockedAsync(state, counterpart.place, world.command, async () => {
    await settleInterruptedPlansAsync(state, counterpart.place);
    return runLockedAsync(job);
  });
}

interface Job {
  readonly wishes: SyncWishes;
  readonly counterpart: Counterpart;
  readonly world: SyncWorld;
  readonly state: SyncState;
}

async function runLockedAsync(job: Job): Promise<SyncRun> {
  const { wishes, counterpart, world, state } = job;
  const { signal, schema } = world;
  world.status(`Reading the files and ${counterpart.label}`);
  const sides = await readSidesAsync({ ...wishes, state, schema }, counterpart, signal);
  signal.throwIfAborted();
  world.status("Comparing");
  const plan = await planAsync(job, sides);
  const proposed = new Map(plan.items.map(({ id, verdict, proposed: held }) => [id, held ?? verdict]));
  const replies = choose(job, plan, wishes.overrides, wishes.allowedRemovals);
  const wanted = await nextStepAsync(job, plan);
  signal.throwIfAborted();
  await refuseBrokenMergesAsync(plan, counterpart);
  const pulls = await planPullsAsync(plan, sides, wishes, schema);
  // The files may not be able to take any of the changes.
  const step = wanted === "apply" && !plan.items.some(({ verdict }) => isApplied(verdict)) ? "empty" : wanted;
  const outcome = { plan, replies, proposed, notices: sides.notices };
  if (step === "apply") return { ...outcome, ...(await applyAsync(job, sides, plan, pulls)) };
  if (step === "empty")
    await saveBaseAsync(state, counterpart.place, await baseOf(job, sides, agreedTree(plan, new Set())));
  return { ...outcome, status: step, results: [] };
}

/** Git is asked only where the base does not tell which side of a script is newer. */
async function planAsync({ wishes, world }: Job, sides: Sides): Promise<SyncPlan> {
  const { project, base } = sides;
  const { folder } = project.tree;
  const { allowedRemovals, isPartial } = wishes;
  const input = { ...planInput(sides, wishes, world.schema), allowedRemovals, isPartial };
  const plan = planOf(input);
  const open = plan.items.flatMap(({ reason, file }) =>
    reason === "no_base" && file?.file !== undefined ? [file] : [],
  );
  if (open.length === 0) return plan;
  const { files: git } = await committedFilesAsync(folder, open, base?.head);
  return git.size === 0 ? plan : planOf({ ...input, git });
}

/** Applies overrides; what cannot be written on the other side is left out of the plan first, with the reason. */
function choose(
  { counterpart, wishes }: Job,
  plan: SyncPlan,
  overrides: readonly Override[],
  allowedRemovals: number | undefined,
): readonly OverrideReply[] {
  const isPossible = ({ direction }: Override) =>
    counterpart.isWritable || (direction !== "push" && direction !== "merge");
  const possible = overrides.filter(isPossible);
  if (!counterpart.isWritable) leaveOutPushes(plan, counterpart);
  const answered = resolve(plan, {
    overrides: possible,
    allowedRemovals: allowedRemovals ?? wishes.allowedRemovals,
    isPartial: wishes.isPartial,
  });
  return overrides.map((override, index): OverrideReply => {
    const reply = answered[possible.indexOf(override)];
    return reply === undefined
      ? { index, answer: "not_applicable", detail: readOnlyText(counterpart) }
      : { ...reply, index };
  });
}

const readOnlyText = ({ label }: Counterpart): string => `${label} is only read; \`sb build\` writes a place`;

function leaveOutPushes({ items, state }: SyncPlan, counterpart: Counterpart): void {
  const detail = readOnlyText(counterpart);
  for (const item of items)
    if (state.rulings.get(item)?.verdict === "push")
      state.rulings.set(item, { verdict: "skip", reason: "unwritable", detail });
}

/** Lines that fit together may still make no program. */
async function refuseBrokenMergesAsync({ items }: SyncPlan, counterpart: Counterpart): Promise<void> {
  const merges = items.filter(({ verdict }) => verdict === "merge");
  if (merges.length === 0) return;
  const faults = await counterpart.compileAsync?.(merges.map(({ merged = "" }) => merged));
  for (const [index, fault] of faults ?? []) {
    const detail = `the merged source does not compile, ${fault}; choose a side, or merge by hand`;
    const item = merges[index];
    if (item !== undefined) Object.assign(item, { verdict: "skip", reason: "refused", detail });
  }
}

/** Asks the person where there is one and something to ask. */
async function nextStepAsync(job: Job, plan: SyncPlan): Promise<"apply" | SyncStatus> {
  const { wishes, world } = job;
  const { mode, isPartial } = wishes;
  for (let round = 1; ; round++) {
    const canAsk =
      world.decideAsync !== undefined && round <= MAX_ROUNDS && !(isPartial && mode !== "manual");
    const step = nextStep(plan, { mode, isPartial, canAsk });
    if (step !== "choose" && step !== "confirm") return step;
    const decided = await world.decideAsync?.(plan, step === "confirm");
    if (decided === "declined") return "rejected";
    if (decided === undefined) return withoutPerson(nextStep(plan, { mode, isPartial, canAsk: false }));
    const count = decided.allowsRemovals ? plan.massRemoval?.count : undefined;
    choose(job, plan, decided.overrides, count);
    const isOpen = plan.items.some(({ verdict }) => verdict === "unresolved");
    // A form that is left empty, or that may not ask about removals, would only come again.
    if (isOpen && decided.overrides.length === 0 && count === undefined)
      return withoutPerson(nextStep(plan, { mode, isPartial, canAsk: false }));
    if (step === "confirm" && !isOpen)
      return withoutPerson(nextStep(plan, { mode: "standard", isPartial, canAsk: false }));
  }
}

/** A choice may lead to further questions, such as many removals. */
const MAX_ROUNDS = 3;

const withoutPerson = (step: NextStep): "apply" | SyncStatus =>
  step === "choose" || step === "confirm" ? "rejected" : step;

async function applyAsync(
  job: Job,
  sides: Sides,
  plan: SyncPlan,
  pulls: PlannedPulls,
): Promise<Pick<SyncRun, "status" | "planId" | "results" | "hasMore">> {
  const { counterpart, wishes, world, state } = job;
  const planId = newPlanId();
  const { signal, callerId } = world;
  const status = (text: string) => world.status(text);
  const applied = await applyPlanAsync(plan, pulls, { planId, state, counterpart, signal, callerId, status });
  world.status("Reading the result back");
  const readBack = await readBackAsync(applied, { plan, sides, counterpart, wishes, world });
  const { results, hasMore } = readBack;
  await keepBaseAsync(state, counterpart.place, planId);
  const root = readBack.agreed ?? agreedInPart(job, plan, readBack);
  await saveBaseAsync(state, counterpart.place, await baseOf(job, sides, root));
  return { status: signal.aborted ? "interrupted" : appliedStatus(results), planId, results, hasMore };
}

/** With Studio's numbers of what was added there, so that it is known again when it moves or gets another name. */
function agreedInPart({ wishes, world }: Job, plan: SyncPlan, { results, now }: ReadBack): RojoNode {
  const done = new Set(results.flatMap(({ item, applied }) => (applied ? [item] : [])));
  const root = agreedTree(plan, done);
  const hasNew = [...done].some(({ change, verdict }) => change === "add" && verdict === "push");
  if (!hasNew || now === undefined) return root;
  return agreedTree(planOf(planInput({ ...now, base: { root } }, wishes, world.schema)), new Set());
}

async function baseOf(
  { counterpart: { generation } }: Job,
  { project }: Sides,
  root: RojoNode,
): Promise<Base> {
  const { head } = await committedFilesAsync(project.tree.folder, [], undefined);
  return {
    root,
    ...(head === undefined ? {} : { head }),
    ...(generation === undefined ? {} : { generation }),
  };
}
