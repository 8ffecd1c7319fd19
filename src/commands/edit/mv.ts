/** `sb mv PATH PARENT`: puts an Instance below another one. */
import { defineSchema } from "../../protocol/schema.ts";
import { defineCommand } from "../../command/definition.ts";
import { flagFor } from "../../command/words/spelling.ts";
import { editFailed, editOutput, editPlaceAsync, editText } from "./edit-place.ts";

const input = defineSchema((z) =>
  z.strictObject({
    path: z.string().min(1, "the path is empty").describe("Path or id of the Instance"),
    parent: z.string().min(1, "the parent is empty").describe("Path or id of its new parent"),
    dryRun: z.boolean().default(false).describe("Check everything and change nothing"),
  }),
);

export const command = defineCommand({
  name: "mv",
  summary: "Move an Instance below another one",
  description: "Moves an Instance with everything below it, as one undo step. `sb set PATH Name=…` renames.",
  group: "Studio",
  examples: [{ command: "sb mv Workspace.Door Workspace.House", note: "" }],
  surfaces: ["cli", "terminal"],
  target: "session",
  waitsFor: "applyPatch",
  defaultContext: "edit",
  annotations: { readOnly: false, destructive: true, idempotent: true },
  input,
  output: editOutput,
  cli: {
    positionals: [
      { key: "path", label: "PATH", required: true },
      { key: "parent", label: "PARENT", required: true },
    ],
    flags: [flagFor(input, "dryRun", { name: "dry-run", kind: "boolean" })],
  },
  failed: editFailed,
  format: editText,
  handler: ({ path, parent, dryRun }, context) =>
    editPlaceAsync({ operations: [{ op: "move", path, parent }], dryRun }, context),
});
