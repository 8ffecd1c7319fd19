/**
 * Calls from their start to their end. They are sent to the present host, kept while there is none, and asked about
 * when a host was lost while it had them. A script is sent again only after its plugin has said that it never received
 * it.
 */
import { actions, runsOnce } from "../../protocol/actions.ts";
import { StudioBridgeError } from "../../protocol/errors.ts";
import { intervals } from "../../protocol/limits.ts";
import * as messages from "../../protocol/messages.ts";
import { noteSubscription } from "./client-subscriptions.ts";
import { send } from "./client-state.ts";
import type { Call, CallStart, ClientState } from "./client-state.ts";
import { deadlineAt, hold, release, totalHeldMs } from "../wire/deadline.ts";
import { frame } from "../wire/frames.ts";

/** How long an aborted call waits for the plugin to say what became of it. */
const CANCEL_PATIENCE_MS = 1_500;
/** Of what is asked of the next host; longer than it usually waits for the sessions of the host before it. */
export const RESTORE_TIMEOUT_MS = 5_000;

export function startCall(client: ClientState, start: CallStart, isOwn = false): void {
  addCall(client, { ...start, isOwn });
}

/** `callId` is empty when the client asks for its own bookkeeping and no caller waits. */
export function startList(client: ClientState, callId: string, timeoutMs: number): void {
  const isOwn = callId === "";
  const id = isOwn ? client.config.randomHex(16) : callId;
  addCall(client, { callId: id, sessionId: "", action: "list-sessions", payload: {}, timeoutMs, isOwn });
}

type NewCall = Pick<
  Call,
  "callId" | "sessionId" | "action" | "payload" | "timeoutMs" | "isOwn" | "caller" | "summary"
>;

function addCall(client: ClientState, newCall: NewCall): void {
  const call: Call = {
    ...newCall,
    requestId: newCall.callId,
    startedAtMs: client.nowMs,
    // The host answers before this time; the client gives up by itself only if the host no longer does.
    deadline: deadlineAt(client.nowMs + newCall.timeoutMs + intervals.deadlineSlackMs),
    isCancelled: false,
    isSent: false,
    mayHaveStarted: false,
    isAskedAbout: false,
    nextSeq: 0,
    chunks: new Map(),
  };
  client.calls.set(call.callId, call);
  client.byRequestId.set(call.requestId, call);
  client.dueAtMs = Math.min(client.dueAtMs, call.deadline.dueAtMs);
  if (call.action === "unsubscribe") noteSubscription(client, call);
  if (client.phase === "over") failCall(client, call, messages.hostLost("not_started"));
  else sendCalls(client);
}

/** Sends the host every call that it does not have yet, in the order in which the calls were made. */
export function sendCalls(client: ClientState): void {
  if (client.phase !== "attached") return dropFarewells(client);
  const uncertain = new Set<string>();
  for (const call of client.calls.values()) {
    const isScript = call.action !== "list-sessions" && runsOnce(call.action);
    // A script waits while an earlier script of its session may have to be sent again, so that it does not overtake it.
    if (!call.isSent && !(isScript && uncertain.has(call.sessionId))) sendCall(client, call);
    if (isScript && call.isAskedAbout) uncertain.add(call.sessionId);
  }
}

/**
 * Drops `unsubscribe` calls when the host is lost: the next host was never asked to subscribe, so there is nothing to
 * end.
 */
export function dropFarewells(client: ClientState): void {
  for (const call of client.calls.values())
    if (call.action === "unsubscribe" && !call.isSent)
      failCall(client, call, messages.hostLost("not_started"));
}

function sendCall(client: ClientState, call: Call): void {
  // Subtract the elapsed time from the timeout: adding the timeout to the clock would round, and people see the timeout
  // in messages.
  const heldMs = totalHeldMs(call.deadline, client.nowMs);
  const leftMs = call.timeoutMs - Math.floor(client.nowMs - call.startedAtMs - heldMs);
  if (leftMs <= 0) return;
  call.isSent = true;
  if (call.action === "list-sessions")
    return send(client, frame("list-sessions", {}, { requestId: call.requestId }));
  if (!call.mayHaveStarted) return sendRequest(client, call, call.action, call.payload, leftMs);
  if (actions[call.action].retrySafe) {
    renameRequest(client, call);
    return sendRequest(client, call, call.action, call.payload, leftMs);
  }
  call.isAskedAbout = true;
  const ageMs = client.nowMs - call.startedAtMs;
  const named = call.action === "execute" ? {} : { action: call.action };
  sendRequest(client, call, "await", { fromSeq: call.nextSeq, ageMs, ...named }, leftMs);
  if (call.isCancelled) sendCancel(client, call);
}

function sendRequest(
  client: ClientState,
  call: Call,
  type: string,
  payload: unknown,
  timeoutMs: number,
): void {
  call.mayHaveStarted = true;
  const { requestId, sessionId: targetSessionId, caller, summary } = call;
  const request = { requestId, targetSessionId, timeoutMs, caller, summary, action: { type, payload } };
  send(client, frame("host-envelope", request, { requestId }));
}

/**
 * Gives a repeated question a new id, because the answer to the first one may still arrive and must not mix with the
 * second.
 */
function renameRequest(client: ClientState, call: Call): void {
  client.byRequestId.delete(call.requestId);
  call.requestId = client.config.randomHex(16);
  client.byRequestId.set(call.requestId, call);
  call.chunks.clear();
}

/** The host or the plugin says that it does not have the call, and whether the call may have started. */
export function takeBack(client: ClientState, call: Call, mayHaveStarted: boolean): void {
  call.isSent = false;
  call.isAskedAbout = false;
  call.mayHaveStarted = mayHaveStarted;
  if (call.isCancelled && !mayHaveStarted) failCall(client, call, messages.cancelled("not_started"));
  sendCalls(client);
}

/**
 * Asks for the call to be cancelled. The call still ends with what really happened, such as a result that came first.
 */
export function abortCall(client: ClientState, callId: string): void {
  const call = client.calls.get(callId);
  if (call === undefined || call.isCancelled) return;
  if (!call.mayHaveStarted) return failCall(client, call, messages.cancelled("not_started"));
  call.isCancelled = true;
  call.deadline.dueAtMs = Math.min(call.deadline.dueAtMs, client.nowMs + CANCEL_PATIENCE_MS);
  client.dueAtMs = Math.min(client.dueAtMs, call.deadline.dueAtMs);
  if (call.isSent && client.phase !== "detached") sendCancel(client, call);
}

function sendCancel(client: ClientState, { requestId, sessionId: targetSessionId }: Call): void {
  const request = { requestId, targetSessionId, action: { type: "cancel", payload: {} } };
  send(client, frame("host-envelope", request, { requestId }));
}

/** A person at Studio is asked about the call, for so many milliseconds at most. */
export function holdCall(client: ClientState, call: Call, untilMs: number): void {
  if (call.isCancelled) return;
  const wasHeld = call.deadline.held !== undefined;
  hold(call.deadline, client.nowMs, untilMs);
  client.dueAtMs = Math.min(client.dueAtMs, call.deadline.dueAtMs);
  if (!wasHeld && !call.isOwn) client.effects.push({ type: "held", callId: call.callId, isHeld: true });
}

/** The plugin says something else of the call. */
export function releaseCall(client: ClientState, call: Call): void {
  if (call.deadline.held === undefined || call.isCancelled) return;
  release(call.deadline, client.nowMs);
  client.dueAtMs = Math.min(client.dueAtMs, call.deadline.dueAtMs);
  if (!call.isOwn) client.effects.push({ type: "held", callId: call.callId, isHeld: false });
}

export function expireCalls(client: ClientState): void {
  client.dueAtMs = Infinity;
  for (const call of client.calls.values()) {
    if (client.nowMs < call.deadline.dueAtMs)
      client.dueAtMs = Math.min(client.dueAtMs, call.deadline.dueAtMs);
    else if (call.isCancelled) failCall(client, call, messages.cancelled("unknown"));
    else failCall(client, call, timeoutOf(call));
  }
  askForListAgain(client);
  sendCalls(client);
}

/**
 * A host that stood still, or that waited longer for sessions, answers too late. Without the list of a next host, the
 * client would not learn which sessions are gone.
 */
function askForListAgain(client: ClientState): void {
  if (client.phase !== "attached" || client.attachments === 1 || client.isListed) return;
  const isAsked = [...client.calls.values()].some((call) => call.isOwn && call.action === "list-sessions");
  if (!isAsked) startList(client, "", RESTORE_TIMEOUT_MS);
}

function timeoutOf(call: Call): StudioBridgeError {
  if (call.action === "list-sessions")
    return new StudioBridgeError("TIMEOUT", "The bridge host did not answer in time.");
  return messages.timedOut(call.action, call.timeoutMs, call.mayHaveStarted ? "unknown" : "not_started");
}

export function failCall(client: ClientState, call: Call, error: StudioBridgeError): void {
  endCall(client, call);
  if (!call.isOwn) client.effects.push({ type: "failed", callId: call.callId, error });
}

export function endCall(client: ClientState, call: Call): void {
  client.calls.delete(call.callId);
  client.byRequestId.delete(call.requestId);
}
