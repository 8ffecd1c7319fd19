/**
 * Requests in progress: each is delivered to a plugin and ended by exactly one answer. Later frames of the request are
 * dropped.
 */
import { actions, endsWithCaller, runsOnce } from "../../protocol/actions.ts";
import type { Envelope } from "../../protocol/envelope.ts";
import { StudioBridgeError } from "../../protocol/errors.ts";
import { intervals, limits } from "../../protocol/limits.ts";
import * as messages from "../../protocol/messages.ts";
import { deadlineAt, hold, release as hostReleases, untilIn } from "../wire/deadline.ts";
import { errorFrame, frame, responseAround } from "../wire/frames.ts";
import { send, wakeBy } from "./host-state.ts";
import type { HostState, Link, PendingRequest, Session } from "./host-state.ts";
import { noteError, noteLeft, noteReply } from "./host-journal.ts";
import { isOldTail } from "./old-tail.ts";
import { confirmSubscription, removeSubscriber } from "./subscriptions.ts";

/**
 * How long after an execute's deadline the host waits for the plugin's own TIMEOUT; the rest of the slack is for the
 * way back.
 */
const EXECUTE_SLACK_MS = intervals.deadlineSlackMs - 100;

type NewRequest = Pick<
  PendingRequest,
  "requestId" | "sessionId" | "action" | "timeoutMs" | "frameText" | "events"
>;

/** Starts the deadline. `resumed`: what is known of a script that was sent before. */
export function addPending(
  host: HostState,
  client: Link,
  request: NewRequest,
  resumed?: { readonly ageMs: number; readonly fromSeq: number },
): PendingRequest {
  const slackMs = runsOnce(request.action) ? EXECUTE_SLACK_MS : 0;
  const pending: PendingRequest = {
    ...request,
    clientLinkId: client.id,
    deadline: deadlineAt(host.nowMs + request.timeoutMs + slackMs),
    madeAtMs: host.nowMs - (resumed?.ageMs ?? 0),
    keptUntilMs: Infinity,
    isDelivered: resumed !== undefined,
    isAskedAbout: false,
    skipsOldTail: false,
    outputCount: resumed?.fromSeq ?? 0,
    chunkChars: 0,
    nextChunk: 0,
  };
  host.pending.set(request.requestId, pending);
  client.inFlight += 1;
  wakeBy(host, pending.deadline.dueAtMs);
  return pending;
}

/** Sends the session's plugin every request that it does not have yet, in the order of arrival. */
export function deliver(host: HostState, session: Session): void {
  if (session.linkId === undefined) return;
  let isUncertain = false;
  for (const pending of host.pending.values()) {
    // Most are with the plugin already and say nothing about the others.
    if (pending.isDelivered && !pending.isAskedAbout) continue;
    if (pending.sessionId !== session.sessionId) continue;
    const isScript = runsOnce(pending.action);
    // A script waits while an earlier one may have to be sent again, so that it does not overtake it.
    const mayGo = !pending.isDelivered && !(isScript && isUncertain);
    if (mayGo && pending.frameText !== undefined) {
      send(host, session.linkId, pending.frameText);
      pending.isDelivered = true;
    }
    if (isScript && pending.isAskedAbout) isUncertain = true;
  }
}

/**
 * The session has a link again: requests that are safe to repeat are sent again, and the plugin is asked about scripts.
 */
export function redeliver(host: HostState, session: Session): void {
  for (const pending of host.pending.values()) {
    if (pending.sessionId !== session.sessionId || !pending.isDelivered) continue;
    if (actions[pending.action].retrySafe) pending.isDelivered = false;
    else {
      pending.skipsOldTail = false;
      askAbout(host, pending, session);
    }
  }
  deliver(host, session);
}

/** Asks the plugin about the fate of a script; does nothing while the session has no link. */
export function askAbout(host: HostState, pending: PendingRequest, session: Session): void {
  if (session.linkId === undefined) return;
  const { requestId, outputCount, madeAtMs } = pending;
  const question = { fromSeq: outputCount, ageMs: Math.max(0, host.nowMs - madeAtMs) };
  pending.isAskedAbout = true;
  send(host, session.linkId, frame("await", question, { sessionId: session.sessionId, requestId }));
}

/** Passes on a plugin's frame that belongs to a request, unchanged. The reply or an error ends the request. */
export function relayReply(host: HostState, plugin: Link, envelope: Envelope, text: string): void {
  const pending = envelope.requestId === undefined ? undefined : host.pending.get(envelope.requestId);
  if (pending === undefined) return;
  const isOwn = plugin.sessionIds.has(pending.sessionId);
  if (!isOwn || (envelope.sessionId !== "" && envelope.sessionId !== pending.sessionId)) {
    const error = new StudioBridgeError("SESSION_MISMATCH", "This request belongs to another session.");
    return send(host, plugin.id, errorFrame(error));
  }
  const wasAskedAbout = pending.isAskedAbout;
  pending.isAskedAbout = false;
  relayOwn(host, pending, envelope, text);
  const session = wasAskedAbout ? host.sessions.get(pending.sessionId) : undefined;
  if (session !== undefined) deliver(host, session);
}

function relayOwn(host: HostState, pending: PendingRequest, envelope: Envelope, text: string): void {
  if (isOldTail(pending, envelope)) return;
  if (isNotReceived(envelope) && pending.frameText !== undefined) {
    pending.isDelivered = false;
    return;
  }
  const role = progressOf(pending, envelope);
  noteHeld(host, pending, envelope);
  if (role === "alien") return;
  if (role === "too large")
    return endRequest(
      host,
      pending,
      new StudioBridgeError("PAYLOAD_TOO_LARGE", "The reply is larger than the bridge carries.", {
        outcome: "ran_reply_lost",
      }),
    );
  if (pending.clientLinkId !== undefined)
    send(host, pending.clientLinkId, responseAround(pending.requestId, text, timeHere(host, pending)));
  if (role === "last") {
    if (envelope.type === actions[pending.action].reply)
      confirmSubscription(host, pending.sessionId, pending.events);
    else takeBackSubscription(host, pending);
    noteReply(host, pending, envelope);
    forget(host, pending);
  }
}

function noteHeld(host: HostState, { deadline }: PendingRequest, { type, payload }: Envelope): void {
  if (type === "held") hold(deadline, host.nowMs, untilIn(payload));
  else hostReleases(deadline, host.nowMs);
  wakeBy(host, deadline.dueAtMs);
}

/** Only `sb ping` wants to know it, and it asks with this. */
function timeHere(host: HostState, { action, madeAtMs }: PendingRequest): number | undefined {
  return action === "queryState" ? host.nowMs - madeAtMs : undefined;
}

function isNotReceived({ type, payload }: Envelope): boolean {
  return (
    type === "error" &&
    typeof payload === "object" &&
    payload !== null &&
    "code" in payload &&
    payload.code === "NOT_RECEIVED"
  );
}

/** Which part of its request a frame is; counts output lines and chunks. */
function progressOf(pending: PendingRequest, envelope: Envelope): "last" | "partial" | "alien" | "too large" {
  const { type, payload } = envelope;
  if (type === "error" || type === actions[pending.action].reply) return "last";
  if (type === "running" || type === "inputWanted" || type === "held") return "partial";
  if (typeof payload !== "object" || payload === null) return "alien";
  if (type === "output") {
    const count = "messages" in payload && Array.isArray(payload.messages) ? payload.messages.length : 0;
    const seq = "seq" in payload && typeof payload.seq === "number" ? payload.seq : pending.outputCount;
    pending.outputCount = Math.max(pending.outputCount, seq + count);
    return "partial";
  }
  if (type !== "chunk" || !("seq" in payload && "total" in payload && "data" in payload)) return "alien";
  const { seq, total, data } = payload;
  if (typeof seq !== "number" || typeof total !== "number" || typeof data !== "string") return "alien";
  if (seq !== 0 && seq !== pending.nextChunk) return "alien";
  pending.nextChunk = seq + 1;
  pending.chunkChars = (seq === 0 ? 0 : pending.chunkChars) + data.length;
  if (pending.chunkChars > limits.chunkedReplyChars) return "too large";
  return seq === total - 1 ? "last" : "partial";
}

/** Ends a request with an error of the host. */
export function endRequest(host: HostState, pending: PendingRequest, error: StudioBridgeError): void {
  if (pending.clientLinkId !== undefined)
    answer(host, pending.clientLinkId, pending.requestId, pending.sessionId, error);
  noteError(host, pending, error.code);
  takeBackSubscription(host, pending);
  forget(host, pending);
}

export function answer(
  host: HostState,
  clientLinkId: number,
  requestId: string,
  sessionId: string,
  error: StudioBridgeError,
): void {
  send(host, clientLinkId, responseAround(requestId, errorFrame(error, { sessionId, requestId })));
}

function takeBackSubscription(host: HostState, pending: PendingRequest): void {
  if (pending.events.length > 0 && pending.clientLinkId !== undefined)
    removeSubscriber(host, pending.sessionId, pending.clientLinkId, pending.events);
}

function forget(host: HostState, pending: PendingRequest): void {
  host.pending.delete(pending.requestId);
  release(host, pending);
}

/** The client may now make one more request. */
export function release(host: HostState, { clientLinkId }: PendingRequest): void {
  const client = clientLinkId === undefined ? undefined : host.links.get(clientLinkId);
  if (client !== undefined) client.inFlight -= 1;
}

export function cancelRequest(host: HostState, client: Link, requestId: string): void {
  const pending = host.pending.get(requestId);
  if (pending === undefined || pending.clientLinkId !== client.id) return;
  if (pending.isDelivered) sendCancel(host, pending);
  else endRequest(host, pending, messages.cancelled("not_started"));
}

function sendCancel(host: HostState, pending: PendingRequest): void {
  const linkId = host.sessions.get(pending.sessionId)?.linkId;
  if (linkId === undefined) return;
  const { sessionId, requestId } = pending;
  send(host, linkId, frame("cancel", {}, { sessionId, requestId }));
}

/**
 * Keeps running scripts of a client whose link broke, because it may come back; other requests without a client end.
 */
export function clientLeft(host: HostState, clientLinkId: number, isWanted: boolean): void {
  for (const pending of host.pending.values()) {
    if (pending.clientLinkId !== clientLinkId) continue;
    pending.clientLinkId = undefined;
    if (!pending.isDelivered || !runsOnce(pending.action)) {
      if (pending.isDelivered && goesOnAlone(pending)) sendCancel(host, pending);
      noteLeft(host, pending);
      host.pending.delete(pending.requestId);
    } else if (isWanted) sendCancel(host, pending);
    else {
      pending.keptUntilMs = host.nowMs + intervals.reconnectGraceMs;
      wakeBy(host, pending.keptUntilMs);
    }
  }
}

/** Cancels the scripts whose clients did not come back, and watches them until they end. */
function abandonScripts(host: HostState): void {
  for (const pending of host.pending.values()) {
    if (host.nowMs < pending.keptUntilMs) continue;
    pending.keptUntilMs = Infinity;
    sendCancel(host, pending);
  }
}

export function sessionEnded(host: HostState, sessionId: string): void {
  for (const pending of host.pending.values()) {
    if (pending.sessionId !== sessionId) continue;
    endRequest(host, pending, messages.sessionGone(sessionId, outcomeOf(pending)));
  }
}

export function expireRequests(host: HostState): void {
  abandonScripts(host);
  for (const pending of host.pending.values()) {
    if (host.nowMs < pending.deadline.dueAtMs) continue;
    const goesOn = goesOnAlone(pending);
    if (goesOn && pending.isDelivered) sendCancel(host, pending);
    endRequest(host, pending, messages.timedOut(pending.action, pending.timeoutMs, outcomeOf(pending)));
  }
}

/** Whether the plugin goes on with it after its caller has left; a question to the person at Studio is withdrawn too. */
const goesOnAlone = ({ action, deadline }: PendingRequest): boolean =>
  runsOnce(action) || endsWithCaller(action) || deadline.held !== undefined;

export const outcomeOf = (pending: PendingRequest) => (pending.isDelivered ? "unknown" : "not_started");

/**
 * True if the silence of a plugin says nothing, because a script that never yields keeps it from reading the socket.
 */
export function isRunningScript(host: HostState, plugin: Link): boolean {
  for (const pending of host.pending.values())
    if (runsOnce(pending.action) && pending.isDelivered && plugin.sessionIds.has(pending.sessionId))
      return true;
  return false;
}
