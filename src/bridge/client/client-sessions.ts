/**
 * The sessions behind the host as this client knows them, across hosts. The client asks the next host for its
 * subscriptions again, and tells its listeners which sessions came and went in between.
 */
import type { SessionInfo } from "../../protocol/network.ts";
import { RESTORE_TIMEOUT_MS, startCall, startList } from "./client-calls.ts";
import { send } from "./client-state.ts";
import type { Call, ClientState, Listing, SessionEvent } from "./client-state.ts";
import { frame } from "../wire/frames.ts";

/** The first messages to the next host. */
export function restore(client: ClientState): void {
  const waitedFor = [...client.calls.values()].map(({ sessionId }) => sessionId).filter((id) => id !== "");
  const known = new Set([...client.sessions.keys(), ...client.subscriptions.keys(), ...waitedFor]);
  send(client, frame("host-ready", { sessionIds: [...known] }));
  for (const sessionId of client.subscriptions.keys()) resubscribe(client, sessionId);
  startList(client, "", RESTORE_TIMEOUT_MS);
}

function resubscribe(client: ClientState, sessionId: string): void {
  const wanted = client.subscriptions.get(sessionId)?.events ?? new Set();
  const isAsked = [...client.calls.values()].some(
    (call) => call.action === "subscribe" && call.sessionId === sessionId,
  );
  if (wanted.size === 0 || isAsked) return;
  const callId = client.config.randomHex(16);
  const payload = { events: [...wanted] };
  const call = { callId, sessionId, action: "subscribe", payload, timeoutMs: RESTORE_TIMEOUT_MS } as const;
  startCall(client, call, true);
}

/** Every session of the present host; undefined until the host has listed them. */
export function knownSessions(client: ClientState, nowMs: number): SessionInfo[] | undefined {
  if (!client.isListed) return undefined;
  return [...client.sessions.values()].map(({ info, heardAtMs }) => ({
    ...info,
    uptimeMs: info.uptimeMs + Math.round(nowMs - heardAtMs),
  }));
}

export function learnSessions(client: ClientState, sessions: readonly SessionInfo[]): void {
  client.sessions.clear();
  for (const session of sessions) learnSession(client, session);
  client.isListed = true;
}

function learnSession(client: ClientState, info: SessionInfo): void {
  client.sessions.set(info.sessionId, { info, heardAtMs: client.nowMs });
}

/**
 * Compares the answer to the client's own `list-sessions` with what it knew, and reports what changed while there was
 * no link.
 */
export function hearListing(client: ClientState, { callId, isOwn }: Call, listing: Listing): void {
  const before = new Map(client.sessions);
  learnSessions(client, listing.sessions);
  if (!isOwn) {
    client.effects.push({ type: "listed", callId, listing });
    return;
  }
  for (const session of listing.sessions)
    if (!before.has(session.sessionId)) tell(client, { event: "connected", session });
  for (const [sessionId, { info }] of before)
    if (!client.sessions.has(sessionId)) tell(client, { event: "disconnected", session: info });
}

export function hearSessionEvent(client: ClientState, event: SessionEvent): void {
  const { sessionId } = event.session;
  const isKnown = client.sessions.has(sessionId);
  if (event.event === "disconnected") {
    client.sessions.delete(sessionId);
    client.subscriptions.delete(sessionId);
  } else learnSession(client, event.session);
  // The session may come back after every waiting call has given up, so subscribe again at this point.
  if (event.event === "connected") resubscribe(client, sessionId);
  // A session that comes back to the next host is new only to that host; listeners hear of a change instead.
  tell(client, event.event === "connected" && isKnown ? { ...event, event: "state-changed" } : event);
}

function tell(client: ClientState, event: SessionEvent): void {
  if (event.event === "disconnected") client.subscriptions.delete(event.session.sessionId);
  client.effects.push({ type: "session-event", event });
}
