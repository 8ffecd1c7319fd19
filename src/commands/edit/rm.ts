/** `sb rm PATH…`: removes Instances from the place in such a way that undo brings them back. */
import { defineSchema } from "../../protocol/schema.ts";
import { defineCommand } from "../../command/definition.ts";
import { flagFor } from "../../command/words/spelling.ts";
import { editFailed, editOutput, editPlaceAsync, editText } from "./edit-place.ts";

const input = defineSchema((z) =>
  z.strictObject({
    paths: z.array(z.string().min(1, "a path is empty")).describe("Paths or ids of the Instances"),
    dryRun: z.boolean().default(false).describe("Check everything and change nothing"),
  }),
);

export const command = defineCommand({
  name: "rm",
  summary: "Remove Instances",
  description: "Removes Instances with everything below them, all or none, as one undo step.",
  group: "Studio",
  examples: [
    { command: "sb rm Workspace.Old", note: "" },
    { command: "sb rm 'Workspace.Part[2]' @17", note: "one of equal names, and one by its id" },
  ],
  surfaces: ["cli", "terminal"],
  target: "session",
  waitsFor: "applyPatch",
  defaultContext: "edit",
  annotations: { readOnly: false, destructive: true, idempotent: false },
  input,
  output: editOutput,
  cli: {
    positionals: [{ key: "paths", label: "PATH", required: true, repeated: true }],
    flags: [flagFor(input, "dryRun", { name: "dry-run", kind: "boolean" })],
  },
  failed: editFailed,
  format: editText,
  handler: ({ paths, dryRun }, context) =>
    editPlaceAsync({ operations: paths.map((path) => ({ op: "delete", path })), dryRun }, context),
});
