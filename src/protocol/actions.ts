/**
 * THE action table: one row per request that the plugin answers. Message unions, decoders, capabilities, typed calls,
 * default timeouts, the Luau constants, golden files and docs/protocol.md are derived from it.
 */
import * as z from "zod";
import { mapOf } from "./envelope.ts";
import { lazy } from "./lazy.ts";
import { serializedValueSchema } from "./values.ts";
import type { SerializedValue } from "./values.ts";

export const contexts = ["edit", "server", "client"] as const;
export const contextSchema = z.enum(contexts);
export type SessionContext = z.output<typeof contextSchema>;

/** Which client of one Studio a `client` session belongs to; absent with a single client. */
export const playerSchema = z.object({ name: z.string(), index: z.int().positive() });

export const studioStates = ["Edit", "Play", "Paused", "Run", "Server", "Client"] as const;
export const studioStateSchema = z.enum(studioStates);
export type StudioState = z.output<typeof studioStateSchema>;

export const logLevels = ["Print", "Info", "Warning", "Error"] as const;
export const logLevelSchema = z.enum(logLevels);
export type LogLevel = z.output<typeof logLevelSchema>;

/** `timestamp` counts milliseconds since the plugin connected; `time` is epoch milliseconds, for people. */
export const logEntrySchema = z.object({
  level: logLevelSchema,
  body: z.string(),
  timestamp: z.number(),
  time: z.number().optional(),
});
export type LogEntry = z.output<typeof logEntrySchema>;

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

export const dataModelInstanceSchema: z.ZodType<DataModelInstance> = z.lazy(() =>
  z.object({
    name: z.string(),
    className: z.string(),
    path: z.string(),
    properties: mapOf(serializedValueSchema),
    attributes: mapOf(serializedValueSchema),
    childCount: z.int().nonnegative(),
    children: z.array(dataModelInstanceSchema).optional(),
  }),
);

export const errorInfoSchema = z.object({
  code: z.string(),
  line: z.int().positive().optional(),
  traceback: z.string().optional(),
  /** The source ends too early; said of interactive scripts only. */
  isIncomplete: z.boolean().optional(),
  /** The source is no script but an expression, which `return` would make one. */
  isExpression: z.boolean().optional(),
  /** The table that was raised as the error. */
  value: serializedValueSchema.optional(),
});

export const subscribableEvents = ["stateChange", "logPush"] as const;
const eventsPayload = () => z.object({ events: z.array(z.enum(subscribableEvents)) });

export const actions = {
  queryState: {
    reply: "stateResult",
    /** Subject of "… timed out after 5 seconds." */
    subject: "State query",
    /** Object of "does not support …". */
    capability: "state queries",
    timeoutMs: 5_000,
    retrySafe: true,
    request: lazy(() => z.object({})),
    result: lazy(() =>
      z.object({
        state: studioStateSchema,
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
    request: lazy(() =>
      z.object({
        count: z.int().positive().default(50),
        direction: z.enum(["head", "tail"]).default("tail"),
        levels: z.array(logLevelSchema).optional(),
        /** Lines that start with `[StudioBridge]`. */
        includeInternal: z.boolean().default(false),
      }),
    ),
    result: lazy(() =>
      z.object({
        /** Oldest first, whatever the direction. */
        entries: z.array(logEntrySchema),
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
    request: lazy(() =>
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
    result: lazy(() => z.object({ instance: dataModelInstanceSchema })),
  },
  captureScreenshot: {
    reply: "screenshotResult",
    subject: "Screenshot capture",
    capability: "screenshots",
    timeoutMs: 15_000,
    retrySafe: true,
    request: lazy(() => z.object({})),
    result: lazy(() =>
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
    request: lazy(() =>
      z.object({
        /** Luau source up to the cursor. */
        text: z.string(),
      }),
    ),
    result: lazy(() =>
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
    timeoutMs: 120_000,
    retrySafe: false,
    request: lazy(() =>
      z.object({
        script: z.string(),
        /** Reach the script as `...`. */
        args: z.array(z.string()).optional(),
        /** What errors and tracebacks call the script. */
        chunkName: z.string().max(256).optional(),
        timeoutMs: z.int().positive().optional(),
        /** Typed by a person: an expression gives its value, and globals stay for the next interactive script. */
        interactive: z.boolean().optional(),
      }),
    ),
    result: lazy(() =>
      z.object({
        success: z.boolean(),
        error: z.string().optional(),
        errorInfo: errorInfoSchema.optional(),
        returnValues: z.array(serializedValueSchema).default([]),
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
    request: lazy(eventsPayload),
    result: lazy(eventsPayload),
  },
  unsubscribe: {
    reply: "unsubscribeResult",
    subject: "Unsubscription",
    capability: "subscriptions",
    timeoutMs: 5_000,
    retrySafe: true,
    request: lazy(eventsPayload),
    result: lazy(eventsPayload),
  },
} as const;

export type ActionName = keyof typeof actions;
export type ActionRequest<Name extends ActionName> = z.input<ReturnType<(typeof actions)[Name]["request"]>>;
export type ActionResult<Name extends ActionName> = z.output<ReturnType<(typeof actions)[Name]["result"]>>;

export const actionNames = Object.keys(actions).filter(isActionName);

export function isActionName(name: string): name is ActionName {
  return Object.hasOwn(actions, name);
}
