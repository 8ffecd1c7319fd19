/** `sb sync undo`: takes the last sync of a project back, on both sides. */
import { defineSchema } from "../../protocol/schema.ts";
import type { OutputOf } from "../../protocol/schema.ts";
import { StudioBridgeError } from "../../protocol/errors.ts";
import { defineCommand } from "../../command/definition.ts";
import type { SessionCommandContext } from "../../command/context.ts";
import { studioPartOf, type StudioPart } from "../../sync/apply-plan.ts";
import { restoreBaseAsync } from "../../sync/base/kept-base.ts";
import { forgetBaseAsync } from "../../sync/base/store.ts";
import type { PlanRecord } from "../../sync/files/plan-record.ts";
import { lastPlanAsync, undoFilesAsync } from "../../sync/files/undo-files.ts";
import { lockedAsync } from "../../sync/locked.ts";
import { type SyncState, syncStateAsync } from "../../sync/state-paths.ts";
import type { Style } from "../../util/style.ts";
import { visibleOnOneLine } from "../../util/visible-controls.ts";
import { requireProjectAsync } from "./find-project.ts";

const input = defineSchema((z) =>
  z.strictObject({
    project: z
      .string()
      .min(1, "expected a project file or its folder")
      .optional()
      .describe("Rojo project, or its folder"),
  }),
);

const output = defineSchema((z) =>
  z.object({
    planId: z.string(),
    label: z.string(),
    /** Nothing was left as it is. */
    isWhole: z.boolean(),
    fileSteps: z.int(),
    studioChanges: z.int(),
    /** Why something was left as it is, by path. */
    refused: z.record(z.string(), z.string()),
  }),
);
type Output = OutputOf<typeof output>;

export const command = defineCommand({
  name: "sync undo",
  summary: "Take the last sync of a project back",
  description:
    "Takes back what the last sync of a Rojo project changed: files byte for byte, Studio as its one undo step. What was changed since then stays as it is, and is named. Called again, it takes the sync before back.",
  group: "Studio",
  examples: [
    { command: "sb sync undo", note: "" },
    { command: "sb sync status", note: "which sync that is" },
  ],
  surfaces: ["cli"],
  target: "session",
  defaultContext: "edit",
  withoutStudio: "The last sync changed the place, so open it in Studio first.",
  graceMs: 30_000,
  annotations: { readOnly: false, destructive: true, idempotent: false },
  input,
  output,
  cli: { positionals: [{ key: "project", label: "PROJECT" }] },
  failed: ({ isWhole }) => !isWhole,
  format: undoneText,
  async prepareAsync({ project }) {
    const state = await syncStateAsync(await requireProjectAsync(project));
    const record = await lastPlanAsync(state);
    if (record === undefined) throw nothingToUndo();
    const studio = studioPartOf(record);
    if (studio === undefined) return { finished: await undoAsync(state, record, 0, async () => ({})) };
    return (context) =>
      undoAsync(state, record, studio.changes, () => undoInStudioAsync(studio, record, context));
  },
});

type Refusals = Readonly<Record<string, string>>;

/** The base of before comes back as well, so that the next sync sees both sides as they were. */
async function undoAsync(
  state: SyncState,
  record: PlanRecord,
  studioChanges: number,
  undoStudioAsync: () => Promise<Refusals>,
): Promise<Output> {
  const { planId, place, label, operations } = record;
  return lockedAsync(state, place, "sb sync undo", async () => {
    // If Studio cannot take its part back, the files stay in step with it.
    const inStudio = await undoStudioAsync();
    const studioStays = Object.keys(inStudio).length > 0;
    const inFiles = studioStays ? new Map<string, string>() : (await undoFilesAsync(state, record)).refused;
    const isWhole = !studioStays && inFiles.size === 0;
    if (isWhole) await restoreBaseAsync(state, place, planId);
    else if (!studioStays) await forgetBaseAsync(state, place);
    return {
      planId,
      label,
      isWhole,
      fileSteps: studioStays ? 0 : operations.length,
      studioChanges: studioStays ? 0 : studioChanges,
      refused: { ...inStudio, ...Object.fromEntries(inFiles) },
    };
  });
}

/** The sync must be Studio's newest step, because undoing goes from the newest to the oldest. */
async function undoInStudioAsync(
  { callerId }: StudioPart,
  { label }: PlanRecord,
  context: SessionCommandContext,
): Promise<Refusals> {
  const { steps } = await context.callAsync("listSteps", {});
  const [newest] = steps;
  if (newest === undefined || newest.callerId !== callerId) {
    const isThere = steps.some((step) => step.callerId === callerId);
    const reason = isThere
      ? `"${newest?.name}" was done after the sync; undo that first`
      : "Studio no longer has the undo step of the sync";
    return { [label]: reason };
  }
  const { undone } = await context.callAsync("undo", { steps: 1, redo: false, force: false, only: callerId });
  return undone.length === 1 ? {} : { [label]: "Studio did not undo the step" };
}

const nothingToUndo = (): StudioBridgeError =>
  new StudioBridgeError("FILE_ERROR", "There is no sync of this project to take back.", {
    hint: "`sb sync status` lists the syncs that changed something.",
  });

function undoneText(
  { planId, isWhole, fileSteps, studioChanges, refused, label }: Output,
  style: Style,
): string {
  const parts = [
    ...(fileSteps > 0 ? [`${fileSteps} ${fileSteps === 1 ? "step" : "steps"} on files`] : []),
    ...(studioChanges > 0
      ? [`${studioChanges} ${studioChanges === 1 ? "change" : "changes"} in ${label}`]
      : []),
  ];
  const what = parts.length === 0 ? "nothing" : parts.join(" and ");
  return [
    ...Object.entries(refused).map(([path, reason]) =>
      style.red(`${visibleOnOneLine(path)}: ${visibleOnOneLine(reason)}`),
    ),
    isWhole
      ? style.green(`Taken back: ${what} (${planId}).`)
      : style.yellow(`Taken back in part: ${what} (${planId}).`),
  ].join("\n");
}
