/**
 * The bridge host without sockets and clocks: an event goes in with the time, effects come out. Same events, same
 * times, same randomness give the same effects, so that a simulator can drive it.
 */
import type { Role } from "../../auth/index.ts";
import { decodeEnvelope, decodePayload } from "../../protocol/codec.ts";
import type { Envelope } from "../../protocol/envelope.ts";
import { StudioBridgeError } from "../../protocol/errors.ts";
import { events } from "../../protocol/events.ts";
import type { SubscribableEvent } from "../../protocol/events.ts";
import { limits } from "../../protocol/limits.ts";
import { network } from "../../protocol/network.ts";
import { isNewer } from "../../util/version-order.ts";
import { acceptRequest } from "./accept-request.ts";
import { errorFrame, frame, responseAround } from "../wire/frames.ts";
import { handshakeFrame, openLink, refuse } from "./handshake.ts";
import { countRefusal, provenLinks, send, wakeBy, tellOfClient } from "./host-state.ts";
import type { HostEffect, HostEvent, HostState, Link } from "./host-state.ts";
import { noteLines } from "./host-journal.ts";
import { clientsChanged } from "./known-clients.ts";
import { clientLeft, endRequest, relayReply } from "./pending-requests.ts";
import { expectSessions } from "./returning-sessions.ts";
import { listSessions } from "./session-list.ts";
import * as tracker from "./session-tracker.ts";
import { removeClient, routePush } from "./subscriptions.ts";
import { drain, noticeIdleness, runTimers, setStale } from "./timers.ts";

export { createHostState, newestClient } from "./host-state.ts";
export { expectReturn } from "./returning-sessions.ts";
export { presentSessions } from "./session-list.ts";
export { isInUse } from "./timers.ts";
export type { HostConfig, HostEffect, HostEvent, HostState } from "./host-state.ts";

/** Why a host stops although its process continues. */
export const reasons = { upgrade: "upgrade", leave: "its process is stopped" } as const;

/** How long requests in progress may still be answered after `stop`; clients ask the next host about longer ones. */
const DRAIN_MS = 50;

/** Changes `host` and returns the effects for the caller to carry out, in order. */
export function step(host: HostState, event: HostEvent, nowMs: number): HostEffect[] {
  host.nowMs = nowMs;
  if (!host.isOver) handle(host, event);
  const effects = host.effects;
  host.effects = [];
  return effects;
}

/** The latest time at which the caller must send the next `tick`. */
export function nextDueAt(host: HostState): number {
  return host.isOver ? Infinity : host.dueAtMs;
}

function handle(host: HostState, event: HostEvent): void {
  switch (event.type) {
    case "open":
      return openLink(host, event);
    case "frame":
      receive(host, event.linkId, event.text);
      return drain(host);
    case "refused":
      return countRefusal(host, event.reason);
    case "closed":
      linkClosed(host, event.linkId, event.isWanted);
      noticeIdleness(host);
      return drain(host);
    case "tick":
      return runTimers(host);
    case "stop":
      return stop(host, event.reason, event.drainMs);
  }
}

function stop(host: HostState, reason: string, drainMs = DRAIN_MS): void {
  if (host.closing !== undefined) return;
  host.closing = { reason, drainedByMs: host.nowMs + drainMs };
  wakeBy(host, host.closing.drainedByMs);
  for (const client of provenLinks(host, "client"))
    send(host, client.id, frame("host-transfer", { reason: "moving" }));
  drain(host);
}

function linkClosed(host: HostState, linkId: number, isWanted: boolean): void {
  const link = host.links.get(linkId);
  if (link === undefined) return;
  host.links.delete(linkId);
  if (link.role === "plugin") return tracker.linkLost(host, link);
  if (link.phase.name === "proven") tellOfClient(host, "disconnected");
  if (link.callers.size > 0) clientsChanged(host);
  removeClient(host, linkId);
  clientLeft(host, linkId, isWanted);
}

function receive(host: HostState, linkId: number, text: string): void {
  const link = host.links.get(linkId);
  if (link === undefined) return;
  link.lastSeenAtMs = host.nowMs;
  if (link.isStale) setStale(host, link, false);
  if (link.phase.name !== "proven") return receiveUnproven(host, link, text);
  const decoded = decodeEnvelope(text);
  const isTooLarge = exceedsBytes(text, frameLimits[link.role]);
  if (!decoded.ok) return reportFault(host, link, decoded.fault, decoded.fault.requestId);
  if (isTooLarge) {
    const message = `The message is larger than ${frameLimits[link.role]} bytes.`;
    return reportFault(host, link, { code: "PAYLOAD_TOO_LARGE", message }, decoded.value.requestId);
  }
  if (link.role === "client") fromClient(host, link, decoded.value, text);
  else fromPlugin(host, link, decoded.value, text);
}

const frameLimits: Record<Role, number> = {
  plugin: limits.pluginFrameBytes,
  client: limits.clientFrameBytes,
};

function exceedsBytes(text: string, limitBytes: number): boolean {
  // One UTF-16 unit takes at most three bytes of UTF-8, so the bytes are counted only if the text could be too large.
  if (text.length * 3 <= limitBytes) return false;
  return text.length > limitBytes || Buffer.byteLength(text) > limitBytes;
}

function receiveUnproven(host: HostState, link: Link, text: string): void {
  if (exceedsBytes(text, limits.unprovenFrameBytes)) return refuse(host, link, "malformed");
  const decoded = decodeEnvelope(text);
  if (decoded.ok) handshakeFrame(host, link, decoded.value);
  else refuse(host, link, "malformed");
}

/** A proven peer sent an unreadable frame: the request that it belongs to ends, or the peer gets an error. */
function reportFault(
  host: HostState,
  link: Link,
  fault: { readonly code: "INVALID_PAYLOAD" | "PAYLOAD_TOO_LARGE"; readonly message: string },
  requestId: string | undefined,
): void {
  const pending = requestId === undefined ? undefined : host.pending.get(requestId);
  if (link.role === "plugin" && pending !== undefined && link.sessionIds.has(pending.sessionId))
    return endRequest(
      host,
      pending,
      new StudioBridgeError(fault.code, fault.message, { outcome: "ran_reply_lost" }),
    );
  const error = new StudioBridgeError(fault.code, fault.message, { outcome: "not_started" });
  if (link.role === "client" && requestId !== undefined && pending === undefined)
    send(host, link.id, responseAround(requestId, errorFrame(error, { requestId })));
  else send(host, link.id, errorFrame(error));
}

/** Handles the messages that a client may send; ignores all others. */
function fromClient(host: HostState, link: Link, envelope: Envelope, text: string): void {
  if (envelope.type === "host-envelope") return acceptRequest(host, link, envelope, text);
  if (envelope.type === "host-ready") return expectSessions(host, envelope);
  if (envelope.type === "host-retire") return retire(host, envelope);
  if (envelope.type === "list-sessions" && envelope.requestId !== undefined)
    listSessions(host, link.id, envelope.requestId);
}

/** Makes room for a newer sb, only if the host was started automatically and no client waits for an answer. */
function retire(host: HostState, envelope: Envelope): void {
  const decoded = decodePayload(network["host-retire"].payload, envelope);
  const isBusy = host.pending.size + host.subscriptions.size > 0;
  if (!decoded.ok || isBusy || !host.config.makesRoom) return;
  if (isNewer(decoded.value.version, host.config.version)) stop(host, reasons.upgrade);
}

/** True once the host is stopping so that another process can be the host. */
export function makesRoom({ closing }: HostState): boolean {
  return closing?.reason === reasons.upgrade || closing?.reason === reasons.leave;
}

/** Handles the messages that a plugin may send; ignores all others. */
function fromPlugin(host: HostState, link: Link, envelope: Envelope, text: string): void {
  switch (envelope.type) {
    case "register":
      return tracker.register(host, link, envelope);
    case "unregister":
      tracker.unregister(host, link, envelope);
      return noticeIdleness(host);
    case "heartbeat":
      return tracker.heartbeat(host, link, envelope);
    case "permissionChosen":
      return tracker.permissionChosen(host, link, envelope);
    case "stateChange":
    case "logPush":
    case "otherLogPush":
    case "treeChange":
      return pushed(host, link, envelope.type, envelope, text);
    default:
      relayReply(host, link, withRequestId(host, link, envelope), text);
  }
}

function pushed(
  host: HostState,
  link: Link,
  type: SubscribableEvent,
  envelope: Envelope,
  text: string,
): void {
  const session = tracker.ownSession(host, link, envelope);
  if (session === undefined) return;
  if (type === "logPush") noteLines(host, session.sessionId, envelope.payload);
  routePush(host, session, type, envelope, text);
  if (type !== "stateChange") return;
  const decoded = decodePayload(events.stateChange.payload, envelope);
  if (decoded.ok) tracker.setState(host, session, decoded.value.newState);
}

/** Version 1 runs one script at a time and does not send its id, so it is the oldest script of its session. */
function withRequestId(host: HostState, link: Link, envelope: Envelope): Envelope {
  if (link.protocolVersion > 1 || envelope.requestId !== undefined) return envelope;
  for (const pending of host.pending.values())
    if (link.sessionIds.has(pending.sessionId)) return { ...envelope, requestId: pending.requestId };
  return envelope;
}
