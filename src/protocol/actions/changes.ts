/** Changing a place by request, and the undo steps of it. */
import { changes, looks } from "../classes.ts";
import { callerSchema } from "../fields/callers.ts";
import { operationSchema, verdictSchema } from "../fields/patches.ts";
import { stepSchema, syncOfStepSchema, undoReportSchema } from "../fields/undo-steps.ts";
import { limits } from "../limits.ts";
import { defineSchema } from "../schema.ts";
import { SLICE_MS } from "./row.ts";
import type { ActionRows } from "./row.ts";

export const changeActions = {
  applyPatch: {
    reply: "patchResult",
    class: changes(),
    subject: "Editing",
    capability: "editing",
    timeoutMs: 30_000,
    retrySafe: false,
    request: defineSchema((z) =>
      z
        .object({
          operations: z
            .array(operationSchema(z))
            .max(limits.stepOperations)
            .describe("What is done, one after the other."),
          name: z.string().max(256).describe("Name of the undo step."),
          caller: callerSchema(z).optional().describe("Whose undo step it is."),
          sync: syncOfStepSchema(z)
            .optional()
            .describe("The sync that the step belongs to, which has changed files as well."),
          dryRun: z.boolean().default(false).describe("Gives the verdicts, and leaves everything as it is."),
          exact: z
            .boolean()
            .default(false)
            .describe(
              "Parts that joints move along with a changed one go back to where they were, unless an operation moves them.",
            ),
          step: z
            .object({
              id: z.string().min(1).max(128).describe("The same in all requests of the step."),
              isLast: z.boolean().describe("True in the last request, which ends the step."),
            })
            .optional()
            .describe(
              "Several requests with this field are one undo step. Each does what can be done of its operations, leaves out the others, and works a few milliseconds in each frame. No other changing call runs until the last request, or until none has come for ten seconds.",
            ),
          coming: z
            .array(operationSchema(z))
            .max(limits.stepOperations)
            .optional()
            .describe(
              "With `step`: what later requests do, without values. The person at Studio is asked about it with this one, if they want to be asked. A step with more than fits tells the next ones when it comes to them.",
            ),
          sliceMs: z
            .number()
            .nonnegative()
            .default(SLICE_MS)
            .describe("With `step`: milliseconds of work in one frame of Studio."),
        })
        .describe(
          "Changes the place: all operations, or none where one cannot be done. The changes are one undo step.",
        ),
    ),
    result: defineSchema((z) =>
      z
        .object({
          ok: z
            .boolean()
            .describe(
              "Whether all operations can be done. False: nothing was changed, except in a request with `step`.",
            ),
          items: z.array(verdictSchema(z)).describe("A verdict for each operation, in their order."),
          movedAlong: z
            .array(z.string())
            .optional()
            .describe("Paths of parts that no operation names and that joints have moved along."),
          undo: undoReportSchema(z).describe("What became of the undo step."),
        })
        .describe("What became of a patch."),
    ),
  },
  undo: {
    reply: "undoResult",
    class: changes(),
    subject: "Undo",
    capability: "undo",
    timeoutMs: 15_000,
    retrySafe: false,
    request: defineSchema((z) =>
      z
        .object({
          steps: z.int().positive().default(1).describe("How many steps at most."),
          redo: z.boolean().default(false).describe("Redoes undone steps."),
          only: z
            .string()
            .optional()
            .describe("Id of the client whose steps may be undone; without it, those of every client."),
          force: z.boolean().default(false).describe("Undoes the steps of others too."),
          plan: z
            .string()
            .max(64)
            .optional()
            .describe(
              "Plan of a sync: only the step of that sync is undone. Without it, no step of a sync is undone.",
            ),
        })
        .describe("Takes back the last undo steps that sb made, newest first."),
    ),
    result: defineSchema((z) =>
      z
        .object({
          undone: z.array(z.string()).describe("Names of the steps, in the order in which they were undone."),
          stoppedAt: z
            .object({
              name: z.string().describe("Name of the step."),
              by: z.string().describe("Who made it."),
              sync: syncOfStepSchema(z)
                .optional()
                .describe("Present if it stopped there because the step belongs to a sync."),
            })
            .optional()
            .describe("The step at which it stopped: one of another caller, or of a sync."),
          forgotten: z
            .int()
            .positive()
            .optional()
            .describe("How many older steps Studio has forgotten, if there were fewer than requested."),
        })
        .describe("What was undone."),
    ),
  },
  listSteps: {
    reply: "stepsResult",
    class: looks(),
    subject: "Undo list",
    capability: "undo",
    timeoutMs: 5_000,
    retrySafe: true,
    request: defineSchema((z) => z.object({}).describe("Asks for the undo steps that sb made.")),
    result: defineSchema((z) =>
      z
        .object({
          steps: z
            .array(stepSchema(z))
            .describe(
              "The steps, newest first. A step of another caller is listed only if it is the newest.",
            ),
          undone: z
            .array(stepSchema(z))
            .default([])
            .describe("The steps that were undone and can be redone, the next one first."),
        })
        .describe("The undo steps that sb made."),
    ),
  },
} as const satisfies ActionRows;
