/**
 * The first moments of a host that replaced another. Plugins need a moment to find it, so the host waits for the
 * sessions that clients have seen before: it keeps requests to them, and does not answer the list of sessions yet.
 */
import { decodePayload } from "../../protocol/codec.ts";
import type { Envelope } from "../../protocol/envelope.ts";
import { limits } from "../../protocol/limits.ts";
import * as messages from "../../protocol/messages.ts";
import { network } from "../../protocol/network.ts";
import { wakeForPeerBy } from "./host-state.ts";
import type { HostState } from "./host-state.ts";
import { endRequest } from "./pending-requests.ts";
import { answerLists } from "./session-list.ts";

/** Plugins look for a host every half second, so those that still run are back by then. */
const RETURN_MS = 3_000;
/** After this time a session that is not back has ended. */
const YOUNG_MS = 10_000;

/** Handles a client's `host-ready`. */
export function expectSessions(host: HostState, envelope: Envelope): void {
  const decoded = decodePayload(network["host-ready"].payload, envelope);
  if (!decoded.ok || host.nowMs - host.startedAtMs > YOUNG_MS) return;
  expectReturn(host, decoded.value.sessionIds);
}

export function expectReturn(host: HostState, sessionIds: readonly string[]): void {
  for (const sessionId of sessionIds) {
    const isKnown =
      host.sessions.has(sessionId) || host.endedSessions.has(sessionId) || host.expected.has(sessionId);
    if (isKnown || host.expected.size >= limits.sessions) continue;
    host.expected.set(sessionId, host.nowMs + RETURN_MS);
    wakeForPeerBy(host, host.nowMs + RETURN_MS);
  }
}

export function noticeReturn(host: HostState, sessionId: string): void {
  host.expected.delete(sessionId);
  answerLists(host);
}

export function expireExpected(host: HostState): void {
  for (const [sessionId, dueAtMs] of host.expected) {
    if (host.nowMs < dueAtMs) continue;
    host.expected.delete(sessionId);
    // A script that never yields keeps its plugin from coming back, so the host waits for its session until the
    // script's deadline.
    for (const pending of host.pending.values())
      if (pending.sessionId === sessionId && !pending.isDelivered)
        endRequest(host, pending, messages.sessionGone(sessionId, "not_started"));
  }
  answerLists(host);
}
