/**
 * The client link: what `sb` processes and the bridge host say to each other. Actions and plugin frames travel
 * inside these messages as they are; the host reads the envelope and never rewrites a body.
 */
import type { z } from "zod";
import { contextSchema, playerSchema, studioStateSchema } from "./actions.ts";
import { requestIdSchema } from "./envelope.ts";
import { defineSchema } from "./schema.ts";
import type { OutputOf } from "./schema.ts";

const origins = ["user", "managed", "headless"] as const;

/** One connected session, as the host knows it. */
export const sessionInfoSchema = defineSchema((z) =>
  z.object({
    sessionId: z.string(),
    instanceId: z.string(),
    context: contextSchema(z),
    player: playerSchema(z).optional(),
    placeName: z.string(),
    placeFile: z.string().optional(),
    placeId: z.number(),
    gameId: z.number(),
    state: studioStateSchema(z),
    origin: z.enum(origins),
    launchId: z.string().optional(),
    /** `stale`: silent for 15 s; `reconnecting`: the socket dropped, the grace period runs. */
    health: z.enum(["ok", "stale", "reconnecting"]),
    /** Actions, also such as only a newer host knows. */
    capabilities: z.array(z.string()),
    pluginVersion: z.string(),
    pluginUpdateAvailable: z.boolean().optional(),
    studioVersion: z.string().optional(),
    /** ISO 8601, UTC. */
    connectedAt: z.iso.datetime(),
    uptimeMs: z.number().nonnegative(),
  }),
);
export type SessionInfo = OutputOf<typeof sessionInfoSchema>;

/** A plugin that tried to connect without this machine's key, kept for a minute. */
export const unpairedAttemptSchema = defineSchema((z) =>
  z.object({
    at: z.iso.datetime(),
    pluginVersion: z.string().optional(),
    keyId: z.string().optional(),
  }),
);

/** One row per message; `from` says who may send it. */
export const network = {
  "list-sessions": { from: "client", payload: defineSchema((z) => z.object({})) },
  "list-sessions-response": {
    from: "host",
    payload: defineSchema((z) =>
      z.object({
        requestId: requestIdSchema(z),
        sessions: z.array(sessionInfoSchema(z)),
        unpaired: z.array(unpairedAttemptSchema(z)).default([]),
        /** Connections turned away since the host started, by reason. */
        refusals: z.record(z.string(), z.int().positive()).default({}),
        /** Authentication is off: whoever comes is let in. */
        allowsUnpaired: z.boolean().optional(),
      }),
    ),
  },
  /**
   * `action` is `{ type, payload }` of a row of the action table, or one of two about a request sent before: `cancel`,
   * or `await` from a client whose link broke and that wants the rest.
   */
  "host-envelope": {
    from: "client",
    payload: defineSchema((z) =>
      z.object({
        requestId: requestIdSchema(z),
        targetSessionId: z.string(),
        /** From acceptance by the host to the last answer; default: the action's own. */
        timeoutMs: z.int().positive().optional(),
        action: z.object({ type: z.string(), payload: z.unknown() }),
      }),
    ),
  },
  /**
   * `result` is a whole frame: an `output`, `chunk` or `running` on the way, then exactly one reply of the action or
   * `error`, which ends the request.
   */
  "host-response": {
    from: "host",
    payload: defineSchema((z) => z.object({ requestId: requestIdSchema(z), result: z.unknown() })),
  },
  "session-event": {
    from: "host",
    payload: defineSchema((z) =>
      z.object({
        event: z.enum(["connected", "disconnected", "state-changed"]),
        session: sessionInfoSchema(z),
      }),
    ),
  },
  /** A push of a session this client subscribed to; `frame` is the plugin's whole frame. */
  "session-push": {
    from: "host",
    payload: defineSchema((z) => z.object({ sessionId: z.string(), frame: z.unknown() })),
  },
  /** Lines or pushes that this client was too slow to take. */
  "push-dropped": {
    from: "host",
    payload: defineSchema((z) => z.object({ sessionId: z.string(), dropped: z.int().positive() })),
  },
  /** The host is going; `moving` asks clients to find the next one. */
  "host-transfer": { from: "host", payload: defineSchema((z) => z.object({ reason: z.string() })) },
  /** First word to the next host: the sessions that were there before, which are about to come back. */
  "host-ready": {
    from: "client",
    payload: defineSchema((z) => z.object({ sessionIds: z.array(z.string().max(128)).default([]) })),
  },
  /** From a newer sb: a host that started by itself and has nothing to do makes room for one of that version. */
  "host-retire": { from: "client", payload: defineSchema((z) => z.object({ version: z.string().max(64) })) },
} as const;

type NetworkName = keyof typeof network;
export type NetworkPayload<Name extends NetworkName> = z.output<
  ReturnType<(typeof network)[Name]["payload"]>
>;

/** `GET /health`: no paths, no pids. */
export const healthSchema = defineSchema((z) =>
  z.object({
    name: z.literal("studio-bridge"),
    status: z.enum(["ok", "closing"]),
    protocolVersion: z.int(),
    port: z.int(),
    sessions: z.int().nonnegative(),
    /** Milliseconds. */
    uptime: z.number().nonnegative(),
  }),
);
