/**
 * Text to message and back. Decoding never throws and never returns null: it gives the message, or the code and the
 * place of the fault. Encoding puts the payload last, so that a reader can find it without parsing what follows.
 */
import type { z } from "zod";
import { actions } from "./actions.ts";
import type { ActionName, ActionResult } from "./actions.ts";
import type { DataModelInstance } from "./fields/instances.ts";
import { readDataModelInstance } from "./data-model-instance.ts";
import { isRequestId, readEnvelope } from "./envelope.ts";
import type { Envelope } from "./envelope.ts";
import { events, handshake } from "./events.ts";
import { limits } from "./limits.ts";
import { network } from "./network.ts";
import type { Schema } from "./schema.ts";

export interface Fault {
  readonly code: "INVALID_PAYLOAD" | "PAYLOAD_TOO_LARGE";
  /** Where and what, e.g. `payload.depth: expected number`. */
  readonly message: string;
  /** Echoed where it could be read, so that the sender can match the answer. */
  readonly requestId?: string;
}

type Decoded<T> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly fault: Fault };

/** What an action's body adds around the values it carries. */
const frameLevels = limits.jsonDepth + 4;
/** A plugin's frame inside `host-response` or `session-push`. */
export const wrappedFrameLevels = frameLevels + 2;

/** One frame of text. The payload is whatever the sender put there; check it with `decodePayload`. */
export function decodeEnvelope(text: string, levels: number = frameLevels): Decoded<Envelope> {
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch (error) {
    return fail(`not JSON: ${error instanceof Error ? error.message : String(error)}`);
  }
  if (!isShallowerThan(parsed, levels))
    return fail(`nested deeper than ${limits.jsonDepth} levels`, requestIdOf(parsed));
  return decodeEnvelopeObject(parsed);
}

/** A frame that is already an object, as `host-response.result` is. */
export function decodeEnvelopeObject(value: unknown): Decoded<Envelope> {
  const envelope = readEnvelope(value);
  return typeof envelope === "string" ? fail(envelope, requestIdOf(value)) : { ok: true, value: envelope };
}

/** Check an envelope's payload against a row's schema, which is made on first use. */
export function decodePayload<S extends z.ZodType>(
  schema: Schema<S>,
  envelope: Envelope,
): Decoded<z.output<S>> {
  const read = schema.read(envelope.payload);
  if (read !== undefined) return { ok: true, value: read.value };
  const { error } = schema().safeParse(envelope.payload);
  return fail(`${envelope.type}: ${firstIssue(error, "payload")}`, envelope.requestId);
}

/** The reply of an action, typed by its row. */
export function decodeReply<Name extends ActionName>(
  name: Name,
  envelope: Envelope,
): Decoded<ActionResult<Name>> {
  const instance = name === "queryDataModel" ? quickInstance(envelope.payload) : undefined;
  const schema: Schema<z.ZodType> = actions[name].result;
  const decoded: Decoded<unknown> =
    instance === undefined ? decodePayload(schema, envelope) : { ok: true, value: { instance } };
  // The row of `name` fixes the output type; TypeScript cannot follow that through the index.
  return decoded as Decoded<ActionResult<Name>>;
}

function quickInstance(payload: unknown): DataModelInstance | undefined {
  if (typeof payload !== "object" || payload === null || !("instance" in payload)) return undefined;
  return readDataModelInstance(payload.instance);
}

export function encode(message: Envelope): string {
  const { type, sessionId, requestId, protocolVersion, failed, payload } = message;
  return JSON.stringify({ type, sessionId, requestId, protocolVersion, failed, payload });
}

/** Every message type and the schema of its payload, for documentation, golden files and conformance checks. */
export function messageSchemas(): ReadonlyMap<string, Schema<z.ZodType>> {
  const schemas = new Map<string, Schema<z.ZodType>>();
  for (const table of [handshake, events, network]) {
    for (const [type, message] of Object.entries(table)) schemas.set(type, message.payload);
  }
  for (const [type, action] of Object.entries(actions)) {
    schemas.set(type, action.request);
    schemas.set(action.reply, action.result);
  }
  return schemas;
}

function fail(message: string, requestId?: string): { ok: false; fault: Fault } {
  const fault = { code: "INVALID_PAYLOAD", message } as const;
  return { ok: false, fault: requestId === undefined ? fault : { ...fault, requestId } };
}

function requestIdOf(frame: unknown): string | undefined {
  if (typeof frame !== "object" || frame === null || !("requestId" in frame)) return undefined;
  return isRequestId(frame.requestId) ? frame.requestId : undefined;
}

function firstIssue(error: z.ZodError | undefined, prefix: string): string {
  const issue = error?.issues[0];
  if (issue === undefined) return "malformed";
  const path = [prefix, ...issue.path.map(String)].filter((segment) => segment !== "").join(".");
  return path === "" ? issue.message : `${path}: ${issue.message}`;
}

/** Walks what `JSON.parse` made, so every member is its own and there are no cycles. Runs over every frame: no copies. */
function isShallowerThan(value: unknown, levels: number): boolean {
  if (typeof value !== "object" || value === null) return true;
  if (levels === 0) return false;
  if (Array.isArray(value)) {
    for (let index = 0; index < value.length; index += 1)
      if (!isShallowerThan(value[index], levels - 1)) return false;
    return true;
  }
  // Reflect.get would need no cast, and takes 1.5 times as long.
  const members = value as Record<string, unknown>;
  for (const name in members) if (!isShallowerThan(members[name], levels - 1)) return false;
  return true;
}
