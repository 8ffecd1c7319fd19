/** `sb undo [N]` and studio_undo: take back the last undo steps that sb made, or list them. */
import { defineSchema } from "../../protocol/schema.ts";
import { defineCommand, streamed } from "../../command/definition.ts";
import type { SessionCommandContext } from "../../command/context.ts";
import { flagFor } from "../../command/words/spelling.ts";
import { visibleOnOneLine } from "../../util/visible-controls.ts";
import { isStopped, undoneNote, undoneText, undoOutput, undoStepsAsync } from "./undo-steps.ts";
import agentDescription from "./undo.md" with { type: "text" };

const input = defineSchema((z) =>
  z.strictObject({
    steps: z
      .int("expected a number of steps")
      .min(1, "expected 1 step or more")
      .default(1)
      .describe("How many steps"),
    redo: z.boolean().default(false).describe("Make undone steps again"),
    force: z.boolean().default(false).describe("Also steps of others"),
    list: z.boolean().default(false).describe("Show the steps, newest first"),
    own: z.boolean().default(false).describe("Only the caller's own steps"),
  }),
);

export const command = defineCommand({
  name: "undo",
  summary: "Undo the last changes that sb made",
  description:
    "Takes back the last undo steps that sb made: each edit is one, and each exec or run that changes the place. It stops at a step of a person or of another plugin, and names it.",
  agentDescription,
  group: "Studio",
  examples: [
    { command: "sb undo", note: "the last step" },
    { command: "sb undo 3", note: "" },
    { command: "sb undo --list", note: "the steps and who made them" },
  ],
  surfaces: ["cli", "terminal", "mcp"],
  target: "session",
  waitsFor: "undo",
  defaultContext: "edit",
  onlyLooks: ({ list }) => list === true,
  annotations: { readOnly: false, destructive: true, idempotent: false },
  input,
  output: undoOutput,
  personalInput: ["list", "own"],
  agentInput: { own: true },
  cli: {
    positionals: [{ key: "steps", label: "N", isNumber: true }],
    flags: [flagFor(input, "list", { kind: "boolean" }), flagFor(input, "force", { kind: "boolean" })],
    conflicts: [
      { flags: ["list"], positional: "steps", message: "Cannot use a number of steps with --list." },
      { flags: ["list", "force"], message: "Cannot use --list and --force together." },
    ],
  },
  failed: isStopped,
  format: (undone) => undoneText(undone, false),
  agentNote: undoneNote,
  async handler({ list, ...wish }, context) {
    if (!list) return undoStepsAsync(wish, context);
    await listAsync(context);
    return streamed;
  },
});

async function listAsync(context: SessionCommandContext): Promise<void> {
  const { steps } = await context.callAsync("listSteps", {});
  const lines = steps.map(({ name, by, isPartial }) => {
    const part = isPartial ? "  partly: it went on afterwards" : "";
    return `${visibleOnOneLine(name)}  ${visibleOnOneLine(by)}${part}`;
  });
  const shown = lines.length === 0 ? ["sb has made no undo steps here."] : lines;
  context.emit({ stream: "stdout", text: () => shown.join("\n"), json: { steps } });
}
