/** Runs a sync for a command, with the person behind it, and reports it as the command's output. */
import type { CommandContext, SessionCommandContext } from "../../command/context.ts";
import { loadFileSchemaAsync } from "../../headless/index.ts";
import { forgetLineAsync } from "../../sync/revisions/store.ts";
import { placeCounterpartAsync } from "../../sync/place/place-counterpart.ts";
import { isAccepted, summaryOf } from "../../sync/plan/summary.ts";
import { runSyncAsync, type SyncRun, type SyncWishes } from "../../sync/run-sync.ts";
import { syncStateAsync } from "../../sync/state-paths.ts";
import { toldBeforeAsync } from "../../sync/told.ts";
import type { Counterpart, Override, PlanItem, PropertyChoice, SyncMode } from "../../sync/types.ts";
import { projectForPlaceAsync } from "./project-for-place.ts";
import { openSessionAsync } from "./studio/session-counterpart.ts";
import { studioLinkOf } from "./studio/studio-link.ts";
import { rememberAsync, skipsOfAsync } from "./remembered-skips.ts";
import { decidedBy, decisionsOf } from "./sync-decisions.ts";
import type { SyncOutput } from "./sync-output.ts";

/** What the input of the command says, whatever the other side is. */
interface SyncInput {
  readonly overrides: readonly Override[];
  readonly mode: SyncMode;
  readonly check: boolean;
  readonly partial: boolean;
  readonly properties?: PropertyChoice | undefined;
  readonly allowRemovals?: number | undefined;
  readonly allowOverwrites?: number | undefined;
  readonly allowOutside: boolean;
  readonly safeNames: boolean;
  readonly prefer?: SyncWishes["preferred"];
  readonly remember?: boolean;
}

interface ReportWishes extends SyncInput {
  /** Absolute. */
  readonly projectFile: string;
}

/** With the place or model file `from`. Throws what `runSyncAsync` throws. */
export async function syncFileAsync(
  input: SyncInput & { readonly project?: string | undefined },
  from: string,
  context: CommandContext,
): Promise<SyncOutput> {
  const counterpart = await placeCounterpartAsync(from);
  const { file: projectFile, isNew } = await projectForPlaceAsync(input, from, context);
  if (isNew) await forgetLineAsync(await syncStateAsync(projectFile));
  const wishes = { ...input, projectFile };
  return reportAsync(await runAsync(wishes, counterpart, context), wishes, context);
}

/** With an open Studio. Throws what `runSyncAsync` throws. */
export async function syncStudioAsync(
  wishes: ReportWishes,
  context: SessionCommandContext,
): Promise<SyncOutput> {
  return reportAsync(await runInStudioAsync(wishes, context), wishes, context);
}

async function reportAsync(run: SyncRun, wishes: ReportWishes, context: CommandContext): Promise<SyncOutput> {
  const isForPeople = context.isJson !== true && !wishes.check && wishes.mode !== "dryrun";
  const state = await syncStateAsync(wishes.projectFile);
  const told = isForPeople ? await toldBeforeAsync(state, run.plan.items) : new Set<PlanItem>();
  return reportOf(run, wishes, { hasValues: context.isVerbose === true, told });
}

/** The run itself, for what needs more than its report. */
export async function runInStudioAsync(
  wishes: ReportWishes,
  context: SessionCommandContext,
): Promise<SyncRun> {
  await using counterpart = await openSessionAsync(wishes.projectFile, studioLinkOf(context));
  return await runAsync(wishes, counterpart, context);
}

async function runAsync(
  wishes: ReportWishes,
  counterpart: Counterpart,
  context: CommandContext & Partial<Pick<SessionCommandContext, "caller">>,
): Promise<SyncRun> {
  const { signal, decideAsync, caller } = context;
  const run = await runSyncAsync(await syncWishesAsync(wishes), counterpart, {
    schema: await loadFileSchemaAsync(),
    signal,
    command: "sb sync",
    ...(caller === undefined ? {} : { callerId: caller.id }),
    status: (text) => context.status(text),
    ...(decideAsync === undefined
      ? {}
      : {
          decideAsync: async (plan, asksToConfirm) => {
            const decisions = decisionsOf(plan, counterpart, asksToConfirm);
            const answers = await decideAsync(titleOf(plan.items.length, counterpart.label), decisions);
            return answers === undefined ? undefined : decidedBy(answers);
          },
        }),
  });
  if (wishes.remember !== true) return run;
  return { ...run, notices: [...run.notices, ...(await rememberAsync(run, wishes))] };
}

const titleOf = (count: number, label: string): string =>
  `The files and ${label} differ in ${count} ${count === 1 ? "place" : "places"}. A diff leads from the files (-) to ${label} (+).`;

/** Throws INVALID_INPUT for settings of the project that are wrong. */
export async function syncWishesAsync(wishes: ReportWishes): Promise<SyncWishes> {
  const { projectFile, overrides, mode, check, partial, properties, allowOutside, safeNames } = wishes;
  return {
    projectFile,
    overrides,
    // A check looks at the plan alone.
    mode: check ? "dryrun" : mode,
    isPartial: partial,
    properties,
    allowedRemovals: wishes.allowRemovals,
    allowedOverwrites: wishes.allowOverwrites,
    allowsOutside: allowOutside,
    safeNames,
    preferred: wishes.prefer,
    skips: await skipsOfAsync(projectFile),
  };
}

interface ReportOptions {
  /** With the values before and after, which a dry run always shows. */
  readonly hasValues: boolean;
  /** Of which people know. */
  readonly told: ReadonlySet<PlanItem>;
}

function reportOf(
  { plan, status, planId, replies, results, notices }: SyncRun,
  { mode, check }: Pick<ReportWishes, "mode" | "check">,
  { hasValues, told }: ReportOptions,
): SyncOutput {
  const summary = summaryOf(plan, {
    planId: planId ?? "",
    mode,
    status,
    overrides: replies,
    results,
    hasValues: hasValues || status === "dryrun",
  });
  const { planId: _, ...rest } = summary;
  const { leftOut } = plan;
  return {
    ...rest,
    status: check ? (plan.items.every(isAccepted) ? "empty" : "different") : status,
    ...(planId === undefined ? {} : { planId }),
    items: summary.items.map((item, index) => {
      const planned = plan.items[index];
      const isKnown = item.reason === "left_out" || (planned !== undefined && told.has(planned));
      return isKnown ? { ...item, isKnown } : item;
    }),
    overrides: [...summary.overrides],
    ...(leftOut === 0 ? {} : { leftOut }),
    ...(plan.massRemoval === undefined ? {} : { massRemoval: plan.massRemoval }),
    ...(plan.manyOverwrites === undefined ? {} : { manyOverwrites: plan.manyOverwrites }),
    ...(notices.length === 0 ? {} : { notices: [...notices] }),
  };
}
