/** What the host says about calls: output, chunks, and the one end. Frames for a call that has ended are dropped. */
import { actions, runsOnce } from "../../protocol/actions.ts";
import { decodeEnvelope, decodeEnvelopeObject, decodePayload } from "../../protocol/codec.ts";
import type { Fault } from "../../protocol/codec.ts";
import type { Envelope } from "../../protocol/envelope.ts";
import { StudioBridgeError } from "../../protocol/errors.ts";
import type { Outcome } from "../../protocol/errors.ts";
import { events } from "../../protocol/events.ts";
import * as messages from "../../protocol/messages.ts";
import { network } from "../../protocol/network.ts";
import { untilIn } from "../wire/deadline.ts";
import { endCall, failCall, holdCall, releaseCall, sendCalls, takeBack } from "./client-calls.ts";
import { hearListing } from "./client-sessions.ts";
import { noteSubscription } from "./client-subscriptions.ts";
import type { Call, ClientState } from "./client-state.ts";

/** `host-response`, `list-sessions-response`, or the host's own `error`. */
export function receiveResponse(client: ClientState, envelope: Envelope): void {
  if (envelope.type !== "host-response") {
    const call = envelope.requestId === undefined ? undefined : client.byRequestId.get(envelope.requestId);
    if (call !== undefined) receiveResult(client, call, envelope);
    return;
  }
  const decoded = decodePayload(network["host-response"].payload, envelope);
  if (!decoded.ok) return;
  const call = client.byRequestId.get(decoded.value.requestId);
  if (call === undefined) return;
  const result = decodeEnvelopeObject(decoded.value.result);
  const { hostMs } = decoded.value;
  if (result.ok)
    receiveResult(client, call, hostMs === undefined ? result.value : { ...result.value, hostMs });
  else failWith(client, call, result.fault, "ran_reply_lost");
}

/** Handles one frame of the call: progress, or its end. */
function receiveResult(client: ClientState, call: Call, envelope: Envelope): void {
  const wasAskedAbout = call.isAskedAbout;
  call.isAskedAbout = false;
  if (wasAskedAbout && isRefusedQuestion(envelope)) failCall(client, call, messages.hostLost("unknown"));
  else takeFrame(client, call, envelope);
  if (wasAskedAbout) sendCalls(client);
}

/** True if the host or the plugin refused the question itself; that says nothing about the fate of the script. */
function isRefusedQuestion(envelope: Envelope): boolean {
  const decoded = envelope.type === "error" ? decodePayload(events.error.payload, envelope) : undefined;
  return decoded?.ok === true && questionRefusals.includes(decoded.value.code);
}

const questionRefusals: readonly string[] = [
  "UNKNOWN_REQUEST",
  "TOO_MANY_REQUESTS",
  "SESSION_NOT_FOUND",
  "INVALID_PAYLOAD",
];

function takeFrame(client: ClientState, call: Call, envelope: Envelope): void {
  if (envelope.type === "held") return holdCall(client, call, untilIn(envelope.payload));
  releaseCall(client, call);
  switch (envelope.type) {
    case "output":
      return receiveOutput(client, call, envelope);
    case "inputWanted":
      return receiveInputWanted(client, call, envelope);
    case "running":
      return;
    case "chunk":
      return receiveChunk(client, call, envelope);
    case "error":
      return receiveError(client, call, envelope);
    case replyOf(call):
      return receiveReply(client, call, envelope);
  }
}

function replyOf(call: Call): string {
  return call.action === "list-sessions" ? "list-sessions-response" : actions[call.action].reply;
}

function receiveReply(client: ClientState, call: Call, envelope: Envelope): void {
  if (call.action === "list-sessions") {
    const decoded = decodePayload(network["list-sessions-response"].payload, envelope);
    if (!decoded.ok) return failWith(client, call, decoded.fault, "unknown");
    endCall(client, call);
    return hearListing(client, call, decoded.value);
  }
  endCall(client, call);
  if (call.action === "subscribe") noteSubscription(client, call);
  if (!call.isOwn) client.effects.push({ type: "reply", callId: call.callId, envelope });
}

function receiveError(client: ClientState, call: Call, envelope: Envelope): void {
  const decoded = decodePayload(events.error.payload, envelope);
  if (!decoded.ok) return failWith(client, call, decoded.fault, "unknown");
  const { code, outcome } = decoded.value;
  // This does not end the call: the next host may answer, and a call that never arrived can be sent again.
  if (code === "HOST_CLOSING") {
    client.phase = "leaving";
    return takeBack(client, call, outcome !== "not_started");
  }
  if (code === "NOT_RECEIVED" && call.action !== "list-sessions" && runsOnce(call.action))
    return takeBack(client, call, false);
  failCall(client, call, messages.errorFromWire(decoded.value));
}

/** Passes output on once: lines from before the link was renewed may be repeated, and their numbers show which. */
function receiveOutput(client: ClientState, call: Call, envelope: Envelope): void {
  const decoded = decodePayload(events.output.payload, envelope);
  if (!decoded.ok) return failWith(client, call, decoded.fault, "unknown");
  const seq = decoded.value.seq ?? call.nextSeq;
  const fresh = decoded.value.messages.slice(Math.max(0, call.nextSeq - seq));
  call.nextSeq = Math.max(call.nextSeq, seq + decoded.value.messages.length);
  if (fresh.length > 0) client.effects.push({ type: "output", callId: call.callId, messages: fresh });
}

function receiveInputWanted(client: ClientState, call: Call, envelope: Envelope): void {
  const decoded = decodePayload(events.inputWanted.payload, envelope);
  if (!decoded.ok) return failWith(client, call, decoded.fault, "unknown");
  const wanted = { scriptId: call.requestId, seq: decoded.value.seq };
  client.effects.push({ type: "input-wanted", callId: call.callId, wanted });
}

function receiveChunk(client: ClientState, call: Call, envelope: Envelope): void {
  const decoded = decodePayload(events.chunk.payload, envelope);
  if (!decoded.ok) return failWith(client, call, decoded.fault, "ran_reply_lost");
  const { seq, total, data } = decoded.value;
  // A plugin that lost its link in the middle of a reply sends it again from the first chunk.
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

function failWith(client: ClientState, call: Call, fault: Fault, outcome: Outcome): void {
  failCall(client, call, new StudioBridgeError(fault.code, fault.message, { outcome }));
}
