/** `sb set PATH NAME=VALUE…`: gives properties and attributes of one Instance new values. */
import { defineSchema } from "../../protocol/schema.ts";
import { invalidInput } from "../../protocol/messages.ts";
import { flagsOf } from "../../command-kit/words/spelling.ts";
import { assignments, settingOperations } from "../../edit/assignments.ts";
import { defineEdit, dryRunField } from "./define-edit.ts";

const input = defineSchema((z) =>
  z.strictObject({
    path: z.string().min(1, "the path is empty").describe("Path or id of the Instance"),
    values: z.array(z.string()).default([]).describe("Properties, each as NAME=VALUE"),
    attributes: z.array(z.string()).default([]).describe("Set an attribute, NAME=VALUE"),
    dryRun: dryRunField(z),
  }),
);

export const command = defineEdit({
  name: "set",
  summary: "Set properties of an Instance",
  description:
    "Sets properties and attributes of an Instance, all or none, as one undo step. Name=… renames it, and Parent=… moves it. null sets a reference to nil, any other property to its default, and removes an attribute.",
  examples: [
    { command: "sb set Workspace.Part Anchored=true Size=4,1,4", note: "" },
    { command: "sb set Workspace.Part Color=#ff8800 Material=Neon", note: "" },
    { command: "sb set @17 --attribute Zone=Lobby", note: "by its id" },
  ],
  isDestructive: true,
  isIdempotent: true,
  input,
  positionals: [
    { key: "path", label: "PATH", required: true },
    { key: "values", label: "NAME=VALUE", repeated: true },
  ],
  flags: flagsOf(input, {
    attributes: { name: "attribute", kind: "repeats", label: "NAME=VALUE" },
  }),
  async operationsAsync({ path, values, attributes }) {
    const operations = settingOperations({
      path,
      properties: assignments(values, "a property"),
      attributes: assignments(attributes, "an attribute"),
    });
    if (operations.length === 0)
      throw invalidInput(
        "Nothing to set.",
        "Add properties, such as Anchored=true, or --attribute Zone=Lobby.",
      );
    return operations;
  },
});
