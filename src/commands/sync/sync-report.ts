/** Runs a sync for a command, with the person behind it, and reports it as the command's output. */
import type { CommandContext, SessionCommandContext } from "../../command/context.ts";
import { loadFileSchemaAsync } from "../../headless/index.ts";
import { forgetBaseAsync } from "../../sync/base/store.ts";
import { placeCounterpartAsync } from "../../sync/place/place-counterpart.ts";
import { summaryOf } from "../../sync/plan/summary.ts";
import { runSyncAsync, type SyncRun, type SyncWishes } from "../../sync/run-sync.ts";
import { syncStateAsync } from "../../sync/state-paths.ts";
import type { Counterpart, Override, PropertyChoice, SyncMode } from "../../sync/types.ts";
import { projectForPlaceAsync } from "./project-for-place.ts";
import { openSessionAsync } from "./studio/session-counterpart.ts";
import { studioLinkOf } from "./studio/studio-link.ts";
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
  readonly allowOutside: boolean;
  readonly safeNames: boolean;
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
  if (isNew) await forgetBaseAsync(await syncStateAsync(projectFile), counterpart.place);
  const wishes = { ...input, projectFile };
  return reportOf(await runAsync(wishes, counterpart, context), input, context.isVerbose === true);
}

/** With an open Studio. Throws what `runSyncAsync` throws. */
export async function syncStudioAsync(
  wishes: ReportWishes,
  context: SessionCommandContext,
): Promise<SyncOutput> {
  return reportOf(await runInStudioAsync(wishes, context), wishes, context.isVerbose === true);
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

export function syncWishes(wishes: ReportWishes): SyncWishes {
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
function reportOf(
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
