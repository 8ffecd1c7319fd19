/** The shape of a change between two states of a place, in the results of commands. */
import { changeKinds } from "../../protocol/fields/changes.ts";
import { mapOf } from "../../protocol/envelope.ts";
import { defineSchema } from "../../protocol/schema.ts";
import type { OutputOf } from "../../protocol/schema.ts";
import { serializedValueSchema } from "../../protocol/values.ts";

const pairSchema = defineSchema((z) =>
  z.object({
    before: serializedValueSchema(z).optional(),
    after: serializedValueSchema(z).optional(),
  }),
);
export type ValuePair = OutputOf<typeof pairSchema>;

export const changeSchema = defineSchema((z) =>
  z.object({
    path: z.string(),
    className: z.string(),
    id: z.string().optional(),
    change: z.enum(changeKinds),
    properties: mapOf(z, pairSchema(z)),
    attributes: mapOf(z, pairSchema(z)).optional(),
    tags: z.object({ before: z.array(z.string()), after: z.array(z.string()) }).optional(),
    /** What differs in the source of a script, as a unified diff. */
    source: z.string().optional(),
  }),
);
export type Change = OutputOf<typeof changeSchema>;
