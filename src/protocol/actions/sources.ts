/** Sources of scripts. */
import { looks } from "../classes.ts";
import { namedInstance } from "../fields/instances.ts";
import { defineSchema } from "../schema.ts";
import { SAVED } from "./row.ts";
import type { ActionRows } from "./row.ts";

export const sourceActions = {
  checkSources: {
    reply: "sourcesChecked",
    class: looks(),
    subject: "Checking of sources",
    capability: "checking sources",
    timeoutMs: 30_000,
    retrySafe: true,
    request: defineSchema((z) =>
      z
        .object({ sources: z.array(z.string()).describe("Luau sources.") })
        .describe("Asks what the Luau compiler says of sources. None of them runs."),
    ),
    result: defineSchema((z) =>
      z
        .object({
          isChecked: z.boolean().describe("False where this Studio has no compiler that plugins may ask."),
          faults: z
            .array(
              z.object({
                index: z.int().nonnegative().describe("Position of the source, counted from 0."),
                line: z.int().positive().optional().describe("Line of the fault."),
                message: z.string().describe("What is wrong."),
              }),
            )
            .describe("The first fault of each source that does not compile."),
        })
        .describe("What the compiler said."),
    ),
  },
  readScript: {
    reply: "scriptResult",
    class: looks(),
    subject: "Reading of a script",
    capability: "reading scripts",
    timeoutMs: 10_000,
    retrySafe: true,
    request: defineSchema((z) =>
      z
        .object({
          path: z.string().min(1).describe("Path from `game` to the script."),
          saved: z.boolean().default(false).describe(SAVED),
        })
        .describe("Asks for the source of one script."),
    ),
    result: defineSchema((z) =>
      z
        .object({
          ...namedInstance(z),
          className: z.string().describe("Class of the script."),
          isDraft: z.boolean().describe("True if the source is what the script editor shows."),
          hasUnsavedDraft: z
            .boolean()
            .describe("True if the source in the script editor differs from the saved one."),
          source: z.string().optional().describe("The source."),
          base64: z
            .string()
            .optional()
            .describe("The source as Base64, in place of `source`, if it is not valid UTF-8."),
        })
        .describe("The script that was asked for."),
    ),
  },
  readScripts: {
    reply: "scriptsResult",
    class: looks(),
    subject: "Reading of scripts",
    capability: "reading scripts",
    timeoutMs: 30_000,
    retrySafe: true,
    request: defineSchema((z) =>
      z
        .object({
          path: z
            .string()
            .min(1)
            .default("game")
            .describe("Path from `game` to the Instance whose scripts are read, itself included."),
          className: z.string().optional().describe("Only scripts of this class or of one that inherits it."),
          saved: z.boolean().default(false).describe(SAVED),
          generation: z
            .string()
            .default("")
            .describe("The life of the plugin that `revisions` are from; they mean nothing in another one."),
          revisions: z
            .array(z.int().nonnegative())
            .optional()
            .describe("Gives the texts of these revisions, in place of the list of scripts."),
        })
        .describe("Asks for the sources of many scripts."),
    ),
    result: defineSchema((z) =>
      z
        .object({
          generation: z
            .string()
            .describe("Names the life of the plugin, in which a revision means one text."),
          paths: z
            .array(z.string())
            .describe(
              "Path from `game` of each script, in the order of the tree; none where texts were asked for.",
            ),
          revisions: z.array(z.int()).describe("For each of the paths, the revision of its text."),
          newRevisions: z
            .array(z.int())
            .describe(
              "Revisions whose texts are in this reply: those that were asked for, as far as there was room for them and a script still has them.",
            ),
          newSizes: z
            .array(z.int())
            .describe("For each of the new revisions, the size of its text in bytes."),
          newTexts: z.string().describe("The new texts, one after another, with U+FFFD for invalid UTF-8."),
        })
        .describe("The scripts that were asked for."),
    ),
  },
} as const satisfies ActionRows;
