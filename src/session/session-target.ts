/** The input that every command on a session shares: which session, and for how long. */
import { contextSchema } from "../protocol/fields/contexts.ts";
import { defineSchema } from "../protocol/schema.ts";
import type { OutputOf } from "../protocol/schema.ts";

/** The longest time a timer takes. */
export const TIMEOUT_LIMIT_MS = 2 ** 31 - 1;

export const sessionTargetSchema = defineSchema((z) =>
  z.strictObject({
    sessionId: z
      .string()
      .min(1, "expected a session id")
      .optional()
      .describe("Session id or its first characters, or the name of its place"),
    instanceId: z
      .string()
      .min(1, "expected an instance id")
      .optional()
      .describe("Studio instance id, or its first characters"),
    context: contextSchema(z)
      .optional()
      .describe("Context to use while Studio plays: edit, server or client"),
    player: z
      .string()
      .min(1, "expected a player's name or number")
      .optional()
      .describe("Which client, by player name or number"),
    timeoutMs: z
      .int("expected a whole number of milliseconds")
      .min(1, "expected at least 1 millisecond")
      .max(TIMEOUT_LIMIT_MS, `expected at most ${TIMEOUT_LIMIT_MS} milliseconds`)
      .optional()
      .describe("Give up after this many milliseconds"),
  }),
);
export type SessionTarget = OutputOf<typeof sessionTargetSchema>;

/** The flat input of a session command, taken apart. */
export function splitSessionTarget(rawInput: unknown): { readonly target: unknown; readonly own: unknown } {
  if (typeof rawInput !== "object" || rawInput === null || Array.isArray(rawInput))
    return { target: {}, own: rawInput };
  const entries = Object.entries(rawInput);
  const targetKeys = sessionTargetSchema.keys();
  return {
    target: Object.fromEntries(entries.filter(([key]) => targetKeys.includes(key))),
    own: Object.fromEntries(entries.filter(([key]) => !targetKeys.includes(key))),
  };
}
