/**
 * Everything on the plugin link that is not an action: the handshake, registration, liveness, pushes, and the
 * messages that manage a request under way. One row per message type; `from` says who may send it.
 */
import * as z from "zod";
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
import { lazy } from "./lazy.ts";
import { sessionInfoSchema } from "./network.ts";

const hex = (length: number) =>
  z.string().regex(new RegExp(`^[0-9a-f]{${length}}$`), `${length} lower-case hex digits`);
export const nonceSchema = hex(64);
export const proofSchema = hex(64);
export const keyIdSchema = hex(16);

export const roles = ["plugin", "client"] as const;
export type Role = (typeof roles)[number];

/** The handshake, the same on both links (wire: "Proof"). */
export const handshake = {
  hello: {
    from: "peer",
    payload: lazy(() =>
      z.object({
        role: z.enum(roles).default("plugin"),
        /** The peer's version: of the plugin, or of `sb`. */
        pluginVersion: z.string().max(64).optional(),
        buildId: z.string().max(64).optional(),
        nonceA: nonceSchema.optional(),
        keyId: keyIdSchema.optional(),
        /** Version 1 only. */
        sessionId: z.string().max(128).optional(),
      }),
    ),
  },
  challenge: {
    from: "host",
    payload: lazy(() =>
      z.object({ nonceB: nonceSchema, hostId: z.string().min(1).max(64), proof: proofSchema }),
    ),
  },
  auth: { from: "peer", payload: lazy(() => z.object({ proof: proofSchema })) },
  welcome: {
    from: "host",
    payload: lazy(() =>
      z.object({
        serverVersion: z.string(),
        /** The smaller of both sides' versions. */
        protocolVersion: z.int().positive(),
        /** Set only towards peers that register without a proof (the host then must allow that). */
        sessionId: z.string().optional(),
        /** Towards clients: every session; changes follow as `session-event`. Absent: to be asked for. */
        sessions: z.array(sessionInfoSchema).optional().catch(undefined),
      }),
    ),
  },
} as const;

export const registerSchema = z.object({
  pluginVersion: z.string(),
  buildId: z.string().optional(),
  /** One per Studio window, kept across reloads of the plugin. */
  instanceId: z.string().min(1).max(128),
  context: contextSchema,
  player: playerSchema.optional(),
  /** Given by whoever launched this Studio. */
  launchId: z.string().max(128).optional(),
  /** The session to continue after a lost connection. */
  previousSessionId: z.string().max(128).optional(),
  placeName: z.string(),
  placeId: z.number(),
  gameId: z.number(),
  placeFile: z.string().optional(),
  state: studioStateSchema,
  /** Action names this plugin answers in this context. Names unknown to the host are dropped. */
  capabilities: z.array(z.string()),
  studioVersion: z.string().optional(),
});
export type Register = z.output<typeof registerSchema>;

/** A failure in place of a reply, or about the link itself. */
export const errorPayloadSchema = z.object({
  code: z.string(),
  message: z.string(),
  details: z.unknown().optional(),
  outcome: z.enum(outcomes).optional(),
});
export type ErrorPayload = z.output<typeof errorPayloadSchema>;

export const outputMessageSchema = z.object({
  level: logLevelSchema,
  body: z.string(),
  timestamp: z.number().optional(),
});
export type OutputMessage = z.output<typeof outputMessageSchema>;

export const events = {
  register: { from: "plugin", payload: lazy(() => registerSchema) },
  registered: {
    from: "host",
    payload: lazy(() =>
      z.object({
        /** Authoritative; every later frame about this context carries it. */
        sessionId: z.string(),
        capabilities: z.array(z.enum(actionNames)),
        pluginUpdateAvailable: z.boolean().optional(),
      }),
    ),
  },
  unregister: { from: "plugin", payload: lazy(() => z.object({ reason: z.string().optional() })) },
  heartbeat: {
    from: "plugin",
    payload: lazy(() =>
      z.object({
        uptimeMs: z.number().nonnegative(),
        state: studioStateSchema,
        pendingRequests: z.int().nonnegative(),
      }),
    ),
  },
  ping: { from: "host", payload: lazy(() => z.object({})) },
  pong: { from: "plugin", payload: lazy(() => z.object({})) },
  /** Lines printed on behalf of the request whose id the frame carries. */
  output: {
    from: "plugin",
    payload: lazy(() =>
      z.object({
        messages: z.array(outputMessageSchema),
        /** Number of the first message, counted from 0 per request. */
        seq: z.int().nonnegative().optional(),
      }),
    ),
  },
  stateChange: {
    from: "plugin",
    payload: lazy(() =>
      z.object({
        previousState: studioStateSchema,
        newState: studioStateSchema,
        timestamp: z.number(),
      }),
    ),
  },
  logPush: {
    from: "plugin",
    payload: lazy(() =>
      z.object({
        entries: z.array(logEntrySchema),
        /** Lines lost before these because the link was too slow. */
        dropped: z.int().nonnegative().optional(),
        /** Number of the first line, counted from 0 since the plugin started. */
        seq: z.int().nonnegative().optional(),
      }),
    ),
  },
  cancel: { from: "host", payload: lazy(() => z.object({})) },
  /** Asks what became of a request; never carries the script. */
  await: {
    from: "host",
    payload: lazy(() =>
      z.object({
        /** Number of the first line of output that is still wanted. */
        fromSeq: z.int().nonnegative().default(0),
        /** How long ago the request was made; a plugin that has forgotten nothing since then can say NOT_RECEIVED. */
        ageMs: z.number().nonnegative().optional(),
      }),
    ),
  },
  /** The answer to `await` while the script still runs. */
  running: { from: "plugin", payload: lazy(() => z.object({})) },
  error: { from: "both", payload: lazy(() => errorPayloadSchema) },
  /** One piece of a reply too large for one frame; joined in order of `seq`, the text is the reply's frame. */
  chunk: {
    from: "plugin",
    payload: lazy(() =>
      z.object({ seq: z.int().nonnegative(), total: z.int().positive(), data: z.string() }),
    ),
  },
  shutdown: { from: "host", payload: lazy(() => z.object({ reason: z.string() })) },
} as const;

export type EventName = keyof typeof events;
export type EventPayload<Name extends EventName> = z.output<ReturnType<(typeof events)[Name]["payload"]>>;
export type SubscribableEvent = (typeof subscribableEvents)[number];
