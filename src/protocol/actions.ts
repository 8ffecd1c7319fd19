/**
 * THE action table: one row per request that the plugin answers. Message unions, decoders, capabilities, typed calls,
 * default timeouts, the Luau constants, golden files and docs/protocol.md are derived from it.
 */
import type { z } from "zod";
import { mapOf } from "./envelope.ts";
import { defineSchema } from "./schema.ts";
import type { OutputOf, Schema, Zod } from "./schema.ts";
import { serializedValueSchema } from "./values.ts";
import type { SerializedValue } from "./values.ts";

export const contexts = ["edit", "server", "client"] as const;
export const contextSchema = defineSchema((z) => z.enum(contexts));
export type SessionContext = OutputOf<typeof contextSchema>;

/** Which client of one Studio a `client` session belongs to; absent with a single client. */
export const playerSchema = defineSchema((z) => z.object({ name: z.string(), index: z.int().positive() }));

export const studioStates = ["Edit", "Play", "Paused", "Run", "Server", "Client"] as const;
export const studioStateSchema = defineSchema((z) => z.enum(studioStates));
export type StudioState = OutputOf<typeof studioStateSchema>;

export const logLevels = ["Print", "Info", "Warning", "Error"] as const;
export const logLevelSchema = defineSchema((z) => z.enum(logLevels));
export type LogLevel = OutputOf<typeof logLevelSchema>;

/** `timestamp` counts milliseconds since the plugin connected; `time` is epoch milliseconds, for people. */
export const logEntrySchema = defineSchema((z) =>
  z.object({
    level: logLevelSchema(z),
    body: z.string(),
    timestamp: z.number(),
    time: z.number().optional(),
    /** Where the line was printed, when that is another DataModel: the edit session also keeps those of play sessions. */
    context: contextSchema(z).optional(),
    player: playerSchema(z).optional(),
    /** A script of `execute` printed it, so that its caller has it as output. */
    isOutput: z.boolean().optional(),
  }),
);
export type LogEntry = OutputOf<typeof logEntrySchema>;

export interface DataModelInstance {
  readonly name: string;
  readonly className: string;
  /** Dot path from `game`, with `\.` for dots inside names. */
  readonly path: string;
  readonly properties: { readonly [name: string]: SerializedValue };
  readonly attributes: { readonly [name: string]: SerializedValue };
  readonly childCount: number;
  /** Present only where the requested depth reaches. */
  readonly children?: readonly DataModelInstance[] | undefined;
}

export const dataModelInstanceSchema: Schema<z.ZodType<DataModelInstance>> = defineSchema((z) =>
  z.lazy(() =>
    z.object({
      name: z.string(),
      className: z.string(),
      path: z.string(),
      properties: mapOf(z, serializedValueSchema(z)),
      attributes: mapOf(z, serializedValueSchema(z)),
      childCount: z.int().nonnegative(),
      children: z.array(dataModelInstanceSchema(z)).optional(),
    }),
  ),
);

export const errorInfoSchema = defineSchema((z) =>
  z.object({
    code: z.string(),
    line: z.int().positive().optional(),
    traceback: z.string().optional(),
    /** The source ends too early; said of interactive scripts only. */
    isIncomplete: z.boolean().optional(),
    /** The source is no script but an expression, which `return` would make one. */
    isExpression: z.boolean().optional(),
    /** The table that was raised as the error. */
    value: serializedValueSchema(z).optional(),
  }),
);

export const subscribableEvents = ["stateChange", "logPush", "otherLogPush"] as const;
const eventsPayload = (z: Zod) => z.object({ events: z.array(z.enum(subscribableEvents)) });

const EXECUTE_TIMEOUT_MS = 120_000;

export const actions = {
  queryState: {
    reply: "stateResult",
    /** Subject of "… timed out after 5 seconds." */
    subject: "State query",
    /** Object of "does not support …". */
    capability: "state queries",
    timeoutMs: 5_000,
    retrySafe: true,
    request: defineSchema((z) => z.object({})),
    result: defineSchema((z) =>
      z.object({
        state: studioStateSchema(z),
        placeName: z.string(),
        /** 0 while the place is unpublished. */
        placeId: z.number(),
        gameId: z.number(),
      }),
    ),
  },
  queryLogs: {
    reply: "logsResult",
    subject: "Log query",
    capability: "log queries",
    timeoutMs: 10_000,
    retrySafe: true,
    request: defineSchema((z) =>
      z.object({
        count: z.int().positive().default(50),
        direction: z.enum(["head", "tail"]).default("tail"),
        levels: z.array(logLevelSchema(z)).optional(),
        /** Lines that start with `[StudioBridge]`. */
        includeInternal: z.boolean().default(false),
      }),
    ),
    result: defineSchema((z) =>
      z.object({
        /** Oldest first, whatever the direction. */
        entries: z.array(logEntrySchema(z)),
        /** Lines in the buffer before `count` and the filters were applied. */
        total: z.int().nonnegative(),
        bufferCapacity: z.int().positive(),
      }),
    ),
  },
  queryDataModel: {
    reply: "dataModelResult",
    subject: "DataModel query",
    capability: "DataModel queries",
    timeoutMs: 10_000,
    retrySafe: true,
    request: defineSchema((z) =>
      z.object({
        /** From `game`; absent only with `listServices`. */
        path: z.string().min(1).optional(),
        /** Levels of children to include; 0 is the Instance alone. */
        depth: z.int().nonnegative().default(0),
        /** Default: Name, ClassName, Parent. */
        properties: z.array(z.string()).optional(),
        includeAttributes: z.boolean().default(false),
        listServices: z.boolean().default(false),
      }),
    ),
    result: defineSchema((z) => z.object({ instance: dataModelInstanceSchema(z) })),
  },
  captureScreenshot: {
    reply: "screenshotResult",
    subject: "Screenshot capture",
    capability: "screenshots",
    timeoutMs: 15_000,
    retrySafe: true,
    request: defineSchema((z) => z.object({})),
    result: defineSchema((z) =>
      z.object({
        /** `rgba`: four bytes a pixel, row by row from the top left. */
        format: z.enum(["png", "rgba"]),
        width: z.int().positive(),
        height: z.int().positive(),
        /** Base64. */
        data: z.string(),
      }),
    ),
  },
  complete: {
    reply: "completeResult",
    subject: "Completion",
    capability: "completion",
    timeoutMs: 2_000,
    retrySafe: true,
    request: defineSchema((z) =>
      z.object({
        /** Luau source up to the cursor. */
        text: z.string(),
      }),
    ),
    result: defineSchema((z) =>
      z.object({
        /** The end of `text` that each candidate starts with. */
        fragment: z.string(),
        /** In the order of their names; of very many, the first and the last. */
        candidates: z.array(z.string()),
      }),
    ),
  },
  execute: {
    reply: "scriptComplete",
    subject: "Script execution",
    capability: "script execution",
    timeoutMs: EXECUTE_TIMEOUT_MS,
    retrySafe: false,
    request: defineSchema((z) =>
      z.object({
        script: z.string(),
        /** Reach the script as `...`. */
        args: z.array(z.string()).default([]),
        /** What errors and tracebacks call the script. */
        chunkName: z.string().max(256).default("Script"),
        timeoutMs: z.int().positive().default(EXECUTE_TIMEOUT_MS),
        /** Typed by a person: an expression gives its value, and globals stay for the next interactive script. */
        interactive: z.boolean().default(false),
      }),
    ),
    result: defineSchema((z) =>
      z.object({
        success: z.boolean(),
        error: z.string().optional(),
        errorInfo: errorInfoSchema(z).optional(),
        returnValues: z.array(serializedValueSchema(z)).default([]),
        durationMs: z.number().nonnegative().default(0),
        /** Lines sent as `output` for this request, so that a receiver can tell that none is missing. */
        outputCount: z.int().nonnegative().optional(),
      }),
    ),
  },
  subscribe: {
    reply: "subscribeResult",
    subject: "Subscription",
    capability: "subscriptions",
    timeoutMs: 5_000,
    retrySafe: true,
    request: defineSchema(eventsPayload),
    result: defineSchema(eventsPayload),
  },
  unsubscribe: {
    reply: "unsubscribeResult",
    subject: "Unsubscription",
    capability: "subscriptions",
    timeoutMs: 5_000,
    retrySafe: true,
    request: defineSchema(eventsPayload),
    result: defineSchema(eventsPayload),
  },
} as const;

export type ActionName = keyof typeof actions;
export type ActionRequest<Name extends ActionName> = z.input<ReturnType<(typeof actions)[Name]["request"]>>;
export type ActionResult<Name extends ActionName> = z.output<ReturnType<(typeof actions)[Name]["result"]>>;

export const actionNames = Object.keys(actions).filter(isActionName);

export function isActionName(name: string): name is ActionName {
  return Object.hasOwn(actions, name);
}
