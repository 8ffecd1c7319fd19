/**
 * The envelope every frame wears, and the rules for reading one. What the payload of a type looks like is the
 * business of actions.ts, events.ts and network.ts.
 */
import * as z from "zod";

// Zod would compile a parser per schema on its first use, 1 to 5 ms each; a command parses most schemas once.
z.config({ jitless: true });

/** Luau writes an empty table as `[]`, so an empty array stands for an empty object wherever one is due. */
export const emptyArrayAsObject = (value: unknown): unknown =>
  Array.isArray(value) && value.length === 0 ? {} : value;

/** A string-keyed map that also takes Luau's `[]`. */
export function mapOf<Value extends z.ZodType>(value: Value) {
  return z.preprocess(emptyArrayAsObject, z.record(z.string(), value));
}

export const requestIdSchema = z.string().min(1).max(128);

export interface Envelope {
  readonly type: string;
  /** Empty before `registered` and on the client link. */
  readonly sessionId: string;
  readonly requestId?: string;
  /** On `hello` and `welcome` only; absent means 1. */
  readonly protocolVersion?: number;
  readonly payload: unknown;
}

export const envelopeSchema = z.object({
  type: z.string().min(1).max(64),
  sessionId: z.string().max(128).default(""),
  requestId: requestIdSchema.optional(),
  protocolVersion: z.int().nonnegative().optional(),
  payload: z
    .unknown()
    .optional()
    .transform((value) => (value === undefined ? {} : emptyArrayAsObject(value))),
});
