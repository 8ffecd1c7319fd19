/** The input that every command on a session shares: which session, and for how long. */
import { z } from "zod";
import { contextSchema } from "../protocol/actions.ts";

export const timeoutMsSchema = z
  .int("expected a whole number of milliseconds")
  .min(1, "expected at least 1 millisecond")
  .max(2_147_483_647, "expected at most 2147483647 milliseconds");

export const sessionTargetSchema = z.strictObject({
  sessionId: z
    .string()
    .min(1, "expected a session id")
    .optional()
    .describe("Session id, or its first characters"),
  instanceId: z
    .string()
    .min(1, "expected an instance id")
    .optional()
    .describe("Studio instance id, or its first characters"),
  context: contextSchema.optional().describe("Context to use while Studio plays: edit, server or client"),
  player: z
    .string()
    .min(1, "expected a player's name or number")
    .optional()
    .describe("Which client, by player name or number"),
  timeoutMs: timeoutMsSchema.optional().describe("Give up after this many milliseconds"),
});
export type SessionTarget = z.output<typeof sessionTargetSchema>;

const targetKeys = Object.keys(sessionTargetSchema.shape);

/** The flat input of a session command, taken apart. */
export function splitSessionTarget(rawInput: unknown): { readonly target: unknown; readonly own: unknown } {
  if (typeof rawInput !== "object" || rawInput === null || Array.isArray(rawInput))
    return { target: {}, own: rawInput };
  const entries = Object.entries(rawInput);
  return {
    target: Object.fromEntries(entries.filter(([key]) => targetKeys.includes(key))),
    own: Object.fromEntries(entries.filter(([key]) => !targetKeys.includes(key))),
  };
}
