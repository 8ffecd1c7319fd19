/** `sb rm PATH…`: removes Instances from the place in such a way that undo brings them back. */
import { defineSchema } from "../../protocol/schema.ts";
import { defineEdit, dryRunField } from "./define-edit.ts";

const input = defineSchema((z) =>
  z.strictObject({
    paths: z.array(z.string().min(1, "a path is empty")).describe("Paths or ids of the Instances"),
    dryRun: dryRunField(z),
  }),
);

export const command = defineEdit({
  name: "rm",
  summary: "Remove Instances",
  description: "Removes Instances with everything below them, all or none, as one undo step.",
  examples: [
    { command: "sb rm Workspace.Old", note: "" },
    { command: "sb rm 'Workspace.Part[2]' @17", note: "one of equal names, and one by its id" },
  ],
  isDestructive: true,
  isIdempotent: false,
  input,
  positionals: [{ key: "paths", label: "PATH", required: true, repeated: true }],
  operationsAsync: async ({ paths }) => paths.map((path) => ({ op: "delete", path })),
});
