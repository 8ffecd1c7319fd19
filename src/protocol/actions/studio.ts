/** What a Studio says of itself: its mode, its Output, its viewport, its selection, its events, and what is being typed, its limits. */
import { looks } from "../classes.ts";
import { callerSchema } from "../fields/callers.ts";
import { studioStateSchema } from "../fields/contexts.ts";
import { namedInstance } from "../fields/instances.ts";
import { logEntrySchema, logLevelSchema } from "../fields/log-lines.ts";
import { permissionFields } from "../fields/permission.ts";
import { defineSchema } from "../schema.ts";
import type { Zod } from "../schema.ts";
import { STUDIO_BUSY } from "./row.ts";
import type { ActionRows } from "./row.ts";

export const subscribableEvents = ["stateChange", "logPush", "otherLogPush", "treeChange"] as const;
const eventsOf = (z: Zod, meaning: string) => ({
  events: z.array(z.enum(subscribableEvents)).describe(meaning),
});

export const studioActions = {
  queryState: {
    reply: "stateResult",
    class: looks(),
    subject: "State query",
    capability: "state queries",
    timeoutMs: 5_000,
    lateHint: STUDIO_BUSY,
    retrySafe: true,
    request: defineSchema((z) =>
      z
        .object({
          timing: z
            .boolean()
            .default(false)
            .describe("Answers in the next frame of Studio, with the times that `sb ping` shows."),
        })
        .describe("Asks which mode Studio is in, and of which place."),
    ),
    result: defineSchema((z) =>
      z
        .object({
          state: studioStateSchema(z).describe("Mode of the session's DataModel."),
          placeName: z.string().describe("Name of the place."),
          placeId: z.number().describe("Roblox's id of the place; 0 while it is unpublished."),
          gameId: z.number().describe("Roblox's id of the experience; 0 while it is unpublished."),
          ...permissionFields(z),
          test: z
            .object({
              startedBy: callerSchema(z)
                .optional()
                .describe("The client that has started it; absent for a person."),
              endedBy: callerSchema(z).optional().describe("The client that has ended it."),
            })
            .optional()
            .describe(
              "In the edit context: the play test that runs, or that ran last, if a client has started or ended it.",
            ),
          timing: z
            .object({
              receivedMs: z.number().describe("When the request was read."),
              frameMs: z.number().describe("When the next frame of Studio came."),
              doneMs: z.number().describe("When the answer was ready."),
              pendingScripts: z.int().nonnegative().describe("How many scripts of sb wait or run."),
            })
            .optional()
            .describe("With `timing`: times on the plugin's clock, in milliseconds since it started."),
        })
        .describe("The mode and the place."),
    ),
  },
  queryLogs: {
    reply: "logsResult",
    class: looks(),
    subject: "Log query",
    capability: "log queries",
    timeoutMs: 10_000,
    lateHint: STUDIO_BUSY,
    retrySafe: true,
    request: defineSchema((z) =>
      z
        .object({
          count: z.int().positive().default(50).describe("How many lines to give, after the filters."),
          direction: z
            .enum(["head", "tail"])
            .default("tail")
            .describe("`head` gives the oldest lines, `tail` the newest."),
          levels: z
            .array(logLevelSchema(z))
            .optional()
            .describe("Only lines of these kinds; all without it."),
          includeInternal: z
            .boolean()
            .default(false)
            .describe("Includes the plugin's own lines, which start with `[StudioBridge]`."),
        })
        .describe("Asks for lines of Studio's Output."),
    ),
    result: defineSchema((z) =>
      z
        .object({
          entries: z.array(logEntrySchema(z)).describe("The lines, the oldest first in either direction."),
          total: z.int().nonnegative().describe("Lines in the buffer, before the filters and `count`."),
          bufferCapacity: z.int().positive().describe("How many lines the plugin keeps."),
          lastSeq: z
            .int()
            .nonnegative()
            .optional()
            .describe("Number of the newest line, before the filters and `count`; 0 for none."),
        })
        .describe("The lines that were asked for."),
    ),
  },
  select: {
    reply: "selectResult",
    class: looks({ field: "paths", class: "change" }, { field: "focus", class: "change" }),
    subject: "Selection",
    capability: "selections",
    timeoutMs: 5_000,
    lateHint: STUDIO_BUSY,
    retrySafe: true,
    request: defineSchema((z) =>
      z
        .object({
          paths: z
            .array(z.string().min(1))
            .optional()
            .describe("Paths from `game` to what is to be selected; without it the selection stays."),
          focus: z.boolean().default(false).describe("Points the camera at the selection."),
        })
        .describe("Reads the selection of Studio, or sets it."),
    ),
    result: defineSchema((z) =>
      z
        .object({
          selection: z.array(z.object(namedInstance(z))).describe("What is selected now."),
        })
        .describe("The selection."),
    ),
  },
  captureScreenshot: {
    reply: "screenshotResult",
    class: looks(),
    subject: "Screenshot capture",
    capability: "screenshots",
    timeoutMs: 15_000,
    lateHint: STUDIO_BUSY,
    retrySafe: true,
    request: defineSchema((z) =>
      z
        .object({
          format: z
            .enum(["png", "rgba"])
            .default("rgba")
            .describe("Which form the caller would like; the result says which it is."),
          interfaceOnly: z
            .boolean()
            .default(false)
            .describe("Only the interface, on a transparent ground. Headless Studio alone."),
          object: z
            .string()
            .min(1)
            .optional()
            .describe(
              "Path from `game` of an interface object, which is shown alone. Headless Studio alone.",
            ),
          width: z
            .int()
            .positive()
            .optional()
            .describe("The picture fits into it; it keeps its proportions."),
          height: z.int().positive().optional().describe("As `width`, with which it goes."),
          lookAt: z
            .string()
            .min(1)
            .optional()
            .describe("Path from `game` of what the camera is turned to for this picture."),
          camera: z
            .array(z.number())
            .max(12)
            .optional()
            .describe("The CFrame of the camera for this picture, as its twelve components."),
        })
        .describe("Asks for a picture of the viewport."),
    ),
    result: defineSchema((z) =>
      z
        .object({
          format: z
            .enum(["png", "rgba"])
            .describe("`png` is a PNG file; `rgba` is four bytes a pixel, row by row from the top left."),
          width: z.int().positive().describe("Pixels in a row."),
          height: z.int().positive().describe("Rows of pixels."),
          data: z.string().describe("The bytes of the picture, as Base64."),
          leftOut: z
            .record(z.string(), z.number())
            .optional()
            .describe(
              "How often something is not in the picture, or not as Studio draws it. Headless Studio alone.",
            ),
          viewport: z
            .string()
            .optional()
            .describe("The screen, as `--viewport` takes it, such as `1280x720@1`. Headless Studio alone."),
        })
        .describe("The picture of the viewport."),
    ),
  },
  complete: {
    reply: "completeResult",
    class: looks(),
    subject: "Completion",
    capability: "completion",
    timeoutMs: 2_000,
    lateHint: STUDIO_BUSY,
    retrySafe: true,
    request: defineSchema((z) =>
      z
        .object({ text: z.string().describe("Luau source up to the cursor.") })
        .describe("Asks for the names that fit at the cursor."),
    ),
    result: defineSchema((z) =>
      z
        .object({
          fragment: z.string().describe("The end of `text`, with which each candidate starts."),
          candidates: z
            .array(z.string())
            .describe(
              "The names in alphabetical order. If there are very many, the first ones and the last one.",
            ),
        })
        .describe("The names that complete the text."),
    ),
  },
  subscribe: {
    reply: "subscribeResult",
    class: looks(),
    subject: "Subscription",
    capability: "subscriptions",
    timeoutMs: 5_000,
    lateHint: STUDIO_BUSY,
    retrySafe: true,
    request: defineSchema((z) =>
      z.object(eventsOf(z, "Events to turn on.")).describe("Turns events on, until the connection ends."),
    ),
    result: defineSchema((z) =>
      z.object(eventsOf(z, "Events that were turned on.")).describe("Confirms a subscription."),
    ),
  },
  unsubscribe: {
    reply: "unsubscribeResult",
    class: looks(),
    subject: "Unsubscription",
    capability: "subscriptions",
    timeoutMs: 5_000,
    lateHint: STUDIO_BUSY,
    retrySafe: true,
    request: defineSchema((z) => z.object(eventsOf(z, "Events to turn off.")).describe("Turns events off.")),
    result: defineSchema((z) =>
      z.object(eventsOf(z, "Events that were turned off.")).describe("Confirms the end of a subscription."),
    ),
  },
  queryCaveats: {
    reply: "caveatsResult",
    class: looks(),
    subject: "The question about the limits of this Studio",
    capability: "telling its limits",
    timeoutMs: 15_000,
    retrySafe: true,
    isAside: true,
    request: defineSchema((z) =>
      z
        .object({
          of: z
            .enum(["studio", "test"])
            .default("studio")
            .describe("`studio` means since its start, `test` since its last play test has begun."),
        })
        .describe(
          "Asks a headless Studio what it did not do as Roblox Studio does. Other Studios refuse it.",
        ),
    ),
    result: defineSchema((z) =>
      z
        .object({
          neverFires: z
            .array(
              z.object({
                event: z.string().describe("An event that never fires there, such as `BasePart.Touched`."),
                connections: z
                  .int()
                  .positive()
                  .describe("How often scripts of the place connected to it or waited for it."),
              }),
            )
            .describe("Most connections first."),
          approximated: z
            .array(
              z.object({
                class: z.string().describe("Class of Instances whose shape was taken for a simpler one."),
                count: z.int().positive().describe("How many."),
              }),
            )
            .describe("Most Instances first."),
        })
        .describe("What was counted."),
    ),
  },
} as const satisfies ActionRows;
