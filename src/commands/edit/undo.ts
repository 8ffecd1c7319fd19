/** `sb undo [N]` and studio_undo: take back the last undo steps that sb made, or list them. */
import { defineSchema } from "../../protocol/schema.ts";
import { defineCommand } from "../../command-kit/definition.ts";
import { OPEN_LASTING_STUDIO } from "../../command-kit/words/lasting-studio.ts";
import { flagsOf } from "../../command-kit/words/spelling.ts";
import { listStepsAsync } from "../../edit/list-steps.ts";
import { isStopped, undoneNote, undoneText, undoOutput, undoStepsAsync } from "../../edit/undo-steps.ts";
import agentDescription from "./undo.md" with { type: "text" };

/** More are no help to find one. */
const LISTED_STEPS = 20;

const input = defineSchema((z) =>
  z.strictObject({
    steps: z
      .int("expected a number of steps")
      .min(1, "expected 1 step or more")
      .default(1)
      .describe("How many steps"),
    redo: z.boolean().default(false).describe("Redo undone steps"),
    force: z.boolean().default(false).describe("Also take back steps that others made"),
    list: z.boolean().default(false).describe("Show the steps, newest first"),
    limit: z
      .int("expected a number of steps")
      .min(1, "expected 1 step or more")
      .default(LISTED_STEPS)
      .describe("With --list: show at most this many"),
    own: z.boolean().default(false).describe("Only the caller's own steps"),
  }),
);

export const command = defineCommand({
  name: "undo",
  summary: "Undo the last changes that sb made",
  description:
    "Takes back the last undo steps that sb made: each edit is one, and each exec or run that changes the place. The step of a sync is undone by itself, together with its files, or not at all. It stops at a step of a person or of another plugin, and names it.",
  agentDescription,
  group: "Studio",
  examples: [
    { command: "sb undo", note: "the last step" },
    { command: "sb undo 3", note: "" },
    { command: "sb undo --list", note: "the steps: when, who, what" },
  ],
  toolGroups: ["edit"],
  surfaces: ["cli", "terminal", "mcp"],
  target: "session",
  waitsFor: "undo",
  defaultContext: "edit",
  onlyLooks: ({ list }) => list === true,
  withoutStudio: OPEN_LASTING_STUDIO,
  annotations: { readOnly: false, destructive: true, idempotent: false },
  input,
  output: undoOutput,
  personalInput: ["list", "limit", "own"],
  agentInput: { own: true },
  cli: {
    positionals: [{ key: "steps", label: "N", isNumber: true }],
    flags: flagsOf(input, {
      list: "boolean",
      limit: { kind: "number", label: "N" },
      force: "boolean",
    }),
    conflicts: [
      { flags: ["list"], positional: "steps", message: "Cannot use a number of steps with --list." },
      { flags: ["list", "force"], message: "Cannot use --list and --force together." },
    ],
  },
  failed: isStopped,
  format: undoneText,
  agentNote: undoneNote,
  handler: ({ list, limit, ...wish }, context) =>
    list ? listStepsAsync(limit, context) : undoStepsAsync(wish, context),
});
