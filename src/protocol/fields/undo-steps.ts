/** Undo steps: what became of one, and which sync it belongs to. */
import { defineSchema } from "../schema.ts";
import type { OutputOf } from "../schema.ts";

export const undoReportSchema = defineSchema((z) =>
  z.object({
    recorded: z
      .union([z.boolean(), z.literal("partly")])
      .describe("Whether the call is one undo step of Studio; `partly` for a script that went on after it."),
    name: z.string().describe("Name of the step."),
    reason: z.string().optional().describe("Why the call is not a step, or why the step lacks a part of it."),
  }),
);

/** Names a sync to the machine that made it. */
export const syncOfStepSchema = defineSchema((z) =>
  z.object({
    project: z.string().max(64).describe("Key of the project in the state folder of the client's machine."),
    plan: z.string().max(64).describe("Id of the plan."),
  }),
);
export type SyncOfStep = OutputOf<typeof syncOfStepSchema>;

export const stepSchema = defineSchema((z) =>
  z.object({
    name: z.string().describe("Name of the step."),
    by: z.string().describe("Who made it."),
    callerId: z.string().describe("Id of the client; empty for a step of another caller."),
    isPartial: z.boolean().describe("True for a script that went on after the recording had ended."),
    at: z
      .number()
      .optional()
      .describe("When it was made, in milliseconds since 1970; absent for a step of another caller."),
    count: z.int().nonnegative().optional().describe("How many Instances it changed, where that is known."),
    paths: z.array(z.string()).optional().describe("The first paths of those."),
    script: z.string().optional().describe("The first line of the script that made it."),
    sync: syncOfStepSchema(z).optional().describe("The sync that it belongs to."),
  }),
);
