/** A sync as facts, for tools that put them into words of their own; and which Instance a file is. */
import { dirname, relative, resolve } from "node:path";
import type { FileCaller } from "../project/file-roots.ts";
import type { SerializedValue } from "../protocol/values.ts";
import { aspectJson } from "./plan/aspect-json.ts";
import type { SyncPlan } from "./plan/plan.ts";
import type { OverrideReply } from "./plan/resolve.ts";
import { summaryOf, type ItemSummary, type SyncStatus } from "./plan/summary.ts";
import type { Override, PlanItem, SyncMode } from "./types.ts";
import { requireProjectAsync } from "../project/find-rojo-project.ts";
import { overridesOfList } from "./override-input.ts";
import { replyText } from "./plan/sentences.ts";
import { runInStudioAsync } from "./sync-project.ts";
import type { StudioSurface } from "./sync-surface.ts";

export interface ToolChange extends ItemSummary {
  /** The direction before any choice; null for what waits for one. */
  readonly defaultSelection: "push" | "pull" | null;
  /** What Studio and what the files hold of each property that differs. */
  readonly properties: Readonly<
    Record<string, { readonly studio: SerializedValue; readonly files: SerializedValue }>
  >;
}

/** An override that was not used. */
export interface UnusedOverride {
  readonly id: string;
  readonly answer: string;
  /** The hash or the values that are there in place of those that it states. */
  readonly found?: unknown;
  readonly sentence: string;
}

export interface ToolSync {
  readonly status: SyncStatus;
  readonly unused: readonly UnusedOverride[];
  readonly changes: readonly ToolChange[];
}

/** Throws INVALID_INPUT for a malformed list, before anything is read. */
export const toolOverrides = (list: readonly unknown[]): readonly Override[] =>
  overridesOfList(list, "overrides");

/** Of the project of the working folder. Throws what `sb sync` throws. */
export async function syncForToolAsync(
  { mode, overrides }: { readonly mode: SyncMode; readonly overrides: readonly Override[] },
  surface: StudioSurface,
): Promise<ToolSync> {
  const wishes = await wishesAsync(mode, overrides, surface);
  const { plan, status, results, proposed, replies } = await runInStudioAsync(wishes, surface);
  const { items } = summaryOf(plan, { planId: "", mode, status, results, hasValues: false });
  const changes = items.map((summary, index): ToolChange => {
    const item = plan.items[index];
    const verdict = proposed.get(summary.id);
    return {
      ...summary,
      defaultSelection: verdict === "push" || verdict === "pull" ? verdict : null,
      properties: item === undefined ? {} : propertiesOf(plan, item),
    };
  });
  return { status, changes, unused: unusedOf(overrides, replies) };
}

function unusedOf(
  overrides: readonly Override[],
  replies: readonly OverrideReply[],
): readonly UnusedOverride[] {
  return replies
    .filter(({ answer }) => answer !== "applied")
    .map(({ index, answer, found, detail }) => ({
      id: overrides[index]?.to ?? "",
      answer,
      ...(found === undefined ? {} : { found }),
      sentence: replyText({ index, answer, ...(detail === undefined ? {} : { detail }) }),
    }));
}

async function wishesAsync(mode: SyncMode, overrides: readonly Override[], caller: FileCaller) {
  const projectFile = await requireProjectAsync(undefined, caller);
  return {
    projectFile,
    mode,
    overrides,
    check: false,
    partial: false,
    allowOutside: false,
    safeNames: false,
  };
}

/** Without sources, which are read one by one. */
function propertiesOf({ state }: SyncPlan, item: PlanItem): ToolChange["properties"] {
  return Object.fromEntries(
    item.aspects
      .filter(({ aspect }) => aspect !== "source")
      .map((change) => [
        change.name ?? change.aspect,
        {
          studio: aspectJson(state, item, change, change.studio) ?? null,
          files: aspectJson(state, item, change, change.file) ?? null,
        },
      ]),
  );
}

/**
 * The id of the Instance in Studio that a file of the project makes, found by a dry run; undefined where Studio has none.
 * `path` is relative to the project's folder.
 */
export async function instanceOfFileAsync(
  path: string,
  surface: StudioSurface,
): Promise<{ readonly id: string; readonly fsPath: string } | undefined> {
  const wishes = await wishesAsync("dryrun", [], surface);
  const { plan } = await runInStudioAsync(wishes, surface);
  const folder = dirname(wishes.projectFile);
  const wanted = resolve(folder, path);
  for (const [file, { studioId }] of plan.pairs) {
    const { origin } = file;
    const isMeant = [file.file, origin?.init, origin?.path].includes(wanted);
    if (!isMeant || studioId === undefined || origin?.kind === "part") continue;
    return { id: `@${studioId}`, fsPath: relative(folder, wanted).replaceAll("\\", "/") };
  }
  return undefined;
}
