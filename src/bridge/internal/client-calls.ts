/**
 * Calls under way on the client: sent, fed with output and chunks, cancelled, and ended exactly once. A frame for a call
 * that has ended is dropped.
 */
import { actions } from "../../protocol/actions.ts";
import { decodeEnvelope, decodeEnvelopeObject, decodePayload } from "../../protocol/codec.ts";
import type { Fault } from "../../protocol/codec.ts";
import type { Envelope } from "../../protocol/envelope.ts";
import { StudioBridgeError } from "../../protocol/errors.ts";
import type { Outcome } from "../../protocol/errors.ts";
import { events } from "../../protocol/events.ts";
import { intervals } from "../../protocol/limits.ts";
import * as messages from "../../protocol/messages.ts";
import { network } from "../../protocol/network.ts";
import type { CallStart, ClientState, PendingCall } from "./client-state.ts";
import { frame } from "./frames.ts";

/** How long an aborted call waits for the plugin to say what became of it. */
const CANCEL_PATIENCE_MS = 1_500;

export function startCall(client: ClientState, start: CallStart): void {
  const { requestId, sessionId, action, payload, timeoutMs } = start;
  const call = addCall(client, requestId, sessionId, action, timeoutMs);
  if (client.phase !== "ready") return failCall(client, call, messages.hostLost("not_started"));
  const request = { requestId, targetSessionId: sessionId, timeoutMs, action: { type: action, payload } };
  client.effects.push({ type: "send", text: frame("host-envelope", request, { requestId }) });
}

export function startList(client: ClientState, requestId: string, timeoutMs: number): void {
  const call = addCall(client, requestId, "", "list-sessions", timeoutMs);
  if (client.phase !== "ready") return failCall(client, call, messages.hostLost("not_started"));
  client.effects.push({ type: "send", text: frame("list-sessions", {}, { requestId }) });
}

function addCall(
  client: ClientState,
  requestId: string,
  sessionId: string,
  action: PendingCall["action"],
  timeoutMs: number,
): PendingCall {
  // The host answers by then; this is for a host that no longer does.
  const giveUpAtMs = client.nowMs + timeoutMs + intervals.deadlineSlackMs;
  const call: PendingCall = {
    requestId,
    sessionId,
    action,
    timeoutMs,
    giveUpAtMs,
    isCancelled: false,
    nextSeq: 0,
    chunks: new Map(),
  };
  client.calls.set(requestId, call);
  client.dueAtMs = Math.min(client.dueAtMs, giveUpAtMs);
  return call;
}

/** Asks for the call to be cancelled; its end is still whatever really happened. */
export function abortCall(client: ClientState, requestId: string): void {
  const call = client.calls.get(requestId);
  if (call === undefined || call.isCancelled) return;
  call.isCancelled = true;
  call.giveUpAtMs = Math.min(call.giveUpAtMs, client.nowMs + CANCEL_PATIENCE_MS);
  client.dueAtMs = Math.min(client.dueAtMs, call.giveUpAtMs);
  const action = { type: "cancel", payload: {} };
  const request = { requestId, targetSessionId: call.sessionId, action };
  client.effects.push({ type: "send", text: frame("host-envelope", request, { requestId }) });
}

export function expireCalls(client: ClientState): void {
  client.dueAtMs = Infinity;
  for (const call of client.calls.values()) {
    if (client.nowMs < call.giveUpAtMs) client.dueAtMs = Math.min(client.dueAtMs, call.giveUpAtMs);
    else if (call.isCancelled) failCall(client, call, messages.cancelled("unknown"));
    else failCall(client, call, timeoutOf(call));
  }
}

function timeoutOf(call: PendingCall): StudioBridgeError {
  if (call.action !== "list-sessions") return messages.timedOut(call.action, call.timeoutMs, "unknown");
  return new StudioBridgeError("TIMEOUT", "The bridge host did not answer in time.");
}

export function failCall(client: ClientState, call: PendingCall, error: StudioBridgeError): void {
  client.calls.delete(call.requestId);
  client.effects.push({ type: "failed", requestId: call.requestId, error });
}

/** `host-response`, `list-sessions-response`, or the host's own `error`. */
export function receiveResponse(client: ClientState, envelope: Envelope): void {
  if (envelope.type !== "host-response") {
    const call = envelope.requestId === undefined ? undefined : client.calls.get(envelope.requestId);
    if (call !== undefined) receiveResult(client, call, envelope);
    return;
  }
  const decoded = decodePayload(network["host-response"].payload, envelope);
  if (!decoded.ok) return;
  const call = client.calls.get(decoded.value.requestId);
  if (call === undefined) return;
  const result = decodeEnvelopeObject(decoded.value.result);
  if (result.ok) receiveResult(client, call, result.value);
  else failWith(client, call, result.fault, "ran_reply_lost");
}

/** One frame about the call: progress, or its end. */
function receiveResult(client: ClientState, call: PendingCall, envelope: Envelope): void {
  switch (envelope.type) {
    case "output":
      return receiveOutput(client, call, envelope);
    case "running":
      return;
    case "chunk":
      return receiveChunk(client, call, envelope);
    case "error": {
      const decoded = decodePayload(events.error.payload, envelope);
      if (decoded.ok) failCall(client, call, messages.errorFromWire(decoded.value));
      else failWith(client, call, decoded.fault, "unknown");
      return;
    }
    case replyOf(call):
      client.calls.delete(call.requestId);
      client.effects.push({ type: "reply", requestId: call.requestId, envelope });
  }
}

function replyOf(call: PendingCall): string {
  return call.action === "list-sessions" ? "list-sessions-response" : actions[call.action].reply;
}

/** Lines that came before the link was renewed may come again behind it; numbered ones are passed on once. */
function receiveOutput(client: ClientState, call: PendingCall, envelope: Envelope): void {
  const decoded = decodePayload(events.output.payload, envelope);
  if (!decoded.ok) return failWith(client, call, decoded.fault, "unknown");
  const seq = decoded.value.seq ?? call.nextSeq;
  const fresh = decoded.value.messages.slice(Math.max(0, call.nextSeq - seq));
  call.nextSeq = Math.max(call.nextSeq, seq + decoded.value.messages.length);
  if (fresh.length > 0) client.effects.push({ type: "output", requestId: call.requestId, messages: fresh });
}

function receiveChunk(client: ClientState, call: PendingCall, envelope: Envelope): void {
  const decoded = decodePayload(events.chunk.payload, envelope);
  if (!decoded.ok) return failWith(client, call, decoded.fault, "ran_reply_lost");
  const { seq, total, data } = decoded.value;
  // A plugin that lost its link in the middle starts over.
  if (seq === 0) call.chunks.clear();
  call.chunks.set(seq, data);
  if (seq < total - 1) return;
  const text = call.chunks.size === total ? joinChunks(call.chunks, total) : undefined;
  call.chunks.clear();
  const joined = text === undefined ? undefined : decodeEnvelope(text);
  if (joined?.ok === true && (joined.value.type === replyOf(call) || joined.value.type === "error"))
    return receiveResult(client, call, joined.value);
  const fault = { code: "INVALID_PAYLOAD", message: "A large reply did not arrive whole." } as const;
  failWith(client, call, fault, "ran_reply_lost");
}

function joinChunks(chunks: ReadonlyMap<number, string>, total: number): string {
  return Array.from({ length: total }, (_, seq) => chunks.get(seq) ?? "").join("");
}

function failWith(client: ClientState, call: PendingCall, fault: Fault, outcome: Outcome): void {
  failCall(client, call, new StudioBridgeError(fault.code, fault.message, { outcome }));
}

export function receivePush(client: ClientState, envelope: Envelope): void {
  const decoded = decodePayload(network["session-push"].payload, envelope);
  const inner = decoded.ok ? decodeEnvelopeObject(decoded.value.frame) : undefined;
  if (decoded.ok && inner?.ok === true)
    client.effects.push({ type: "push", sessionId: decoded.value.sessionId, envelope: inner.value });
}
