/** Which calls of a journal a reader wants, and what it is told of each. */
import { defineSchema } from "../protocol/schema.ts";
import type { OutputOf } from "../protocol/schema.ts";
import type { JournaledCall } from "./read.ts";

export interface CallWishes {
  readonly sinceMs?: number | undefined;
  /** A part of the client's name. */
  readonly client?: string | undefined;
  /** The beginning of a session's id, or a part of its place's name. */
  readonly session?: string | undefined;
  readonly failed?: boolean;
  readonly changes?: boolean;
  /** Looked for in what was asked. */
  readonly pattern?: RegExp | undefined;
}

/** Calls that ended otherwise than well; those that still run are none of them. */
export const hasFailed = ({ outcome }: JournaledCall): boolean =>
  outcome === "failed" || outcome === "error" || outcome === "unknown";

export function choosesCall(wishes: CallWishes): (call: JournaledCall) => boolean {
  const { sinceMs = Number.NEGATIVE_INFINITY, client, session, failed, changes, pattern } = wishes;
  const holds = (text: string, part: string) => text.toLowerCase().includes(part.toLowerCase());
  return (call) =>
    call.at >= sinceMs &&
    (client === undefined || holds(call.client, client)) &&
    (session === undefined ||
      call.sessionId.startsWith(session) ||
      holds(call.session?.placeName ?? "", session)) &&
    (failed !== true || hasFailed(call)) &&
    (changes !== true || call.changes) &&
    (pattern === undefined || pattern.test(`${call.summary} ${call.action}`));
}

/** Those that an agent may see: its own, and those of others in the places that it has worked in. */
export function visibleTo(callerId: string, calls: readonly JournaledCall[]): JournaledCall[] {
  const placeOf = ({ session, sessionId }: JournaledCall): string => {
    if (session === undefined) return sessionId;
    return session.placeId > 0 ? `place ${session.placeId}` : `window ${session.instanceId}`;
  };
  const own = new Set(calls.filter(({ clientId }) => clientId === callerId).map(placeOf));
  return calls.filter((call) => call.clientId === callerId || own.has(placeOf(call)));
}

export const shownCallSchema = defineSchema((z) =>
  z.object({
    at: z.iso.datetime(),
    client: z.string(),
    session: z.string(),
    action: z.string(),
    summary: z.string(),
    /** Absent while it runs, and where the host was killed before it ended. */
    ms: z.number().optional(),
    outcome: z.enum(["ok", "failed", "error", "left", "running", "unknown"]),
    code: z.string().optional(),
    changes: z.boolean(),
  }),
);
export type ShownCall = OutputOf<typeof shownCallSchema>;

export function shownCall(call: JournaledCall): ShownCall {
  const { at, client, sessionId: session, action, summary, ms, outcome, code, changes } = call;
  return {
    at: new Date(at).toISOString(),
    ...{ client, session, action, summary },
    ...(ms === undefined ? {} : { ms }),
    outcome,
    ...(code === undefined ? {} : { code }),
    changes,
  };
}
