/** `sb sync status`: when a project was last synced, with which places, and what the last plan left undone. */
import { defineSchema } from "../../protocol/schema.ts";
import type { OutputOf } from "../../protocol/schema.ts";
import { defineCommand } from "../../command-kit/definition.ts";
import { studioPartOf } from "../../sync/apply-plan.ts";
import { type PlanRecord, readPlanRecordsAsync } from "../../sync/files/plan-record.ts";
import { trashOfPlan } from "../../sync/files/undo-files.ts";
import { syncStateAsync } from "../../sync/state-paths.ts";
import { durationText } from "../../util/duration-text.ts";
import type { Style } from "../../util/style.ts";
import { visibleOnOneLine } from "../../util/visible-controls.ts";
import { amountText } from "./amount-text.ts";
import { requireProjectAsync } from "../../project/find-rojo-project.ts";
import { projectField } from "./project-field.ts";

/** More plans and failures tell a person nothing; --json has all. */
const SHOWN_PLANS = 5;
const SHOWN_FAILURES = 5;

const input = defineSchema((z) =>
  z.strictObject({
    project: projectField(z),
  }),
);

const output = defineSchema((z) =>
  z.object({
    project: z.string(),
    /** Newest first. */
    plans: z.array(
      z.object({
        planId: z.string(),
        startedAt: z.string(),
        ageMs: z.int(),
        label: z.string(),
        status: z.enum(["applying", "applied", "partial", "undoing", "undone", "partly_undone"]),
        fileChanges: z.int(),
        studioChanges: z.int(),
        /** Why items were not applied, by their ids. */
        failures: z.record(z.string(), z.string()),
        trash: z.string(),
      }),
    ),
  }),
);
type Output = OutputOf<typeof output>;
type Plan = Output["plans"][number];

export const command = defineCommand({
  name: "sync status",
  summary: "Show the last syncs of a project",
  description:
    "Lists the syncs of a Rojo project that changed something: when, with which place, what failed, and where the files are that they replaced. It needs no Studio.",
  group: "Studio",
  examples: [
    { command: "sb sync status", note: "" },
    { command: "sb sync status --json", note: "every plan that is kept" },
  ],
  surfaces: ["cli"],
  target: "none",
  annotations: { readOnly: true, destructive: false, idempotent: true },
  input,
  output,
  cli: { positionals: [{ key: "project", label: "PROJECT" }] },
  format: statusText,
  async handler({ project: given }) {
    const project = await requireProjectAsync(given);
    const state = await syncStateAsync(project);
    return { project, plans: (await readPlanRecordsAsync(state)).map(planOf) };
  },
});

function planOf(record: PlanRecord): Plan {
  const { planId, startedAtMs, label, status, operations, failures } = record;
  return {
    planId,
    startedAt: new Date(startedAtMs).toISOString(),
    ageMs: Math.max(0, Date.now() - startedAtMs),
    label,
    status,
    fileChanges: operations.length,
    studioChanges: studioPartOf(record)?.changes ?? 0,
    failures,
    trash: trashOfPlan(record),
  };
}

const sentences: { readonly [Status in Plan["status"]]: string } = {
  applying: "was interrupted, or still runs",
  applied: "was applied",
  partial: "was applied in part",
  undoing: "is being taken back, or the undo was interrupted",
  undone: "was taken back",
  partly_undone: "was taken back in part",
};

function statusText({ project, plans }: Output, style: Style): string {
  const title = style.bold(visibleOnOneLine(project));
  if (plans.length === 0) return `${title}\nNo sync has changed anything yet.`;
  const shown = plans.slice(0, SHOWN_PLANS).map((plan) => planText(plan, style));
  const left = plans.length - shown.length;
  return [title, ...shown, ...(left > 0 ? [style.dim(`… and ${left} earlier`)] : [])].join("\n");
}

function planText(plan: Plan, style: Style): string {
  const { planId, ageMs, label, status, fileChanges, studioChanges, failures } = plan;
  const amount = amountText({ fileSteps: fileChanges, studioChanges }, "Studio");
  const when = `${durationText(ageMs)} ago`;
  const failed = Object.entries(failures);
  const hidden = failed.length - SHOWN_FAILURES;
  return [
    `${planId}  ${when}, with ${visibleOnOneLine(label)}: ${sentences[status]} (${amount})`,
    ...failed
      .slice(0, SHOWN_FAILURES)
      .map(([id, reason]) => style.red(`  ${id}: ${visibleOnOneLine(reason)}`)),
    ...(hidden > 0 ? [style.red(`  … and ${hidden} more that failed`)] : []),
  ].join("\n");
}
