/** `sb redo [N]`: makes undone steps again. */
import { defineSchema } from "../../protocol/schema.ts";
import { defineCommand } from "../../command-kit/definition.ts";
import { OPEN_LASTING_STUDIO } from "../../command-kit/words/lasting-studio.ts";
import { flagsOf } from "../../command-kit/words/spelling.ts";
import { isStopped, undoneText, undoOutput, undoStepsAsync } from "../../edit/undo-steps.ts";

const input = defineSchema((z) =>
  z.strictObject({
    steps: z
      .int("expected a number of steps")
      .min(1, "expected 1 step or more")
      .default(1)
      .describe("How many steps"),
    force: z.boolean().default(false).describe("Also redo steps of others"),
  }),
);

export const command = defineCommand({
  name: "redo",
  summary: "Redo undone changes",
  description:
    "Redoes the last undone steps of sb. It stops at a step of a person or of another plugin and names it, and at a sync, which `sb sync` makes again.",
  group: "Studio",
  examples: [{ command: "sb redo", note: "" }],
  surfaces: ["cli", "terminal"],
  target: "session",
  waitsFor: "undo",
  defaultContext: "edit",
  withoutStudio: OPEN_LASTING_STUDIO,
  annotations: { readOnly: false, destructive: true, idempotent: false },
  input,
  output: undoOutput,
  cli: {
    positionals: [{ key: "steps", label: "N", isNumber: true }],
    flags: flagsOf(input, {
      force: "boolean",
    }),
  },
  failed: isStopped,
  format: undoneText,
  handler: (wish, context) => undoStepsAsync({ ...wish, redo: true, own: false }, context),
});
