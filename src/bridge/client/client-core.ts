/**
 * The client's side of the bridge without sockets and clocks. It outlives its links: every call gets exactly one end,
 * whether the host stays, moves or dies, and a script never starts twice. Events go in with the time, effects come out.
 */
import { decodeEnvelope, decodePayload, wrappedFrameLevels } from "../../protocol/codec.ts";
import type { Envelope } from "../../protocol/envelope.ts";
import { StudioBridgeError } from "../../protocol/errors.ts";
import { hostLost } from "../../protocol/messages.ts";
import { network } from "../../protocol/network.ts";
import type { SessionInfo } from "../../protocol/network.ts";
import {
  abortCall,
  dropFarewells,
  expireCalls,
  failCall,
  sendCalls,
  startCall,
  startList,
} from "./client-calls.ts";
import { receiveResponse } from "./client-replies.ts";
import { hearSessionEvent, learnSessions, restore } from "./client-sessions.ts";
import { receivePush, receivePushDropped } from "./client-subscriptions.ts";
import type { ClientEffect, ClientEvent, ClientState } from "./client-state.ts";
import { forgiveSleep, hearHost, watchHost } from "./client-watch.ts";

export { createClientState } from "./client-state.ts";
export type { CallStart, ClientConfig, ClientEffect, ClientEvent, ClientState } from "./client-state.ts";
export { knownSessions } from "./client-sessions.ts";
export type { Listing, SessionEvent } from "./client-state.ts";

/** Changes `client` and returns the effects for the caller to carry out, in order. */
export function step(client: ClientState, event: ClientEvent, nowMs: number): ClientEffect[] {
  client.nowMs = nowMs;
  if (event.type === "tick") forgiveSleep(client, client.dueAtMs);
  if (event.type === "frame" || event.type === "attached" || event.type === "detached") hearHost(client);
  handle(client, event);
  watchHost(client);
  const effects = client.effects;
  client.effects = [];
  return effects;
}

/** The latest time at which the caller must send the next `tick`. */
export function nextDueAt(client: ClientState): number {
  return client.dueAtMs;
}

function handle(client: ClientState, event: ClientEvent): void {
  switch (event.type) {
    case "attached":
      return attach(client, event.sessions);
    case "frame":
      return receive(client, event.text);
    case "detached":
      return detach(client);
    case "lost":
      return lose(client);
    case "call":
      return startCall(client, event.call);
    case "list":
      return startList(client, event.callId, event.timeoutMs);
    case "abort":
      return abortCall(client, event.callId);
    case "tick":
      return expireCalls(client);
  }
}

function attach(client: ClientState, sessions: readonly SessionInfo[] | undefined): void {
  client.phase = "attached";
  client.attachments += 1;
  // The next host has just begun to learn about sessions, so tell it which ones to wait for.
  if (client.attachments > 1) restore(client);
  else if (sessions !== undefined) learnSessions(client, sessions);
  sendCalls(client);
}

function detach(client: ClientState): void {
  if (client.phase === "over") return;
  client.phase = "detached";
  client.isListed = false;
  for (const call of client.calls.values()) {
    call.isSent = false;
    call.isAskedAbout = false;
    if (call.isOwn) failCall(client, call, hostLost("not_started"));
  }
  dropFarewells(client);
}

function lose(client: ClientState): void {
  client.phase = "over";
  client.isListed = false;
  for (const call of client.calls.values())
    failCall(client, call, hostLost(call.mayHaveStarted ? "unknown" : "not_started"));
}

function receive(client: ClientState, text: string): void {
  if (client.phase !== "attached" && client.phase !== "leaving") return;
  const decoded = decodeEnvelope(text, wrappedFrameLevels);
  if (decoded.ok) return receiveEnvelope(client, decoded.value);
  const { requestId, message } = decoded.fault;
  const call = requestId === undefined ? undefined : client.byRequestId.get(requestId);
  if (call === undefined) return;
  failCall(client, call, new StudioBridgeError("INVALID_PAYLOAD", message, { outcome: "ran_reply_lost" }));
}

function receiveEnvelope(client: ClientState, envelope: Envelope): void {
  switch (envelope.type) {
    case "host-response":
    case "list-sessions-response":
    case "error":
      return receiveResponse(client, envelope);
    case "session-push":
      return receivePush(client, envelope);
    case "session-event": {
      const decoded = decodePayload(network["session-event"].payload, envelope);
      if (decoded.ok) hearSessionEvent(client, decoded.value);
      return;
    }
    case "push-dropped":
      return receivePushDropped(client, envelope);
    case "host-transfer":
      // The host still answers calls in progress; new calls wait for the next host.
      client.phase = "leaving";
  }
}
