/** `sb sync undo`: takes the last sync of a project back, on both sides. */
import { defineSchema } from "../../protocol/schema.ts";
import type { OutputOf } from "../../protocol/schema.ts";
import { StudioBridgeError } from "../../protocol/errors.ts";
import { defineCommand } from "../../command/definition.ts";
import type { SessionCommandContext } from "../../command/context.ts";
import { flagFor } from "../../command/words/spelling.ts";
import { studioPartOf, type StudioPart } from "../../sync/apply-plan.ts";
import { restoreBaseAsync } from "../../sync/base/kept-base.ts";
import { forgetBaseAsync } from "../../sync/base/store.ts";
import type { PlanRecord } from "../../sync/files/plan-record.ts";
import { lastPlanAsync, undoFilesAsync } from "../../sync/files/undo-files.ts";
import { lockedAsync } from "../../sync/locked.ts";
import { type SyncState, syncStateAsync } from "../../sync/state-paths.ts";
import type { Style } from "../../util/style.ts";
import { visibleOnOneLine } from "../../util/visible-controls.ts";
import { amountText } from "./amount-text.ts";
import { requireProjectAsync } from "./find-project.ts";
import { projectField } from "./project-field.ts";

const input = defineSchema((z) =>
  z.strictObject({
    project: projectField(z),
    files: z
      .boolean()
      .default(false)
      .describe("Take back the files alone, where Studio cannot undo its part any more"),
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
  cli: {
    positionals: [{ key: "project", label: "PROJECT" }],
    flags: [flagFor(input, "files", { kind: "boolean" })],
  },
  failed: ({ isWhole }) => !isWhole,
  format: undoneText,
  async prepareAsync({ project, files }) {
    const state = await syncStateAsync(await requireProjectAsync(project));
    const record = await lastPlanAsync(state);
    if (record === undefined) throw nothingToUndo();
    const studio = studioPartOf(record);
    if (studio === undefined || files)
      return { finished: await undoAsync(state, record, { hasBase: studio === undefined }) };
    return (context) =>
      undoAsync(state, record, {
        hasBase: true,
        changes: studio.changes,
        undoAsync: () => undoInStudioAsync(studio, record, context),
      });
  },
});

type Refusals = Readonly<Record<string, string>>;

interface StudioUndo {
  /** Both sides are then as before the sync, so that the base of before holds again. */
  readonly hasBase: boolean;
  readonly changes?: number;
  readonly undoAsync?: () => Promise<Refusals>;
}

/** If Studio cannot take its part back, the files stay in step with it. */
async function undoAsync(
  state: SyncState,
  record: PlanRecord,
  { hasBase, changes = 0, undoAsync: undoStudioAsync }: StudioUndo,
): Promise<Output> {
  const { planId, place, label, operations } = record;
  return lockedAsync(state, place, "sb sync undo", async () => {
    const inStudio = (await undoStudioAsync?.()) ?? {};
    if (Object.keys(inStudio).length > 0)
      return { planId, label, isWhole: false, fileSteps: 0, studioChanges: 0, refused: inStudio };
    const { refused } = await undoFilesAsync(state, record);
    if (hasBase && refused.size === 0) await restoreBaseAsync(state, place, planId);
    else await forgetBaseAsync(state, place);
    return {
      planId,
      label,
      isWhole: refused.size === 0,
      fileSteps: operations.length,
      studioChanges: changes,
      refused: Object.fromEntries(refused),
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
      : "Studio no longer has the undo step of the sync; `sb sync undo --files` takes back the files alone";
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
  const what = amountText({ fileSteps, studioChanges }, label);
  return [
    ...Object.entries(refused).map(([path, reason]) =>
      style.red(`${visibleOnOneLine(path)}: ${visibleOnOneLine(reason)}`),
    ),
    isWhole
      ? style.green(`Taken back: ${what} (${planId}).`)
      : style.yellow(`Taken back in part: ${what} (${planId}).`),
  ].join("\n");
}
