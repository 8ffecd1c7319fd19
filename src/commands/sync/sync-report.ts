/** Runs a sync for a command, with the person behind it, and reports it as the command's output. */
import type { CommandContext, SessionCommandContext } from "../../command/context.ts";
import { loadFileSchemaAsync } from "../../headless/index.ts";
import { summaryOf } from "../../sync/plan/summary.ts";
import { runSyncAsync, type SyncRun, type SyncWishes } from "../../sync/run-sync.ts";
import type { Counterpart, Override, PropertyChoice, SyncMode } from "../../sync/types.ts";
import { decidedBy, decisionsOf } from "./sync-decisions.ts";
import type { SyncOutput } from "./sync-output.ts";

export interface ReportWishes {
  /** Absolute. */
  readonly projectFile: string;
  readonly overrides: readonly Override[];
  readonly mode: SyncMode;
  readonly check: boolean;
  readonly partial: boolean;
  readonly properties?: PropertyChoice | undefined;
  readonly allowRemovals?: number | undefined;
  readonly allowOutside: boolean;
  readonly safeNames: boolean;
}

/** Throws what `runSyncAsync` throws. */
export async function syncReportAsync(
  wishes: ReportWishes,
  counterpart: Counterpart,
  context: CommandContext & Partial<Pick<SessionCommandContext, "caller">>,
): Promise<SyncOutput> {
  const run = await runAsync(wishes, counterpart, context);
  return reportOf(run, wishes, context.isVerbose === true);
}

async function runAsync(
  wishes: ReportWishes,
  counterpart: Counterpart,
  context: Parameters<typeof syncReportAsync>[2],
): Promise<SyncRun> {
  const { signal, decideAsync, caller } = context;
  return runSyncAsync(syncWishes(wishes), counterpart, {
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
}

const titleOf = (count: number, label: string): string =>
  `The files and ${label} differ in ${count} ${count === 1 ? "place" : "places"}. A diff leads from the files (-) to ${label} (+).`;

function syncWishes(wishes: ReportWishes): SyncWishes {
  const { projectFile, overrides, mode, check, partial, properties, allowRemovals, allowOutside, safeNames } =
    wishes;
  return {
    projectFile,
    overrides,
    // A check looks at the plan alone.
    mode: check ? "dryrun" : mode,
    isPartial: partial,
    properties,
    allowedRemovals: allowRemovals,
    allowsOutside: allowOutside,
    safeNames,
  };
}

/** `hasValues`: with the values before and after, which a dry run always shows. */
export function reportOf(
  { plan, status, planId, replies, results, notices }: SyncRun,
  { mode, check }: Pick<ReportWishes, "mode" | "check">,
  hasValues: boolean,
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
  return {
    ...rest,
    status: check ? (plan.items.length === 0 ? "empty" : "different") : status,
    ...(planId === undefined ? {} : { planId }),
    items: [...summary.items],
    overrides: [...summary.overrides],
    ...(plan.massRemoval === undefined ? {} : { massRemoval: plan.massRemoval }),
    ...(notices.length === 0 ? {} : { notices: [...notices] }),
  };
}
