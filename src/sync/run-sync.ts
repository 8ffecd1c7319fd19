/**
 * Runs one sync: reads both sides, plans, lets choices be made, applies the plan, reads the result back, and remembers what
 * both sides hold. Nothing is called done before it was read back.
 */
import type { FileSchema } from "../roblox/schema.ts";
import { applyPlanAsync, type PlannedPulls, planPullsAsync } from "./apply-plan.ts";
import { Ending } from "./ending.ts";
import { notePlanRevisionAsync } from "./files/plan-record.ts";
import { newPlanId } from "./files/trash.ts";
import { keepReplacedAsync } from "./files/replaced-in-studio.ts";
import { gitOfPlanAsync } from "./git-of-plan.ts";
import { settleInterruptedPlansAsync } from "./interrupted-plans.ts";
import { withLineAsync } from "./revision-lock.ts";
import { lockedAsync } from "./with-sync-lock.ts";
import type { HoldWishes } from "./plan/holds.ts";
import { planOf, type SyncPlan } from "./plan/plan.ts";
import { type OverrideReply, type PreferredSide, resolve } from "./plan/resolve.ts";
import { appliedStatus, isApplied, type NextStep, nextStep, type SyncStatus } from "./plan/summary.ts";
import { planInput, type PlanWishes } from "./plan-input.ts";
import { readBackAsync } from "./read-back.ts";
import { currentLineAsync, type KeptLine } from "./revisions/store.ts";
import { type ProjectPlace, readSidesAsync, type Sides } from "./read-sides.ts";
import { type SyncState, syncStateAsync } from "./state-paths.ts";
import type { Counterpart, ItemResult, LeftOpen, Override, SyncMode, Verdict } from "./types.ts";

export interface SyncWishes extends PlanWishes, ProjectPlace {
  readonly mode: SyncMode;
  readonly isPartial: boolean;
  readonly overrides: readonly Override[];
  readonly allowedRemovals: number | undefined;
  readonly allowedOverwrites?: number | undefined;
  /** Also a place that names its revision asks before many files are replaced, because no person has looked at the plan. */
  readonly isWatched?: boolean;
  readonly allowsOutside: boolean;
  readonly safeNames: boolean;
  /** Which side a person takes where nothing tells which one is newer. */
  readonly preferred?: PreferredSide | undefined;
}

/** What a person decided; `agrees` to what is held back; `declined` where they want none of it, undefined where no person could answer. */
export type Decided =
  { readonly overrides: readonly Override[]; readonly agrees: boolean } | "declined" | undefined;

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
  /** The revision on which the run has ended, and those before it. */
  readonly kept?: KeptLine;
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
    const run = await runLockedAsync(job);
    counterpart.leave?.(leftOf(run));
    return run;
  });
}

const leftOf = ({ plan, results }: SyncRun): LeftOpen => ({
  open: plan.items.filter(({ verdict }) => verdict === "unresolved").length,
  failed: results.filter(({ applied }) => !applied).length,
});

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
  const replies = choose(job, sides, plan, { overrides: wishes.overrides });
  const wanted = await nextStepAsync(job, sides, plan);
  signal.throwIfAborted();
  await refuseBrokenMergesAsync(plan, counterpart);
  const pulls = await planPullsAsync(plan, sides, wishes, schema);
  // The files may not be able to take any of the changes.
  const step = wanted === "apply" && !plan.items.some(({ verdict }) => isApplied(verdict)) ? "empty" : wanted;
  const outcome = { plan, replies, proposed, notices: [...sides.notices, ...committedNotice(plan, step)] };
  if (step === "apply") return { ...outcome, ...(await applyAsync(job, sides, plan, pulls)) };
  if (step === "empty")
    return { ...outcome, status: step, results: [], ...(await rememberAsync(job, sides, plan)) };
  return { ...outcome, status: step, results: [] };
}

/** Git still has those files, so that a person can compare. */
function committedNotice({ items, state }: SyncPlan, step: "apply" | SyncStatus): readonly string[] {
  const count = items.filter(
    (item) => item.verdict === "pull" && state.rulings.get(item)?.replacesCommitted === true,
  ).length;
  if (count === 0 || (step !== "apply" && step !== "dryrun")) return [];
  const files = count === 1 ? "1 file as committed" : `${count} files as committed`;
  return [step === "apply" ? `${files} replaced by what Studio has` : `${files} would be replaced`];
}

/** Git is asked only where the base does not tell which side of a script is newer. */
async function planAsync(job: Job, sides: Sides): Promise<SyncPlan> {
  const { wishes, world, counterpart } = job;
  const isUnknownPlace = isUnknown(counterpart, sides);
  const input = {
    ...planInput(sides, wishes, counterpart, world.schema),
    isUnknownPlace,
    ...holdWishes(job, sides),
  };
  const plan = planOf(input);
  const git = await gitOfPlanAsync(plan, world.signal);
  return git.size === 0 ? plan : planOf({ ...input, git });
}

/** A run that changes nothing remembers what both sides were found to agree on. */
async function rememberAsync(
  { state, counterpart, world }: Job,
  sides: Sides,
  plan: SyncPlan,
): Promise<{ readonly kept: KeptLine }> {
  return withLineAsync(state, world.command, async () => {
    const before = await currentLineAsync(state, sides.kept);
    return { kept: await new Ending(state, counterpart, plan, before).endAsync([], undefined) };
  });
}

/** An open Studio whose place does not say from which revision it was made. */
const isUnknown = ({ names }: Counterpart, { lineage }: Sides): boolean =>
  names !== undefined && lineage?.base === undefined;

/** A place file is read because a person wants what it has. */
function holdWishes({ wishes, counterpart }: Job, sides: Sides): HoldWishes {
  const { allowedRemovals, allowedOverwrites, isPartial, preferred, isWatched = false } = wishes;
  const isAsked = isUnknown(counterpart, sides) || (isWatched && counterpart.names !== undefined);
  return { allowedRemovals, allowedOverwrites, isPartial, mayOverwrite: !isAsked || preferred === "studio" };
}

interface Choice {
  readonly overrides: readonly Override[];
  /** What a person has agreed to. */
  readonly allowedRemovals?: number | undefined;
  readonly allowedOverwrites?: number | undefined;
}

/** Applies overrides; what cannot be written on the other side is left out of the plan first, with the reason. */
function choose(job: Job, sides: Sides, plan: SyncPlan, choice: Choice): readonly OverrideReply[] {
  const { counterpart } = job;
  const { overrides, allowedRemovals, allowedOverwrites } = choice;
  const isPossible = ({ direction }: Override) =>
    counterpart.isWritable || (direction !== "push" && direction !== "merge");
  const possible = overrides.filter(isPossible);
  if (!counterpart.isWritable) leaveOutPushes(plan, counterpart);
  const wishes = holdWishes(job, sides);
  const answered = resolve(plan, {
    ...wishes,
    preferred: job.wishes.preferred,
    overrides: possible,
    allowedRemovals: allowedRemovals ?? wishes.allowedRemovals,
    allowedOverwrites: allowedOverwrites ?? wishes.allowedOverwrites,
  });
  if (!counterpart.isWritable)
    for (const item of plan.state.mirrored)
      Object.assign(item, { verdict: "skip", reason: "file_changed", detail: readOnlyText(counterpart) });
  return overrides.map((override, index): OverrideReply => {
    const reply = answered[possible.indexOf(override)];
    return reply === undefined
      ? { index, answer: "not_applicable", detail: readOnlyText(counterpart) }
      : { ...reply, index };
  });
}

const readOnlyText = ({ label }: Counterpart): string => `${label} is only read; \`sb build\` writes a place`;

/** Each keeps its own reason, because what a person may do about it depends on that. */
function leaveOutPushes({ items, state }: SyncPlan, counterpart: Counterpart): void {
  for (const item of items) {
    const { verdict, reason = "file_changed" } = state.rulings.get(item) ?? {};
    if (verdict !== "push") continue;
    const takes = reason === "one_way" ? "" : `; --override ${item.id}=pull takes what it has`;
    const detail = `${readOnlyText(counterpart)}${takes}`;
    state.rulings.set(item, { verdict: "skip", reason, detail });
  }
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
async function nextStepAsync(job: Job, sides: Sides, plan: SyncPlan): Promise<"apply" | SyncStatus> {
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
    const { overrides, agrees } = decided;
    const allowedRemovals = agrees ? plan.massRemoval?.count : undefined;
    const allowedOverwrites = agrees ? plan.manyOverwrites?.count : undefined;
    const isAgreed = (allowedRemovals ?? allowedOverwrites) !== undefined;
    choose(job, sides, plan, { overrides, allowedRemovals, allowedOverwrites });
    const isOpen = plan.items.some(({ verdict }) => verdict === "unresolved");
    // A form that is left empty, or that may not ask about large plans, would only come again.
    if (isOpen && overrides.length === 0 && !isAgreed)
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
): Promise<Pick<SyncRun, "status" | "planId" | "results" | "hasMore" | "kept">> {
  const { counterpart, wishes, world, state } = job;
  const planId = newPlanId();
  const { signal, callerId } = world;
  const status = (text: string) => world.status(text);
  return withLineAsync(state, world.command, async () => {
    const ending = new Ending(state, counterpart, plan, await currentLineAsync(state, sides.kept));
    const scope = { plan, sides, counterpart, wishes, world, holds: holdWishes(job, sides) };
    const readAsync = (results: readonly ItemResult[]) =>
      readBackAsync(results, { ...scope, expected: ending.expected(results) });
    const applied = await applyPlanAsync(plan, pulls, {
      ...{ planId, state, counterpart, signal, callerId, status },
      beginPushesAsync: async (pulled, pushes) => {
        const { results } = pulled.length === 0 ? { results: pulled } : await readAsync(pulled);
        await keepReplacedAsync(plan, pushes, { project: pulls.roots[0], planId });
        return ending.beginAsync(results, pushes);
      },
    });
    world.status("Reading the result back");
    const { results, hasMore, agreed } = await readAsync(applied);
    const kept = await ending.endAsync(results, agreed);
    await notePlanRevisionAsync(state, planId, kept.line.name);
    const outcome = signal.aborted ? "interrupted" : appliedStatus(results);
    return { status: outcome, planId, results, hasMore, kept };
  });
}
