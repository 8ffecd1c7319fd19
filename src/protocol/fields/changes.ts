/** What differs between two states of a place. */
import { mapOf } from "../envelope.ts";
import { defineSchema } from "../schema.ts";
import type { OutputOf } from "../schema.ts";
import { serializedValueSchema } from "../values.ts";

const changePairSchema = defineSchema((z) =>
  z.object({
    before: serializedValueSchema(z).optional().describe("The value before; absent if there was none."),
    after: serializedValueSchema(z).optional().describe("The value afterwards; absent if there is none."),
  }),
);

export const changeKinds = ["added", "removed", "moved", "changed"] as const;

/** One Instance that differs between two states of a place. */
export const wireChangeSchema = defineSchema((z) =>
  z.object({
    path: z.string().describe("Path of the Instance after the change; before it, if it was removed."),
    className: z.string().describe("Class of the Instance."),
    id: z.string().optional().describe("Id of the Instance."),
    change: z.enum(changeKinds).describe("What happened to it."),
    properties: mapOf(z, changePairSchema(z)).describe(
      "The properties that differ; for an added Instance, those that differ from the defaults of its class. `Parent` has paths.",
    ),
    attributes: mapOf(z, changePairSchema(z)).optional().describe("The attributes that differ."),
    tags: z
      .object({
        before: z.array(z.string()).describe("The tags before."),
        after: z.array(z.string()).describe("The tags afterwards."),
      })
      .optional()
      .describe("Present if the tags differ."),
    source: z
      .object({
        before: z.string().describe("The source before."),
        after: z.string().describe("The source afterwards."),
      })
      .optional()
      .describe("Present if the source of a script differs."),
  }),
);
export type WireChange = OutputOf<typeof wireChangeSchema>;

export const restoredCopySchema = defineSchema((z) =>
  z.object({
    path: z.string().optional().describe("Path of the Instance."),
    id: z.string().describe("Id of the Instance, which is that of the destroyed one."),
    className: z.string().describe("Class of the Instance."),
  }),
);
