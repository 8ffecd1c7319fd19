/**
 * The client link: what `sb` processes and the bridge host say to each other. Actions and plugin frames travel
 * inside these messages as they are; the host reads the envelope and never rewrites a body.
 */
import type { z } from "zod";
import { callerSchema } from "./fields/callers.ts";
import { contextSchema, playerSchema, studioStateSchema } from "./fields/contexts.ts";
import { requestIdSchema } from "./envelope.ts";
import { limits } from "./limits.ts";
import { lateYesFields, permissionFields } from "./fields/permission.ts";
import { defineSchema } from "./schema.ts";
import type { OutputOf } from "./schema.ts";

const origins = ["user", "managed", "headless"] as const;

/** One connected session, as the host knows it. */
export const sessionInfoSchema = defineSchema((z) =>
  z.object({
    sessionId: z.string().describe("Id of the session."),
    instanceId: z.string().describe("Id of the Studio window, the same for all its contexts."),
    context: contextSchema(z).describe("Which DataModel of the Studio the session is."),
    player: playerSchema(z).optional().describe("Which client the session is, if the test has several."),
    placeName: z.string().describe("Name of the place."),
    placeFile: z.string().optional().describe("File of the place."),
    placeId: z.number().describe("Roblox's id of the place; 0 while it is unpublished."),
    gameId: z.number().describe("Roblox's id of the experience; 0 while it is unpublished."),
    state: studioStateSchema(z).describe("Mode of the session's DataModel."),
    origin: z
      .enum(origins)
      .describe(
        "`user` opened the Studio by hand, `managed` is one that sb launched, `headless` has no window.",
      ),
    launchId: z.string().optional().describe("Id that the starter of the Studio gave to it."),
    ...permissionFields(z),
    ...lateYesFields(z),
    health: z
      .enum(["ok", "stale", "reconnecting"])
      .describe("`stale` is silent for 15 seconds; `reconnecting` has lost its connection a moment ago."),
    capabilities: z
      .array(z.string())
      .describe("Actions that the session answers; a newer host may name new ones."),
    pluginVersion: z.string().describe("Version of the plugin."),
    pluginUpdateAvailable: z
      .boolean()
      .optional()
      .describe("True for a plugin of another build than the one that the host carries."),
    studioVersion: z.string().optional().describe("Version of Roblox Studio."),
    connectedAt: z.iso.datetime().describe("When the session connected, as ISO 8601 in UTC."),
    uptimeMs: z.number().nonnegative().describe("Milliseconds since the session connected."),
  }),
);
export type SessionInfo = OutputOf<typeof sessionInfoSchema>;

/** A plugin that tried to connect without this machine's key, kept for a minute. */
export const unpairedAttemptSchema = defineSchema((z) =>
  z.object({
    at: z.iso.datetime().describe("When it tried, as ISO 8601 in UTC."),
    pluginVersion: z.string().optional().describe("Version of the plugin."),
    keyId: z.string().optional().describe("Which key the plugin holds, if any."),
  }),
);

/** One row per message; `from` says who may send it. */
export const network = {
  "list-sessions": {
    from: "client",
    payload: defineSchema((z) => z.object({}).describe("Asks for all sessions.")),
  },
  "list-sessions-response": {
    from: "host",
    payload: defineSchema((z) =>
      z
        .object({
          requestId: requestIdSchema(z).describe("Id of the `list-sessions`."),
          sessions: z.array(sessionInfoSchema(z)).describe("Every session."),
          unpaired: z
            .array(unpairedAttemptSchema(z))
            .default([])
            .describe("Plugins that tried to connect without this machine's key in the last minute."),
          refusals: z
            .record(z.string(), z.int().positive())
            .default({})
            .describe("How many connections were turned away since the host started, by reason."),
          allowsUnpaired: z
            .boolean()
            .optional()
            .describe("True for a host that accepts peers without a proof."),
        })
        .describe("Answers `list-sessions`."),
    ),
  },
  "host-envelope": {
    from: "client",
    payload: defineSchema((z) =>
      z
        .object({
          requestId: requestIdSchema(z).describe(
            "Id of the request, made by the client and used on every hop.",
          ),
          targetSessionId: z.string().describe("Session that is asked."),
          timeoutMs: z
            .int()
            .positive()
            .optional()
            .describe(
              "Milliseconds from the arrival at the host until the answer; the action's own without it.",
            ),
          caller: callerSchema(z)
            .optional()
            .describe("Who asks. The host passes it on, in the frame beside the payload."),
          summary: z
            .string()
            .max(limits.summaryChars)
            .optional()
            .describe(
              "What the request does, for people: paths, classes, counts and names of files, never values or code. The host passes it on.",
            ),
          action: z
            .object({
              type: z
                .string()
                .describe("Name of the action, or `cancel`, or `await` after a lost connection."),
              payload: z.unknown().describe("Payload of the action's request."),
            })
            .describe("What the session is asked to do."),
        })
        .describe("Sends a request to a session."),
    ),
  },
  "host-response": {
    from: "host",
    payload: defineSchema((z) =>
      z
        .object({
          requestId: requestIdSchema(z).describe("Id of the request."),
          result: z
            .unknown()
            .describe(
              "A whole frame: `output`, `chunk` or `running` on the way, then one reply or `error`, which ends the request.",
            ),
          hostMs: z
            .number()
            .optional()
            .describe(
              "With the reply of `queryState`: milliseconds from the arrival of the request at the host to that of the reply.",
            ),
        })
        .describe("A frame that answers a request."),
    ),
  },
  "session-event": {
    from: "host",
    payload: defineSchema((z) =>
      z
        .object({
          event: z.enum(["connected", "disconnected", "state-changed"]).describe("What happened."),
          session: sessionInfoSchema(z).describe("The session as it is now, or was last."),
        })
        .describe("Tells every client about a change of the sessions."),
    ),
  },
  "session-push": {
    from: "host",
    payload: defineSchema((z) =>
      z
        .object({
          sessionId: z.string().describe("Session that pushes."),
          frame: z
            .unknown()
            .describe("The plugin's whole frame: `stateChange`, `logPush` or `otherLogPush`."),
        })
        .describe("An event of a session to which this client has subscribed."),
    ),
  },
  "push-dropped": {
    from: "host",
    payload: defineSchema((z) =>
      z
        .object({
          sessionId: z.string().describe("Session that pushed."),
          dropped: z.int().positive().describe("How many lines or events are lost."),
        })
        .describe("Some events did not reach this client, because it reads too slowly."),
    ),
  },
  "host-transfer": {
    from: "host",
    payload: defineSchema((z) =>
      z
        .object({ reason: z.string().describe("`moving` asks clients to find the next host.") })
        .describe("The host ends."),
    ),
  },
  "host-ready": {
    from: "client",
    payload: defineSchema((z) =>
      z
        .object({
          sessionIds: z
            .array(z.string().max(128))
            .default([])
            .describe("Sessions that the last host had, which are about to connect again."),
        })
        .describe("The first message to the next host after a host was lost."),
    ),
  },
  "host-retire": {
    from: "client",
    payload: defineSchema((z) =>
      z
        .object({ version: z.string().max(64).describe("Version of the client's `sb`.") })
        .describe(
          "A newer `sb` asks a host to make room. A host that started by itself ends when it is idle.",
        ),
    ),
  },
} as const;

type NetworkName = keyof typeof network;
export type NetworkPayload<Name extends NetworkName> = z.output<
  ReturnType<(typeof network)[Name]["payload"]>
>;

/** `GET /health`: no paths, no pids. */
export const healthSchema = defineSchema((z) =>
  z
    .object({
      name: z.literal("studio-bridge").describe("Distinguishes a host from any other server."),
      status: z
        .enum(["ok", "closing"])
        .describe("`closing` hosts accept nothing new, and answer with status 503."),
      protocolVersion: z.int().describe("Newest protocol version of the host."),
      port: z.int().describe("Port that the host listens on, which a proof contains."),
      sessions: z.int().nonnegative().describe("How many sessions there are."),
      uptime: z.number().nonnegative().describe("Milliseconds since the host started."),
    })
    .describe("Describes the host. Needs no proof, and names no path and no process."),
);
