/** `sb mv PATH PARENT`: puts an Instance below another one. */
import { defineSchema } from "../../protocol/schema.ts";
import { defineEdit, dryRunField } from "./define-edit.ts";

const input = defineSchema((z) =>
  z.strictObject({
    path: z.string().min(1, "the path is empty").describe("Path or id of the Instance"),
    parent: z.string().min(1, "the parent is empty").describe("Path or id of its new parent"),
    dryRun: dryRunField(z),
  }),
);

export const command = defineEdit({
  name: "mv",
  summary: "Move an Instance below another one",
  description: "Moves an Instance with everything below it, as one undo step. `sb set PATH Name=…` renames.",
  examples: [{ command: "sb mv Workspace.Door Workspace.House", note: "" }],
  isDestructive: true,
  isIdempotent: true,
  input,
  positionals: [
    { key: "path", label: "PATH", required: true },
    { key: "parent", label: "PARENT", required: true },
  ],
  operationsAsync: async ({ path, parent }) => [{ op: "move", path, parent }],
});
