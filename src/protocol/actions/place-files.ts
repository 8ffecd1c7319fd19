/** The place file of a headless Studio, and its end. */
import { changes, looks } from "../classes.ts";
import { defineSchema } from "../schema.ts";
import type { ActionRows } from "./row.ts";

export const placeFileActions = {
  queryPlaceFile: {
    reply: "placeFileResult",
    class: looks(),
    subject: "The question about the place file",
    capability: "saving",
    timeoutMs: 30_000,
    retrySafe: true,
    request: defineSchema((z) =>
      z
        .object({})
        .describe(
          "Asks a headless Studio for the file of its place, and whether there is something to save. Other Studios refuse it.",
        ),
    ),
    result: defineSchema((z) =>
      z
        .object({
          file: z.string().optional().describe("The place file that was opened, or last saved to."),
          isUnsaved: z.boolean().describe("Whether the place has changed since it was opened or saved."),
        })
        .describe("The file of the place."),
    ),
  },
  savePlace: {
    reply: "savePlaceResult",
    class: changes(),
    subject: "Saving",
    capability: "saving",
    timeoutMs: 120_000,
    retrySafe: true,
    request: defineSchema((z) =>
      z
        .object({ file: z.string().min(1).describe("The absolute path of a `.rbxl` or `.rbxlx` file.") })
        .describe("Saves the edited place of a headless Studio. Other Studios refuse it."),
    ),
    result: defineSchema((z) =>
      z
        .object({
          bytes: z.int().nonnegative().describe("How large the file is."),
          instances: z.int().nonnegative().describe("How many Instances it has."),
        })
        .describe("The place is saved."),
    ),
  },
  endStudio: {
    reply: "endStudioResult",
    class: changes(),
    subject: "The end of Studio",
    capability: "ending Studio",
    timeoutMs: 120_000,
    retrySafe: false,
    request: defineSchema((z) =>
      z
        .object({
          unsaved: z
            .enum(["keep", "discard"])
            .describe("`keep` puts a place that was not saved among the kept places; `discard` drops it."),
        })
        .describe("Ends a headless Studio. Other Studios refuse it."),
    ),
    result: defineSchema((z) =>
      z
        .object({
          kept: z.string().optional().describe("Name of the kept place."),
          dropped: z
            .array(z.string())
            .optional()
            .describe("Names of older kept places that were dropped to make room."),
          savedTo: z.string().optional().describe("The file that the place was saved to at the end."),
        })
        .describe("What became of the place. Studio ends after this answer."),
    ),
  },
} as const satisfies ActionRows;
