/**
 * Decides whether to take a client's request to a session: checks the limits, the session and its capabilities. A
 * request that is taken becomes a pending request; a refused one is answered at once with the outcome `not_started`.
 */
import { actions, isActionName } from "../../protocol/actions.ts";
import type { ActionName } from "../../protocol/actions.ts";
import { decodePayload } from "../../protocol/codec.ts";
import type { Envelope } from "../../protocol/envelope.ts";
import { StudioBridgeError } from "../../protocol/errors.ts";
import type { SubscribableEvent } from "../../protocol/events.ts";
import { limits } from "../../protocol/limits.ts";
import * as messages from "../../protocol/messages.ts";
import { network } from "../../protocol/network.ts";
import type { NetworkPayload } from "../../protocol/network.ts";
import { actionBody, actionFrame, errorFrame, frame, responseAround } from "../wire/frames.ts";
import { send } from "./host-state.ts";
import type { HostState, Link, PendingRequest, Session } from "./host-state.ts";
import { noteRefusal, noteRequest } from "./host-journal.ts";
import { distinctCaller, noteCaller } from "./known-clients.ts";
import { addPending, answer, cancelRequest, deliver } from "./pending-requests.ts";
import { resumeRequest } from "./resume-request.ts";
import { addSubscriber, removeSubscriber } from "./subscriptions.ts";

type HostEnvelope = NetworkPayload<"host-envelope">;

/** Handles a client's `host-envelope`; `text` is its whole frame. */
export function acceptRequest(host: HostState, client: Link, envelope: Envelope, text: string): void {
  const decoded = decodePayload(network["host-envelope"].payload, envelope);
  if (!decoded.ok) {
    const error = messages.refused(decoded.fault.code, decoded.fault.message);
    if (envelope.requestId === undefined || host.pending.has(envelope.requestId))
      send(host, client.id, errorFrame(error));
    else answer(host, client.id, envelope.requestId, "", error);
    return;
  }
  const request = decoded.value;
  if (request.caller !== undefined) noteCaller(host, client, request.caller);
  if (request.action.type === "cancel") return cancelRequest(host, client, request.requestId);
  if (request.action.type === "await") return resumeRequest(host, client, request);
  const holder = host.pending.get(request.requestId);
  if (holder !== undefined) return refuseDuplicate(host, client, request, holder);
  const accepted = admit(host, client, request);
  if (accepted instanceof StudioBridgeError) refuse(host, client, request, accepted, text);
  else startRequest(host, client, request, accepted, text);
}

function refuse(
  host: HostState,
  client: Link,
  request: HostEnvelope,
  error: StudioBridgeError,
  text: string,
): void {
  const { requestId, targetSessionId: sessionId } = request;
  if (isActionName(request.action.type))
    noteRefusal(host, journaled(request, request.action.type, text), error);
  answer(host, client.id, requestId, sessionId, error);
}

function journaled(request: HostEnvelope, action: ActionName, text: string) {
  const { requestId, targetSessionId: sessionId, caller, summary } = request;
  return {
    requestId,
    sessionId,
    action,
    caller,
    summary,
    payload: request.action.payload,
    body: actionBody(text),
  };
}

interface Accepted {
  /** Undefined while the host waits for a session that the host before it had. */
  readonly session: Session | undefined;
  readonly action: ActionName;
}

function admit(host: HostState, client: Link, request: HostEnvelope): Accepted | StudioBridgeError {
  if (host.closing !== undefined) return messages.hostClosing("not_started");
  if (client.inFlight >= limits.inFlightPerClient) return messages.tooManyRequests(limits.inFlightPerClient);
  const session = host.sessions.get(request.targetSessionId);
  if (session === undefined && !host.expected.has(request.targetSessionId))
    return messages.sessionNotFound(request.targetSessionId);
  const action = request.action.type;
  if (!isActionName(action))
    return messages.refused("UNKNOWN_REQUEST", `The bridge host does not know the request "${action}".`);
  if (session?.capabilities.includes(action) === false) return messages.capabilityNotSupported(action);
  return { session, action };
}

/**
 * The request that already has this id must get only its own answer, so the error about the repeated id has no request
 * id.
 */
function refuseDuplicate(host: HostState, client: Link, request: HostEnvelope, holder: PendingRequest): void {
  const error = new StudioBridgeError("INVALID_PAYLOAD", "This request id is already in use.", {
    outcome: "not_started",
    data: { requestId: request.requestId },
  });
  if (holder.clientLinkId === client.id) send(host, client.id, errorFrame(error));
  else answer(host, client.id, request.requestId, request.targetSessionId, error);
}

function startRequest(
  host: HostState,
  client: Link,
  request: HostEnvelope,
  { session, action }: Accepted,
  text: string,
): void {
  const { requestId, targetSessionId: sessionId, caller, summary } = request;
  const events = eventsOf(action, request);
  if (events instanceof StudioBridgeError) return refuse(host, client, request, events, text);
  if (isAnsweredHere(host, client, request, action, events)) return;
  const noted = journaled(request, action, text);
  noteRequest(host, noted);
  addPending(host, client, {
    requestId,
    sessionId,
    action,
    timeoutMs: request.timeoutMs ?? actions[action].timeoutMs,
    frameText: actionFrame(action, noted.body, {
      sessionId,
      requestId,
      caller: caller === undefined ? undefined : distinctCaller(host, client, caller),
      summary,
    }),
    events,
  });
  if (session !== undefined) deliver(host, session);
}

function eventsOf(
  action: ActionName,
  request: HostEnvelope,
): readonly SubscribableEvent[] | StudioBridgeError {
  if (action !== "subscribe" && action !== "unsubscribe") return [];
  const checked = decodePayload(actions[action].request, {
    type: action,
    sessionId: "",
    payload: request.action.payload,
  });
  return checked.ok ? checked.value.events : messages.refused(checked.fault.code, checked.fault.message);
}

/** True for a subscription change that the plugin need not learn about; the host answers it. */
function isAnsweredHere(
  host: HostState,
  client: Link,
  request: HostEnvelope,
  action: ActionName,
  events: readonly SubscribableEvent[],
): boolean {
  const { requestId, targetSessionId: sessionId } = request;
  const header = { sessionId, requestId };
  if (action === "subscribe") {
    if (addSubscriber(host, sessionId, client.id, events)) return false;
    const reply = frame("subscribeResult", { events: [...events] }, header);
    send(host, client.id, responseAround(requestId, reply));
    return true;
  }
  if (action !== "unsubscribe") return false;
  removeSubscriber(host, sessionId, client.id, events);
  const reply = frame("unsubscribeResult", { events: [...events] }, header);
  send(host, client.id, responseAround(requestId, reply));
  return true;
}
