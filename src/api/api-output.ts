/** The JSON result of a look-up in the Roblox API. */
import { mapOf } from "../protocol/envelope.ts";
import { defineSchema } from "../protocol/schema.ts";
import type { OutputOf, Zod } from "../protocol/schema.ts";

const memberShape = (z: Zod) => {
  const security = z.enum(["None", "PluginSecurity", "RobloxSecurity"]);
  return {
    name: z.string(),
    /** The class that declares the member. */
    owner: z.string().optional(),
    type: z.string().optional(),
    security: security.optional(),
    /** Of a property that can be written. */
    writeSecurity: security.optional(),
    tags: z.array(z.string()).optional(),
    default: z.string().optional(),
    /** What headless Studio does not say, such as of callbacks, is absent. */
    simulated: z.boolean().optional(),
  };
};
const memberKinds = ["property", "method", "event", "callback"] as const;

/** One flat shape for every kind of entry, because agents read it more easily than a union. */
export const apiOutput = defineSchema((z) =>
  z.object({
    kind: z.enum(["class", ...memberKinds, "enum", "enumItem"]),
    ...memberShape(z),
    /** Of a class: its superclasses, the nearest first. */
    bases: z.array(z.string()).optional(),
    /** Of a class: its own members. */
    members: z.array(z.object({ kind: z.enum(memberKinds), ...memberShape(z) })).optional(),
    /** Of a class: the names of the members of each base. */
    inherited: mapOf(z, z.array(z.string())).optional(),
    /** Of an enum. */
    items: z.array(z.object({ name: z.string(), value: z.number() })).optional(),
    /** Of an item of an enum. */
    value: z.number().optional(),
  }),
);
export type ApiOutput = OutputOf<typeof apiOutput>;
export type ApiMemberOutput = NonNullable<ApiOutput["members"]>[number];
