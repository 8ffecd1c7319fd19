/** How requests and results name Instances, and how they show what one is made of. */
import type { z } from "zod";
import { mapOf } from "../envelope.ts";
import { defineSchema } from "../schema.ts";
import type { Schema, Zod } from "../schema.ts";
import { serializedValueSchema } from "../values.ts";
import type { SerializedValue } from "../values.ts";

export interface DataModelInstance {
  /** Absent from older plugins. */
  readonly id?: string | undefined;
  readonly name: string;
  readonly className: string;
  /** Dot path from `game`, with `\.` for dots inside names. */
  readonly path: string;
  readonly properties: { readonly [name: string]: SerializedValue };
  /** Plugins always send them, empty where the request did not ask for any; commands leave them out then. */
  readonly attributes?: { readonly [name: string]: SerializedValue } | undefined;
  readonly childCount: number;
  /** Present only where the requested depth reaches. */
  readonly children?: readonly DataModelInstance[] | undefined;
}

export const dataModelInstanceSchema: Schema<z.ZodType<DataModelInstance>> = defineSchema((z) =>
  z.lazy(() =>
    z.object({
      id: z.string().optional().describe("Id of the Instance, such as `@17`. Older plugins send none."),
      name: z.string().describe("Name of the Instance."),
      className: z.string().describe("Class of the Instance."),
      path: z
        .string()
        .describe("Path from `game`, with dots between names and `\\.` for a dot inside a name."),
      properties: mapOf(z, serializedValueSchema(z)).describe(
        "Values of the properties that were asked for.",
      ),
      attributes: mapOf(z, serializedValueSchema(z))
        .optional()
        .describe(
          "Values of the attributes. Where they were not asked for, plugins send none, and commands leave the key out.",
        ),
      childCount: z.int().nonnegative().describe("How many children the Instance has."),
      children: z
        .array(dataModelInstanceSchema(z))
        .optional()
        .describe("The children, each with these same fields, where the requested depth reaches them."),
    }),
  ),
);

export const valuesOf = (z: Zod, meaning: string) =>
  z.record(z.string(), serializedValueSchema(z)).optional().describe(meaning);

/** How results name an Instance. */
export const namedInstance = (z: Zod) => ({
  path: z.string().describe("Path from `game`."),
  id: z.string().describe("Number of the Instance, such as `@17`, while the plugin lives."),
});
