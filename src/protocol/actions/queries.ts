/** Questions about single Instances, and waiting for what happens to them. */
import { looks } from "../classes.ts";
import { mapOf } from "../envelope.ts";
import { studioStateSchema } from "../fields/contexts.ts";
import { dataModelInstanceSchema, namedInstance } from "../fields/instances.ts";
import { defineSchema } from "../schema.ts";
import { serializedValueSchema } from "../values.ts";
import { STUDIO_BUSY } from "./row.ts";
import type { ActionRows } from "./row.ts";

/** What the plugin can wait for. */
export const waitConditions = ["until", "exists", "gone", "property", "players", "state"] as const;

export const queryActions = {
  queryDataModel: {
    reply: "dataModelResult",
    class: looks(),
    subject: "DataModel query",
    capability: "DataModel queries",
    timeoutMs: 10_000,
    lateHint: "Ask for fewer levels (--depth), or wait longer with --timeout (milliseconds).",
    retrySafe: true,
    request: defineSchema((z) =>
      z
        .object({
          path: z
            .string()
            .min(1)
            .optional()
            .describe(
              "Path from `game` to an Instance or a property; may be absent only with `listServices`.",
            ),
          depth: z
            .int()
            .nonnegative()
            .default(0)
            .describe("How many levels of children to include; 0 gives the Instance alone."),
          properties: z
            .array(z.string())
            .optional()
            .describe("Names of the properties to read; Name, ClassName and Parent without it."),
          allProperties: z
            .boolean()
            .default(false)
            .describe("Reads every property that the class of an Instance has, in place of `properties`."),
          includeAttributes: z.boolean().default(false).describe("Reads the attributes too."),
          listServices: z.boolean().default(false).describe("Gives the services, in place of a path."),
        })
        .describe("Asks for Instances of the DataModel."),
    ),
    result: defineSchema((z) =>
      z
        .object({ instance: dataModelInstanceSchema(z).describe("The Instance that the path leads to.") })
        .describe("The Instance that was asked for, with its descendants as deep as asked."),
    ),
  },
  findInstances: {
    reply: "instancesResult",
    class: looks(),
    subject: "Search",
    capability: "selectors",
    timeoutMs: 10_000,
    lateHint: "Search below one Instance, or wait longer with --timeout (milliseconds).",
    retrySafe: true,
    request: defineSchema((z) =>
      z
        .object({
          selector: z.string().min(1).describe("Selector, as `Instance:QueryDescendants` reads it."),
          path: z
            .string()
            .min(1)
            .default("game")
            .describe("Path from `game` to the Instance whose descendants are searched."),
          limit: z.int().positive().default(100).describe("How many Instances to give at most."),
          properties: z.array(z.string()).default([]).describe("Names of the properties to read."),
          includeAttributes: z.boolean().default(false).describe("Reads the attributes too."),
        })
        .describe("Asks for the descendants of an Instance that match a selector."),
    ),
    result: defineSchema((z) =>
      z
        .object({
          instances: z
            .array(
              z.object({
                ...namedInstance(z),
                name: z.string().describe("Name of the Instance."),
                className: z.string().describe("Class of the Instance."),
                properties: mapOf(z, serializedValueSchema(z)).describe(
                  "Values of the properties that were asked for and that the Instance has.",
                ),
                attributes: mapOf(z, serializedValueSchema(z)).describe(
                  "Values of the attributes; empty where they were not asked for.",
                ),
              }),
            )
            .describe("The first Instances that match, each once, in the order of the selector."),
          total: z.int().nonnegative().describe("How many match."),
          missing: z
            .array(z.string())
            .default([])
            .describe("Properties that were asked for and that none of the given Instances has."),
        })
        .describe("The Instances that were found."),
    ),
  },
  wait: {
    reply: "waitResult",
    class: looks({ field: "condition", is: "until", class: "run" }, { field: "holdsTest", class: "run" }),
    subject: "Wait",
    capability: "waiting",
    timeoutMs: 30_000,
    lateHint: STUDIO_BUSY,
    retrySafe: true,
    endsWithCaller: true,
    request: defineSchema((z) =>
      z
        .object({
          condition: z.enum(waitConditions).describe("What is waited for; the other fields say more."),
          source: z
            .string()
            .optional()
            .describe("With `until`: Luau, an expression or a chunk that returns."),
          path: z
            .string()
            .min(1)
            .optional()
            .describe("With `exists`, `gone` and `property`: path from `game` to the Instance."),
          property: z.string().min(1).optional().describe("With `property`: its name."),
          value: z
            .unknown()
            .optional()
            .describe("With `property`: the value, as JSON that fits the type of the property."),
          count: z.int().nonnegative().optional().describe("With `players`: how many at least; 0 for none."),
          state: studioStateSchema(z)
            .optional()
            .describe("With `state`: the mode of the session's DataModel."),
          timeoutMs: z
            .int()
            .positive()
            .default(30_000)
            .describe(
              "Milliseconds from the arrival at the plugin until it answers that the condition was not met.",
            ),
          holdsTest: z
            .boolean()
            .default(false)
            .describe(
              "True ends the running play test when the caller of this request goes away before the condition is met.",
            ),
        })
        .describe("Waits for a condition. It is checked once a frame, at most 60 times a second."),
    ),
    result: defineSchema((z) =>
      z
        .object({
          met: z.boolean().describe("False if the time ran out first."),
          waitedMs: z.number().nonnegative().describe("Milliseconds from the arrival at the plugin."),
          evidence: mapOf(z, z.unknown()).describe("What was seen when the condition was met, or last."),
        })
        .describe("The end of a wait."),
    ),
  },
} as const satisfies ActionRows;
