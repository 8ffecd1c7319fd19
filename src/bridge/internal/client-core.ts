/**
 * The client's side of the link without sockets and clocks: it proves itself, makes the host prove itself, and gives
 * every call exactly one end. Events go in with the time, effects come out.
 */
import { isSameProof } from "../../auth/index.ts";
import { decodeEnvelope, decodePayload, wrappedFrameLevels } from "../../protocol/codec.ts";
import type { Envelope } from "../../protocol/envelope.ts";
import { StudioBridgeError } from "../../protocol/errors.ts";
import { events, handshake } from "../../protocol/events.ts";
import { PROTOCOL_VERSION } from "../../protocol/limits.ts";
import { errorFromWire, hostLost } from "../../protocol/messages.ts";
import { network } from "../../protocol/network.ts";
import {
  abortCall,
  expireCalls,
  failCall,
  receiveResponse,
  receivePush,
  startCall,
  startList,
} from "./client-calls.ts";
import type { ClientEffect, ClientEvent, ClientState } from "./client-state.ts";
import { frame } from "./frames.ts";

export { createClientState } from "./client-state.ts";
export type { CallStart, ClientConfig, ClientEffect, ClientEvent, ClientState } from "./client-state.ts";

/** Changes `client` and returns what the world is to do, in order. */
export function step(client: ClientState, event: ClientEvent, nowMs: number): ClientEffect[] {
  client.nowMs = nowMs;
  handle(client, event);
  const effects = client.effects;
  client.effects = [];
  return effects;
}

/** When to send the next `tick`, at the latest. */
export function nextDueAt(client: ClientState): number {
  return client.dueAtMs;
}

function handle(client: ClientState, event: ClientEvent): void {
  switch (event.type) {
    case "opened":
      return sayHello(client);
    case "frame":
      return receive(client, event.text);
    case "closed":
      return lost(client);
    case "call":
      return startCall(client, event.call);
    case "list":
      return startList(client, event.requestId, event.timeoutMs);
    case "abort":
      return abortCall(client, event.requestId);
    case "tick":
      return expireCalls(client);
  }
}

function sayHello(client: ClientState): void {
  const { prover, nonceA } = client.config;
  const payload = { role: "client", nonceA, keyId: prover.keyId("client") } as const;
  client.phase = "hello";
  client.effects.push({
    type: "send",
    text: frame("hello", payload, { protocolVersion: PROTOCOL_VERSION }),
  });
}

function lost(client: ClientState): void {
  client.phase = "closed";
  for (const call of client.calls.values()) failCall(client, call, hostLost("unknown"));
}

function receive(client: ClientState, text: string): void {
  if (client.phase === "closed") return;
  const decoded = decodeEnvelope(text, wrappedFrameLevels);
  if (client.phase !== "ready") return decoded.ok ? greet(client, decoded.value) : distrust(client);
  if (decoded.ok) return receiveProven(client, decoded.value);
  const call = decoded.fault.requestId === undefined ? undefined : client.calls.get(decoded.fault.requestId);
  if (call !== undefined)
    failCall(
      client,
      call,
      new StudioBridgeError("INVALID_PAYLOAD", decoded.fault.message, { outcome: "ran_reply_lost" }),
    );
}

function greet(client: ClientState, envelope: Envelope): void {
  if (client.phase === "hello" && envelope.type === "challenge") return checkHost(client, envelope);
  if (client.phase === "auth" && envelope.type === "error") return refusedBy(client, envelope);
  const isWelcome = envelope.type === "welcome";
  const isExpected = client.phase === "auth" || (client.phase === "hello" && client.config.allowUnpaired);
  if (!isWelcome || !isExpected) return distrust(client);
  client.phase = "ready";
  client.effects.push({ type: "ready", hostId: client.hostId });
}

function checkHost(client: ClientState, envelope: Envelope): void {
  const decoded = decodePayload(handshake.challenge.payload, envelope);
  if (!decoded.ok) return distrust(client);
  const { nonceB, hostId, proof } = decoded.value;
  const { prover, port, nonceA } = client.config;
  const claim = { role: "client", port, nonceA, nonceB, hostId } as const;
  if (!isSameProof(prover.prove({ side: "host", ...claim }), proof)) return distrust(client);
  client.phase = "auth";
  client.hostId = hostId;
  const answer = frame("auth", { proof: prover.prove({ side: "peer", ...claim }) });
  client.effects.push({ type: "send", text: answer });
}

function refusedBy(client: ClientState, envelope: Envelope): void {
  const decoded = decodePayload(events.error.payload, envelope);
  if (!decoded.ok) return distrust(client);
  client.phase = "closed";
  client.effects.push({ type: "refused", error: errorFromWire(decoded.value) }, { type: "close" });
}

function distrust(client: ClientState): void {
  client.phase = "closed";
  client.effects.push({ type: "untrusted" }, { type: "close" });
}

function receiveProven(client: ClientState, envelope: Envelope): void {
  switch (envelope.type) {
    case "host-response":
    case "list-sessions-response":
    case "error":
      return receiveResponse(client, envelope);
    case "session-push":
      return receivePush(client, envelope);
    case "session-event": {
      const decoded = decodePayload(network["session-event"].payload, envelope);
      if (decoded.ok) client.effects.push({ type: "session-event", event: decoded.value });
      return;
    }
    case "push-dropped": {
      const decoded = decodePayload(network["push-dropped"].payload, envelope);
      if (!decoded.ok) return;
      const { sessionId, dropped } = decoded.value;
      client.effects.push({ type: "dropped", sessionId, count: dropped });
      return;
    }
    case "host-transfer": {
      const decoded = decodePayload(network["host-transfer"].payload, envelope);
      const reason = decoded.ok ? decoded.value.reason : "unknown";
      client.effects.push({ type: "host-leaving", reason });
      return;
    }
  }
}
