/** Two-way sync: holding a place, naming its revision, and following its changes. */
import { changes, looks } from "../classes.ts";
import { callerSchema } from "../fields/callers.ts";
import { studioStateSchema } from "../fields/contexts.ts";
import { defineSchema } from "../schema.ts";
import { STUDIO_BUSY } from "./row.ts";
import type { ActionRows } from "./row.ts";

export const syncActions = {
  syncOpen: {
    reply: "syncOpened",
    class: looks(),
    subject: "Opening of a sync",
    capability: "syncing",
    timeoutMs: 5_000,
    lateHint: STUDIO_BUSY,
    retrySafe: true,
    request: defineSchema((z) =>
      z
        .object({
          holder: callerSchema(z).describe(
            "The client that syncs the place; no other client may sync it meanwhile.",
          ),
          holdMs: z
            .int()
            .nonnegative()
            .default(15_000)
            .describe(
              "Milliseconds for which the place is held; the client asks again before they are over. 0 ends the hold.",
            ),
          replaces: z
            .string()
            .optional()
            .describe("Id of a holder that is known to have ended without saying so."),
          project: z
            .string()
            .optional()
            .describe("Id of the project on the client's machine, of which the place may name a revision."),
          left: z
            .object({
              folder: z.string().describe("Name of the folder of the project, without those above it."),
              open: z.int().nonnegative().describe("Changes that wait for a person's answer."),
              failed: z.int().nonnegative().describe("Changes that could not be made."),
            })
            .optional()
            .describe("What the sync that has just ended leaves to a person, who sees it in the panel."),
        })
        .describe(
          "Holds the place for a sync, and asks for the facts that the sync needs. Fails if another client holds it.",
        ),
    ),
    result: defineSchema((z) =>
      z
        .object({
          generation: z.string().describe("Names the life of the plugin, in which ids keep their meaning."),
          state: studioStateSchema(z).describe("Mode of the session's DataModel."),
          placeId: z.number().describe("Roblox's id of the place; 0 while it is unpublished."),
          gameId: z.number().describe("Roblox's id of the experience; 0 while it is unpublished."),
          placeName: z.string().describe("Name of the place."),
          mark: z.string().optional().describe("Id that an earlier sync has left in the place."),
          revision: z
            .object({
              named: z.string().optional().describe("The name that the place carries, with its day."),
              last: z
                .string()
                .optional()
                .describe("The name that this life of the plugin has written last, or read first."),
              lasting: z
                .string()
                .optional()
                .describe("The name that the place was given last, whatever was undone since."),
            })
            .optional()
            .describe(
              "The names of the project's revisions; absent where there is none, or no project was given.",
            ),
          canMakeModels: z
            .boolean()
            .describe("Whether this Studio makes Instances from the bytes of a model file."),
        })
        .describe("The place is held."),
    ),
  },
  nameRevision: {
    reply: "revisionNamed",
    class: changes(),
    subject: "Naming of a revision",
    capability: "syncing",
    timeoutMs: 5_000,
    lateHint: STUDIO_BUSY,
    retrySafe: true,
    request: defineSchema((z) =>
      z
        .object({
          project: z.string().describe("Id of the project on the client's machine."),
          name: z.string().describe("Name of the revision, with its day."),
        })
        .describe("Writes the name of a revision into the place, apart from any undo step."),
    ),
    result: defineSchema((z) =>
      z
        .object({
          isWritten: z.boolean().describe("False where the place takes no attribute."),
        })
        .describe("Whether the place has the name now."),
    ),
  },
  watchTree: {
    reply: "treeWatched",
    class: looks(),
    subject: "Watching of the tree",
    capability: "watching the tree",
    timeoutMs: 30_000,
    lateHint: STUDIO_BUSY,
    retrySafe: true,
    request: defineSchema((z) =>
      z
        .object({
          isOn: z.boolean().describe("False ends the watching."),
        })
        .describe(
          "Watches the edited place, and sends `treeChange` to the sessions' subscribers when it has changed.",
        ),
    ),
    result: defineSchema((z) =>
      z
        .object({
          isWatched: z
            .boolean()
            .describe("False if the watching was ended, or if this DataModel cannot be watched."),
          generation: z.string().describe("Names the life of the plugin, in which ids keep their meaning."),
        })
        .describe("Whether every change from now on is reported."),
    ),
  },
} as const satisfies ActionRows;
