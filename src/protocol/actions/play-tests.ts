/** The start and the end of play tests. */
import { runs } from "../classes.ts";
import { defineSchema } from "../schema.ts";
import { STUDIO_BUSY } from "./row.ts";
import type { ActionRows } from "./row.ts";

export const playTestActions = {
  startTest: {
    reply: "testStarted",
    class: runs(),
    subject: "Start of the play test",
    capability: "play tests",
    timeoutMs: 60_000,
    lateHint: STUDIO_BUSY,
    retrySafe: false,
    request: defineSchema((z) =>
      z
        .object({
          mode: z.enum(["play", "run"]).describe("`play` has clients, `run` only a server."),
          players: z.int().positive().default(1).describe("With `play`: how many clients."),
          until: z
            .enum(["started", "ended"])
            .default("started")
            .describe(
              "When the reply comes. `started`: once the client has answered the plugin's `inputWanted`, which comes when all of the test is connected.",
            ),
        })
        .describe(
          "Starts a play test, from the edit context. The test ends if this request is cancelled, or left by its client, before the reply.",
        ),
    ),
    result: defineSchema((z) =>
      z
        .object({
          problem: z.string().optional().describe("Why Studio refused, in Studio's words."),
          isOver: z.boolean().describe("True if the test has ended already, or was refused."),
        })
        .describe("The test has started, or is over."),
    ),
  },
  stopTest: {
    reply: "testStopped",
    class: runs(),
    subject: "End of the play test",
    capability: "play tests",
    timeoutMs: 10_000,
    lateHint: STUDIO_BUSY,
    retrySafe: true,
    request: defineSchema((z) =>
      z
        .object({
          force: z
            .boolean()
            .default(false)
            .describe("Also where another client, which is connected, has started it."),
        })
        .describe(
          "In the edit context: asks whether this client may end the play test, and notes who ends it. In the server of the test: ends it.",
        ),
    ),
    result: defineSchema((z) =>
      z
        .object({ problem: z.string().optional().describe("Why Studio refused, in Studio's words.") })
        .describe("Nothing stands against the end of the test, or the test was asked to end."),
    ),
  },
} as const satisfies ActionRows;
