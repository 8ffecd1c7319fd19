/**
 * Everything on the plugin link that is not an action: the handshake, registration, liveness, pushes, and the
 * messages that manage a request under way. One row per message type; `from` says who may send it.
 */
import type { z } from "zod";
import { actionNames } from "./actions.ts";
import { callerSchema } from "./fields/callers.ts";
import { contextSchema, playerSchema, studioStateSchema } from "./fields/contexts.ts";
import { logEntrySchema, outputLevels } from "./fields/log-lines.ts";
import { subscribableEvents } from "./actions/studio.ts";
import { outcomes } from "./errors.ts";
import {
  heldSchema,
  lateYesFields,
  permissionChosenSchema,
  permissionFields,
  permissionLevels,
} from "./fields/permission.ts";
import { defineSchema } from "./schema.ts";
import type { LogLevel } from "./fields/log-lines.ts";
import type { OutputOf, Zod } from "./schema.ts";
import { sessionInfoSchema } from "./network.ts";

const hex = (z: Zod, length: number) =>
  z.string().regex(new RegExp(`^[0-9a-f]{${length}}$`), `${length} lower-case hex digits`);
const nonceSchema = defineSchema((z) => hex(z, 64));
const proofSchema = defineSchema((z) => hex(z, 64));
const keyIdSchema = defineSchema((z) => hex(z, 16));

export const roles = ["plugin", "client"] as const;

/** The handshake of both links. docs/protocol.md describes the proof. */
export const handshake = {
  hello: {
    from: "peer",
    payload: defineSchema((z) =>
      z
        .object({
          role: z
            .enum(roles)
            .default("plugin")
            .describe("What the peer is; it must fit the path that it dialled."),
          pluginVersion: z.string().max(64).optional().describe("Version of the plugin, or of `sb`."),
          buildId: z.string().max(64).optional().describe("Build of the plugin, or of `sb`."),
          nonceA: nonceSchema(z).optional().describe("32 random bytes as hex, new for every connection."),
          keyId: keyIdSchema(z).optional().describe("Which key the peer holds."),
          sessionId: z.string().max(128).optional().describe("The peer's session; version 1 only."),
        })
        .describe("The first frame of every connection."),
    ),
  },
  challenge: {
    from: "host",
    payload: defineSchema((z) =>
      z
        .object({
          nonceB: nonceSchema(z).describe("32 random bytes as hex, new for every connection."),
          hostId: z.string().min(1).max(64).describe("Id of the host, which both proofs contain."),
          proof: proofSchema(z).describe("The host's proof. The peer closes the connection if it is wrong."),
        })
        .describe("The host proves that it holds the key, and asks the peer for the same."),
    ),
  },
  auth: {
    from: "peer",
    payload: defineSchema((z) =>
      z
        .object({ proof: proofSchema(z).describe("The peer's proof.") })
        .describe("The peer proves that it holds the key."),
    ),
  },
  welcome: {
    from: "host",
    payload: defineSchema((z) =>
      z
        .object({
          serverVersion: z.string().describe("Version of the host's `sb`."),
          protocolVersion: z.int().positive().describe("The smaller one of both sides' protocol versions."),
          sessionId: z
            .string()
            .optional()
            .describe("Session of a peer without a proof, if the host allows such peers."),
          sessions: z
            .array(sessionInfoSchema(z))
            .optional()
            .catch(undefined)
            .describe(
              "For clients: every session. Changes follow as `session-event`; ask if the list is absent.",
            ),
          isSettling: z
            .boolean()
            .optional()
            .catch(undefined)
            .describe(
              "For clients: true for a host that is new and gives its port up if it finds another host.",
            ),
        })
        .describe("The host accepts the peer. Any other message may follow now."),
    ),
  },
} as const;

const registerSchema = defineSchema((z) =>
  z
    .object({
      pluginVersion: z.string().describe("Version of the plugin."),
      buildId: z.string().optional().describe("Build of the plugin."),
      instanceId: z
        .string()
        .min(1)
        .max(128)
        .describe("Id of the Studio window, the same for all its contexts and after a reload of the plugin."),
      context: contextSchema(z).describe("Which DataModel of the Studio the session is."),
      player: playerSchema(z).optional().describe("Which client the session is, if the test has several."),
      launchId: z
        .string()
        .max(128)
        .optional()
        .describe("Id that the starter of this Studio gave to it, to recognise the session."),
      previousSessionId: z
        .string()
        .max(128)
        .optional()
        .describe("Session to continue after a lost connection."),
      placeName: z.string().describe("Name of the place."),
      placeId: z.number().describe("Roblox's id of the place; 0 while it is unpublished."),
      gameId: z.number().describe("Roblox's id of the experience; 0 while it is unpublished."),
      placeFile: z.string().optional().describe("File of the place."),
      state: studioStateSchema(z).describe("Mode of the session's DataModel."),
      ...permissionFields(z),
      capabilities: z
        .array(z.string())
        .describe("Actions that the plugin answers. The host drops those that it does not know."),
      studioVersion: z.string().optional().describe("Version of Roblox Studio."),
    })
    .describe("Announces a session. Each context of a Studio is a session, and they share one connection."),
);
export type Register = OutputOf<typeof registerSchema>;

/** A failure in place of a reply, or about the link itself. */
const errorPayloadSchema = defineSchema((z) =>
  z
    .object({
      code: z.string().describe("Error code: errors.md lists them."),
      message: z.string().describe("What went wrong, in one sentence for people."),
      details: z.unknown().optional().describe("Facts about the failure, different for each code."),
      outcome: z
        .enum(outcomes)
        .optional()
        .describe(
          "What became of the request: it never started, that is unknown, or it ran and its reply is lost.",
        ),
    })
    .describe("A failure in place of a reply, or without a request id about the connection itself."),
);
export type ErrorPayload = OutputOf<typeof errorPayloadSchema>;

const outputMessageSchema = defineSchema((z) =>
  z.object({
    level: z.enum(outputLevels).describe("Kind of the line; `Event` for a value that `sb.emit` sends."),
    body: z.string().describe("Text of the line; of an event, its JSON."),
    timestamp: z.number().optional().describe("Milliseconds since the plugin started."),
  }),
);
export type OutputMessage = OutputOf<typeof outputMessageSchema>;
/** A line that a script printed. */
export type PrintedMessage = OutputMessage & { readonly level: LogLevel };

export const events = {
  register: { from: "plugin", payload: registerSchema },
  registered: {
    from: "host",
    payload: defineSchema((z) =>
      z
        .object({
          sessionId: z.string().describe("Id of the session, which every later frame about it carries."),
          capabilities: z.array(z.enum(actionNames)).describe("Actions that both sides know."),
          pluginUpdateAvailable: z
            .boolean()
            .optional()
            .describe("True for a plugin of another build than the one that the host carries."),
          permission: z
            .enum(permissionLevels)
            .optional()
            .describe("The level of which the host keeps a copy; the stricter one holds."),
        })
        .describe("Confirms `register`, under its request id."),
    ),
  },
  unregister: {
    from: "plugin",
    payload: defineSchema((z) =>
      z
        .object({ reason: z.string().optional().describe("Why the session ends, for people.") })
        .describe("Ends a session."),
    ),
  },
  heartbeat: {
    from: "plugin",
    payload: defineSchema((z) =>
      z
        .object({
          uptimeMs: z.number().nonnegative().describe("Milliseconds since the plugin started."),
          state: studioStateSchema(z).describe("Mode of the session's DataModel."),
          pendingRequests: z.int().nonnegative().describe("How many scripts wait or run."),
          ...permissionFields(z),
          ...lateYesFields(z),
        })
        .describe("A sign of life, every 15 seconds, and when the mode or the permission has changed."),
    ),
  },
  ping: {
    from: "host",
    payload: defineSchema((z) =>
      z.object({}).describe("Asks the plugin for a sign of life, every 5 seconds."),
    ),
  },
  pong: { from: "plugin", payload: defineSchema((z) => z.object({}).describe("Answers `ping`.")) },
  output: {
    from: "plugin",
    payload: defineSchema((z) =>
      z
        .object({
          messages: z.array(outputMessageSchema(z)).describe("The lines, in the order of printing."),
          seq: z
            .int()
            .nonnegative()
            .optional()
            .describe("Number of the first line, counted from 0 for each request."),
        })
        .describe("Lines that the script of a request printed. The frame carries the id of the request."),
    ),
  },
  inputWanted: {
    from: "plugin",
    payload: defineSchema((z) =>
      z
        .object({
          seq: z.int().nonnegative().describe("Number of the piece, counted from 0 for each script."),
        })
        .describe(
          "The script of a request waits for a piece of standard input: `provideInput` gives it. Sent again after `await`.",
        ),
    ),
  },
  held: { from: "plugin", payload: heldSchema },
  permissionChosen: { from: "plugin", payload: permissionChosenSchema },
  stateChange: {
    from: "plugin",
    payload: defineSchema((z) =>
      z
        .object({
          previousState: studioStateSchema(z).describe("Mode before."),
          newState: studioStateSchema(z).describe("Mode now."),
          timestamp: z.number().describe("Milliseconds since the plugin started."),
        })
        .describe("Studio's mode has changed. Sent to subscribers of `stateChange`."),
    ),
  },
  logPush: {
    from: "plugin",
    payload: defineSchema((z) =>
      z
        .object({
          entries: z.array(logEntrySchema(z)).describe("The lines, the oldest first."),
          dropped: z
            .int()
            .nonnegative()
            .optional()
            .describe("How many lines before these are lost, because the connection was too slow."),
          seq: z
            .int()
            .nonnegative()
            .optional()
            .describe("Number of the first line, counted from 0 since the plugin started."),
        })
        .describe("New lines of Studio's Output. Sent to subscribers of `logPush`."),
    ),
  },
  otherLogPush: {
    from: "plugin",
    payload: defineSchema((z) =>
      z
        .object({ entries: z.array(logEntrySchema(z)).describe("The lines, the oldest first.") })
        .describe(
          "As `logPush`, without the lines that a script of `execute` printed. Sent to subscribers of `otherLogPush`.",
        ),
    ),
  },
  treeChange: {
    from: "plugin",
    payload: defineSchema((z) =>
      z
        .object({
          typing: z
            .array(z.string())
            .describe(
              "Ids of scripts in which a person types at this moment; another message follows when they are quiet.",
            ),
        })
        .describe(
          "The watched place has changed: `readTree` with `since` says how. Sent to subscribers of `treeChange`.",
        ),
    ),
  },
  cancel: {
    from: "host",
    payload: defineSchema((z) =>
      z
        .object({
          byPerson: z
            .boolean()
            .optional()
            .describe(
              "The person at Studio has stopped it in the panel; the plugin says so to its own copies.",
            ),
        })
        .describe("Stops the script of the request whose id the frame carries, or takes it from the queue."),
    ),
  },
  await: {
    from: "host",
    payload: defineSchema((z) =>
      z
        .object({
          fromSeq: z
            .int()
            .nonnegative()
            .default(0)
            .describe("Number of the first line of output that is still wanted."),
          ageMs: z
            .number()
            .nonnegative()
            .optional()
            .describe(
              "Milliseconds since the request was made. A plugin that remembers all since then may say NOT_RECEIVED.",
            ),
          action: z
            .enum(actionNames)
            .optional()
            .describe("Type of the request that is asked about, for the host; `execute` without it."),
        })
        .describe(
          "Asks what became of the request whose id the frame carries: a script or a change. It is never sent again with this.",
        ),
    ),
  },
  running: {
    from: "plugin",
    payload: defineSchema((z) =>
      z
        .object({})
        .describe(
          "The request goes on. Answers `await` while a script runs, whose missing output and reply follow; also sent when a request is not `held` any longer.",
        ),
    ),
  },
  error: { from: "both", payload: errorPayloadSchema },
  chunk: {
    from: "plugin",
    payload: defineSchema((z) =>
      z
        .object({
          seq: z.int().nonnegative().describe("Number of the piece, counted from 0."),
          total: z.int().positive().describe("How many pieces there are."),
          data: z.string().describe("The piece."),
        })
        .describe(
          "A piece of a reply that is too large for one frame. Joined, the pieces are the frame of the reply.",
        ),
    ),
  },
  clients: {
    from: "host",
    payload: defineSchema((z) =>
      z
        .object({
          clients: z.array(callerSchema(z)).describe("The callers of all requests, while their links last."),
        })
        .describe(
          "Which clients use the host now. Sent after `registered`, and at most four times a second.",
        ),
    ),
  },
  shutdown: {
    from: "host",
    payload: defineSchema((z) =>
      z
        .object({ reason: z.string().describe("Why the host ends, for people.") })
        .describe("The host ends. The plugin looks for the next host at once."),
    ),
  },
} as const;

/** Messages of the host about a request that it has sent before. They have no reply of their own. */
export const controls = ["cancel", "await"] as const;

type EventName = keyof typeof events;
export type EventPayload<Name extends EventName> = z.output<ReturnType<(typeof events)[Name]["payload"]>>;
export type SubscribableEvent = (typeof subscribableEvents)[number];
