/**
 * The envelope of every frame, and the rules for reading one. actions.ts, events.ts and network.ts define the payloads.
 */
import type { z } from "zod";
import { defineSchema } from "./schema.ts";
import type { Zod } from "./schema.ts";

/** Luau writes an empty table as `[]`, so an empty array stands for an empty object wherever one is due. */
const emptyArrayAsObject = (value: unknown): unknown =>
  Array.isArray(value) && value.length === 0 ? {} : value;

/** A string-keyed map that also takes Luau's `[]`. */
export function mapOf<Value extends z.ZodType>(z: Zod, value: Value) {
  return z.preprocess(emptyArrayAsObject, z.record(z.string(), value));
}

export const requestIdSchema = defineSchema((z) => z.string().min(1).max(128));

export interface Envelope {
  readonly type: string;
  /** Empty before `registered` and on the client link. */
  readonly sessionId: string;
  readonly requestId?: string;
  /** On `hello` and `welcome` only; absent means 1. */
  readonly protocolVersion?: number;
  /** In replies of a plugin only: what was asked for ran and failed, such as a script that raised an error. */
  readonly failed?: boolean;
  /** Not of the frame: how long the host had the request, where it has said so. */
  readonly hostMs?: number;
  readonly payload: unknown;
}

const isText = (value: unknown, limit: number): value is string =>
  typeof value === "string" && value.length <= limit;
const isVersion = (value: unknown): value is number =>
  typeof value === "number" && Number.isSafeInteger(value) && value >= 0;

/** The envelope of a frame, or what is wrong with it and where. By hand, because every frame passes here. */
export function readEnvelope(frame: unknown): Envelope | string {
  if (typeof frame !== "object" || frame === null || Array.isArray(frame)) return "expected object";
  const {
    type,
    sessionId = "",
    requestId,
    protocolVersion,
    failed,
    payload = {},
  }: Partial<Record<keyof Envelope, unknown>> = frame;
  if (!isText(type, 64) || type === "") return "type: expected 1 to 64 characters";
  if (!isText(sessionId, 128)) return "sessionId: expected at most 128 characters";
  if (requestId !== undefined && !isRequestId(requestId)) return "requestId: expected 1 to 128 characters";
  if (protocolVersion !== undefined && !isVersion(protocolVersion))
    return "protocolVersion: expected a whole number";
  const envelope: { -readonly [Field in keyof Envelope]: Envelope[Field] } = {
    type,
    sessionId,
    payload: emptyArrayAsObject(payload),
  };
  if (requestId !== undefined) envelope.requestId = requestId;
  if (protocolVersion !== undefined) envelope.protocolVersion = protocolVersion;
  if (failed === true) envelope.failed = failed;
  return envelope;
}

export const isRequestId = (value: unknown): value is string => isText(value, 128) && value !== "";
