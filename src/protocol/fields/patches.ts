/** The operations of a patch, and the verdict on each. */
import { defineSchema } from "../schema.ts";
import type { OutputOf } from "../schema.ts";
import { valuesOf } from "./instances.ts";

const operationKinds = [
  "create",
  "set",
  "delete",
  "move",
  "rename",
  "clone",
  "replace",
  "tag",
  "source",
] as const;

export const operationSchema = defineSchema((z) =>
  z.object({
    op: z.enum(operationKinds).describe("What is done."),
    path: z
      .string()
      .optional()
      .describe("The Instance that is changed: its path, its id, or `$NAME`. Not for `create`."),
    className: z
      .string()
      .optional()
      .describe(
        "Class of the Instance that `create` makes, or that `replace` puts in the place of another one, with the children of that one, the references to it, and what both classes have.",
      ),
    model: z
      .string()
      .optional()
      .describe(
        "Bytes of a binary model file as Base64, whose only outermost Instance `create` takes in place of a new one.",
      ),
    parent: z.string().optional().describe("The Instance that `create`, `clone` and `move` put it below."),
    name: z.string().optional().describe("Name that `create`, `clone` and `rename` give."),
    as: z
      .string()
      .optional()
      .describe(
        "Name by which later operations refer to the Instance of this one, or to the one that it made: `$NAME`.",
      ),
    properties: valuesOf(
      z,
      "Values that `create` and `set` give properties. `nil` sets a reference to nil, and any other property to its default.",
    ),
    attributes: valuesOf(z, "Values that `create` and `set` give attributes; `nil` removes one."),
    tags: z.array(z.string()).optional().describe("Tags of the Instance that `create` makes."),
    add: z.array(z.string()).optional().describe("Tags that `tag` adds."),
    remove: z.array(z.string()).optional().describe("Tags that `tag` removes."),
    source: z.string().optional().describe("The new source that `source` gives a script."),
    after: z
      .int()
      .nonnegative()
      .optional()
      .describe("Position of an earlier operation. If that one cannot be done, this one is not tried."),
    expect: z
      .object({
        className: z.string().optional().describe("Class of the Instance."),
        name: z.string().optional().describe("Name of the Instance."),
        parent: z.string().optional().describe("Path or id of its parent."),
        hash: z.string().optional().describe("SHA-1 of the script's source as a git blob."),
        properties: valuesOf(z, "Values of properties; `nil` for no Instance, or for the default."),
        attributes: valuesOf(z, "Values of attributes; `nil` for one that is not there."),
        unchangedSince: z
          .string()
          .optional()
          .describe(
            "A `mark` of `readTree`, since which neither the Instance nor anything below it has changed.",
          ),
      })
      .optional()
      .describe("What must hold for the Instance before the operation; else nothing is changed."),
  }),
);
export type PatchOperation = OutputOf<typeof operationSchema>;

export const verdictSchema = defineSchema((z) =>
  z.object({
    index: z.int().nonnegative().describe("Position of the operation, counted from 0."),
    ok: z.boolean().describe("Whether the operation can be done."),
    path: z
      .string()
      .optional()
      .describe("Path of the Instance after the patch; absent if the Instance is no longer in the place."),
    id: z.string().optional().describe("Id of the Instance."),
    className: z.string().optional().describe("Class of the Instance."),
    code: z.string().optional().describe("Error code of an operation that cannot be done."),
    message: z.string().optional().describe("What is wrong with it, for people."),
    details: z.unknown().optional().describe("What is wrong with it, in parts."),
    before: z.unknown().optional().describe("What the operation names, as it was."),
    after: z.unknown().optional().describe("What the operation names, as it is afterwards."),
  }),
);
export type PatchVerdict = OutputOf<typeof verdictSchema>;
