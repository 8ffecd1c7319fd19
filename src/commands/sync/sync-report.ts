/** Runs a sync for `sb sync`, and reports it as the command's output. */
import type { CommandContext, SessionCommandContext } from "../../command-kit/context.ts";
import { isAccepted, summaryOf } from "../../sync/plan/summary.ts";
import type { SyncRun } from "../../sync/run-sync.ts";
import { syncStateAsync } from "../../sync/state-paths.ts";
import {
  type ProjectWishes,
  runInStudioAsync,
  runWithFileAsync,
  type SyncInput,
} from "../../sync/sync-project.ts";
import { toldBeforeAsync } from "../../sync/told-unwritable.ts";
import type { PlanItem } from "../../sync/types.ts";
import type { SyncOutput } from "./sync-output.ts";

/** With the place or model file `from`. Throws what `runSyncAsync` throws. */
export async function syncFileAsync(
  input: SyncInput & { readonly project?: string | undefined },
  from: string,
  context: CommandContext,
): Promise<SyncOutput> {
  const { run, wishes } = await runWithFileAsync(input, from, context);
  return reportAsync(run, wishes, context);
}

/** With an open Studio. Throws what `runSyncAsync` throws. */
export async function syncStudioAsync(
  wishes: ProjectWishes,
  context: SessionCommandContext,
): Promise<SyncOutput> {
  return reportAsync(await runInStudioAsync(wishes, context), wishes, context);
}

async function reportAsync(
  run: SyncRun,
  wishes: ProjectWishes,
  context: CommandContext,
): Promise<SyncOutput> {
  const isForPeople = context.isJson !== true && !wishes.check && wishes.mode !== "dryrun";
  const state = await syncStateAsync(wishes.projectFile);
  const told = isForPeople ? await toldBeforeAsync(state, run.plan.items) : new Set<PlanItem>();
  return reportOf(run, wishes, { hasValues: context.isVerbose === true, told });
}

interface ReportOptions {
  /** With the values before and after, which a dry run always shows. */
  readonly hasValues: boolean;
  /** Of which people know. */
  readonly told: ReadonlySet<PlanItem>;
}

function reportOf(
  { plan, status, planId, replies, results, notices }: SyncRun,
  { mode, check }: Pick<ProjectWishes, "mode" | "check">,
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
