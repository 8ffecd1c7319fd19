/**
 * Everything on the plugin link that is not an action: the handshake, registration, liveness, pushes, and the
 * messages that manage a request under way. One row per message type; `from` says who may send it.
 */
import type { z } from "zod";
import {
  actionNames,
  contextSchema,
  logEntrySchema,
  logLevelSchema,
  playerSchema,
  studioStateSchema,
  subscribableEvents,
} from "./actions.ts";
import { outcomes } from "./errors.ts";
import { defineSchema } from "./schema.ts";
import type { OutputOf, Zod } from "./schema.ts";
import { sessionInfoSchema } from "./network.ts";

const hex = (z: Zod, length: number) =>
  z.string().regex(new RegExp(`^[0-9a-f]{${length}}$`), `${length} lower-case hex digits`);
const nonceSchema = defineSchema((z) => hex(z, 64));
const proofSchema = defineSchema((z) => hex(z, 64));
const keyIdSchema = defineSchema((z) => hex(z, 16));

export const roles = ["plugin", "client"] as const;
export type Role = (typeof roles)[number];

/** The handshake, the same on both links (wire: "Proof"). */
export const handshake = {
  hello: {
    from: "peer",
    payload: defineSchema((z) =>
      z.object({
        role: z.enum(roles).default("plugin"),
        /** The peer's version: of the plugin, or of `sb`. */
        pluginVersion: z.string().max(64).optional(),
        buildId: z.string().max(64).optional(),
        nonceA: nonceSchema(z).optional(),
        keyId: keyIdSchema(z).optional(),
        /** Version 1 only. */
        sessionId: z.string().max(128).optional(),
      }),
    ),
  },
  challenge: {
    from: "host",
    payload: defineSchema((z) =>
      z.object({ nonceB: nonceSchema(z), hostId: z.string().min(1).max(64), proof: proofSchema(z) }),
    ),
  },
  auth: { from: "peer", payload: defineSchema((z) => z.object({ proof: proofSchema(z) })) },
  welcome: {
    from: "host",
    payload: defineSchema((z) =>
      z.object({
        serverVersion: z.string(),
        /** The smaller of both sides' versions. */
        protocolVersion: z.int().positive(),
        /** Set only towards peers that register without a proof (the host then must allow that). */
        sessionId: z.string().optional(),
        /** Towards clients: every session; changes follow as `session-event`. Absent: to be asked for. */
        sessions: z.array(sessionInfoSchema(z)).optional().catch(undefined),
        /** Towards clients: it has only just bound its port, and gives it up if it finds another host. */
        isSettling: z.boolean().optional().catch(undefined),
      }),
    ),
  },
} as const;

const registerSchema = defineSchema((z) =>
  z.object({
    pluginVersion: z.string(),
    buildId: z.string().optional(),
    /** One per Studio window, kept across reloads of the plugin. */
    instanceId: z.string().min(1).max(128),
    context: contextSchema(z),
    player: playerSchema(z).optional(),
    /** Given by whoever launched this Studio. */
    launchId: z.string().max(128).optional(),
    /** The session to continue after a lost connection. */
    previousSessionId: z.string().max(128).optional(),
    placeName: z.string(),
    placeId: z.number(),
    gameId: z.number(),
    placeFile: z.string().optional(),
    state: studioStateSchema(z),
    /** Action names this plugin answers in this context. Names unknown to the host are dropped. */
    capabilities: z.array(z.string()),
    studioVersion: z.string().optional(),
  }),
);
export type Register = OutputOf<typeof registerSchema>;

/** A failure in place of a reply, or about the link itself. */
const errorPayloadSchema = defineSchema((z) =>
  z.object({
    code: z.string(),
    message: z.string(),
    details: z.unknown().optional(),
    outcome: z.enum(outcomes).optional(),
  }),
);
export type ErrorPayload = OutputOf<typeof errorPayloadSchema>;

const outputMessageSchema = defineSchema((z) =>
  z.object({
    level: logLevelSchema(z),
    body: z.string(),
    timestamp: z.number().optional(),
  }),
);
export type OutputMessage = OutputOf<typeof outputMessageSchema>;

export const events = {
  register: { from: "plugin", payload: registerSchema },
  registered: {
    from: "host",
    payload: defineSchema((z) =>
      z.object({
        /** Authoritative; every later frame about this context carries it. */
        sessionId: z.string(),
        capabilities: z.array(z.enum(actionNames)),
        pluginUpdateAvailable: z.boolean().optional(),
      }),
    ),
  },
  unregister: { from: "plugin", payload: defineSchema((z) => z.object({ reason: z.string().optional() })) },
  heartbeat: {
    from: "plugin",
    payload: defineSchema((z) =>
      z.object({
        uptimeMs: z.number().nonnegative(),
        state: studioStateSchema(z),
        pendingRequests: z.int().nonnegative(),
      }),
    ),
  },
  ping: { from: "host", payload: defineSchema((z) => z.object({})) },
  pong: { from: "plugin", payload: defineSchema((z) => z.object({})) },
  /** Lines printed on behalf of the request whose id the frame carries. */
  output: {
    from: "plugin",
    payload: defineSchema((z) =>
      z.object({
        messages: z.array(outputMessageSchema(z)),
        /** Number of the first message, counted from 0 per request. */
        seq: z.int().nonnegative().optional(),
      }),
    ),
  },
  stateChange: {
    from: "plugin",
    payload: defineSchema((z) =>
      z.object({
        previousState: studioStateSchema(z),
        newState: studioStateSchema(z),
        timestamp: z.number(),
      }),
    ),
  },
  logPush: {
    from: "plugin",
    payload: defineSchema((z) =>
      z.object({
        entries: z.array(logEntrySchema(z)),
        /** Lines lost before these because the link was too slow. */
        dropped: z.int().nonnegative().optional(),
        /** Number of the first line, counted from 0 since the plugin started. */
        seq: z.int().nonnegative().optional(),
      }),
    ),
  },
  /** The lines of logPush that are no script's output, for callers of `execute` who have that already. */
  otherLogPush: {
    from: "plugin",
    payload: defineSchema((z) => z.object({ entries: z.array(logEntrySchema(z)) })),
  },
  cancel: { from: "host", payload: defineSchema((z) => z.object({})) },
  /** Asks what became of a request; never carries the script. */
  await: {
    from: "host",
    payload: defineSchema((z) =>
      z.object({
        /** Number of the first line of output that is still wanted. */
        fromSeq: z.int().nonnegative().default(0),
        /** How long ago the request was made; a plugin that has forgotten nothing since then can say NOT_RECEIVED. */
        ageMs: z.number().nonnegative().optional(),
      }),
    ),
  },
  /** The answer to `await` while the script still runs. */
  running: { from: "plugin", payload: defineSchema((z) => z.object({})) },
  error: { from: "both", payload: errorPayloadSchema },
  /** One piece of a reply too large for one frame; joined in order of `seq`, the text is the reply's frame. */
  chunk: {
    from: "plugin",
    payload: defineSchema((z) =>
      z.object({ seq: z.int().nonnegative(), total: z.int().positive(), data: z.string() }),
    ),
  },
  shutdown: { from: "host", payload: defineSchema((z) => z.object({ reason: z.string() })) },
} as const;

/** Messages of the host about a request that it has sent before. They have no reply of their own. */
export const controls = ["cancel", "await"] as const;

type EventName = keyof typeof events;
export type EventPayload<Name extends EventName> = z.output<ReturnType<(typeof events)[Name]["payload"]>>;
export type SubscribableEvent = (typeof subscribableEvents)[number];
