/** `sb sync undo`: takes the last sync of a project back, on both sides. */
import { defineSchema } from "../../protocol/schema.ts";
import { defineCommand } from "../../command-kit/definition.ts";
import { flagsOf } from "../../command-kit/words/spelling.ts";
import { projectField } from "./project-field.ts";
import { prepareUndoAsync } from "../../sync/undo-project.ts";
import { undoneSyncSchema, undoneSyncText } from "./undone-sync.ts";

const input = defineSchema((z) =>
  z.strictObject({
    project: projectField(z),
    files: z
      .boolean()
      .default(false)
      .describe("Take back only the files, as far as possible; Studio keeps its part"),
  }),
);

export const command = defineCommand({
  name: "sync undo",
  summary: "Take back the last sync of a project",
  description:
    "Takes back what the last sync of a Rojo project changed: files byte for byte, Studio as its one undo step. If any of it has changed since then, both sides stay as they are, and the changes are named; --files takes back the files that it can. Run it again to take back the sync before that one.",
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
  output: undoneSyncSchema,
  cli: {
    positionals: [{ key: "project", label: "PROJECT" }],
    flags: flagsOf(input, {
      files: "boolean",
    }),
  },
  failed: ({ isWhole }) => !isWhole,
  format: undoneSyncText,
  prepareAsync: (input, context) => prepareUndoAsync(input, context),
});
