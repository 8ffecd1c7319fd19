/** Runs a sync of a project with a place file or an open Studio, and with the person behind it. */
import { loadFileSchemaAsync } from "../headless/index.ts";
import { forgetLineAsync } from "./revisions/store.ts";
import { placeCounterpartAsync } from "./place/place-counterpart.ts";
import { runSyncAsync, type SyncRun, type SyncWishes } from "./run-sync.ts";
import { syncStateAsync } from "./state-paths.ts";
import type { Counterpart, Override, PropertyChoice, SyncMode } from "./types.ts";
import { projectForPlaceAsync } from "./place/project-for-place.ts";
import { openSessionAsync } from "./studio/session-counterpart.ts";
import { studioLinkOf } from "./studio/studio-link.ts";
import { rememberAsync } from "./remembered-skips.ts";
import { syncSettingsAsync } from "./sync-settings.ts";
import { decidedBy, decisionsOf } from "./sync-decisions.ts";
import type { StudioSurface, SyncSurface } from "./sync-surface.ts";

/** What the input of the command says, whatever the other side is. */
export interface SyncInput {
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
  /** Path of the Instance that a library becomes. */
  readonly into?: string | undefined;
}

export interface ProjectWishes extends SyncInput {
  /** Absolute. */
  readonly projectFile: string;
}

/** With the place or model file `from`. Throws what `runSyncAsync` throws. */
export async function runWithFileAsync(
  input: SyncInput & { readonly project?: string | undefined },
  from: string,
  surface: SyncSurface,
): Promise<{ readonly run: SyncRun; readonly wishes: ProjectWishes }> {
  const counterpart = await placeCounterpartAsync(from);
  const { file: projectFile, isNew } = await projectForPlaceAsync(input, from, surface);
  if (isNew) await forgetLineAsync(await syncStateAsync(projectFile));
  const wishes = { ...input, projectFile };
  return { run: await runAsync(wishes, counterpart, surface), wishes };
}

/** With an open Studio. Throws what `runSyncAsync` throws. */
export async function runInStudioAsync(wishes: ProjectWishes, surface: StudioSurface): Promise<SyncRun> {
  await using counterpart = await openSessionAsync(wishes.projectFile, studioLinkOf(surface));
  return await runAsync(wishes, counterpart, surface);
}

async function runAsync(
  wishes: ProjectWishes,
  counterpart: Counterpart,
  surface: SyncSurface & Partial<Pick<StudioSurface, "caller">>,
): Promise<SyncRun> {
  const { signal, decideAsync, caller } = surface;
  const own = await syncWishesAsync(wishes);
  // A place file is compared with the project as it is.
  const { into } = counterpart.isWritable ? own : {};
  const run = await runSyncAsync({ ...own, into }, counterpart, {
    schema: await loadFileSchemaAsync(),
    signal,
    command: "sb sync",
    ...(caller === undefined ? {} : { callerId: caller.id }),
    status: (text) => surface.status(text),
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
export async function syncWishesAsync(wishes: ProjectWishes): Promise<SyncWishes> {
  const { projectFile, overrides, mode, check, partial, properties, allowOutside, safeNames } = wishes;
  const settings = await syncSettingsAsync(projectFile);
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
    ...settings,
    into: wishes.into ?? settings.into,
  };
}
