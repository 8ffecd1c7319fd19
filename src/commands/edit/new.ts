/** `sb new CLASS PARENT [NAME=VALUE…]`: makes one Instance. */
import { defineSchema } from "../../protocol/schema.ts";
import { flagsOf } from "../../command-kit/words/spelling.ts";
import { assignments } from "../../edit/assignments.ts";
import { defineEdit, dryRunField } from "./define-edit.ts";

const input = defineSchema((z) =>
  z.strictObject({
    className: z.string().min(1, "the class is empty").describe("Class of the new Instance"),
    parent: z.string().min(1, "the parent is empty").describe("Path or id of its parent"),
    values: z.array(z.string()).default([]).describe("Properties, each as NAME=VALUE"),
    attributes: z.array(z.string()).default([]).describe("Set an attribute, NAME=VALUE"),
    tags: z.array(z.string()).default([]).describe("Add a tag"),
    dryRun: dryRunField(z),
  }),
);

export const command = defineEdit({
  name: "new",
  summary: "Create an Instance",
  description:
    "Creates an Instance with its properties, attributes and tags, as one undo step, and shows its path and id.",
  examples: [
    { command: "sb new Part Workspace Name=Floor Size=100,1,100 Anchored=true", note: "" },
    { command: "sb new Folder ReplicatedStorage Name=Shared", note: "" },
  ],
  isDestructive: false,
  isIdempotent: false,
  input,
  positionals: [
    { key: "className", label: "CLASS", required: true, lookup: "newClasses" },
    { key: "parent", label: "PARENT", required: true },
    { key: "values", label: "NAME=VALUE", repeated: true },
  ],
  flags: flagsOf(input, {
    attributes: { name: "attribute", kind: "repeats", label: "NAME=VALUE" },
    tags: { name: "tag", kind: "repeats", label: "TAG" },
  }),
  async operationsAsync({ className, parent, values, attributes, tags }) {
    const { Name: name, ...properties } = assignments(values, "a property");
    const operation = {
      op: "create" as const,
      className,
      parent,
      ...(name === undefined ? {} : { name: String(name) }),
      properties,
      attributes: assignments(attributes, "an attribute"),
      tags,
    };
    return [operation];
  },
});
