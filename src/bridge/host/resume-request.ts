/**
 * A client whose link broke asks for the rest of a script, or for the answer to a change. The answer comes from this
 * host if it still has the request, else from the plugin, whose ledger knows its fate. This module never sends one again.
 */
import { actions, runsOnce } from "../../protocol/actions.ts";
import type { ActionName } from "../../protocol/actions.ts";
import { decodePayload } from "../../protocol/codec.ts";
import { StudioBridgeError } from "../../protocol/errors.ts";
import { events } from "../../protocol/events.ts";
import { limits } from "../../protocol/limits.ts";
import * as messages from "../../protocol/messages.ts";
import type { NetworkPayload } from "../../protocol/network.ts";
import type { HostState, Link, PendingRequest } from "./host-state.ts";
import { noteRequest } from "./host-journal.ts";
import { addPending, answer, askAbout, release } from "./pending-requests.ts";

type HostEnvelope = NetworkPayload<"host-envelope">;

/** Handles a `host-envelope` whose action is `await`. */
export function resumeRequest(host: HostState, client: Link, request: HostEnvelope): void {
  const { requestId, targetSessionId: sessionId, action } = request;
  const header = { type: action.type, sessionId, payload: action.payload ?? {} };
  const decoded = decodePayload(events.await.payload, header);
  const before = host.pending.get(requestId);
  const error = decoded.ok
    ? refusal(host, client, request, before)
    : new StudioBridgeError(decoded.fault.code, decoded.fault.message, { outcome: "unknown" });
  if (error !== undefined) return answer(host, client.id, requestId, sessionId, error);
  if (!decoded.ok) return;
  const { fromSeq, ageMs, action: name = "execute" } = decoded.value;
  const pending =
    before === undefined
      ? resume(host, client, request, runsOnce(name) ? name : "execute", { fromSeq, ageMs: ageMs ?? 0 })
      : adopt(host, client, before, fromSeq);
  const session = host.sessions.get(sessionId);
  if (session !== undefined && pending.isDelivered) askAbout(host, pending, session);
}

function resume(
  host: HostState,
  client: Link,
  { requestId, targetSessionId: sessionId, timeoutMs, caller, summary }: HostEnvelope,
  action: ActionName,
  known: { readonly fromSeq: number; readonly ageMs: number },
): PendingRequest {
  const request = {
    requestId,
    sessionId,
    timeoutMs: timeoutMs ?? actions[action].timeoutMs,
    action,
    frameText: undefined,
    events: [],
  };
  // The host before this one has noted what it asks for.
  noteRequest(host, { requestId, sessionId, action, caller, summary, payload: {}, body: "" });
  return addPending(host, client, request, known);
}

/** This host still has the request, so its answer now goes to the new link. */
function adopt(host: HostState, client: Link, before: PendingRequest, fromSeq: number): PendingRequest {
  release(host, before);
  client.inFlight += 1;
  before.clientLinkId = client.id;
  before.keptUntilMs = Infinity;
  before.skipsOldTail = before.outputCount > fromSeq;
  before.outputCount = fromSeq;
  before.chunkChars = 0;
  before.nextChunk = 0;
  return before;
}

function refusal(
  host: HostState,
  client: Link,
  { targetSessionId }: HostEnvelope,
  before: PendingRequest | undefined,
): StudioBridgeError | undefined {
  if (host.closing !== undefined) return messages.hostClosing("unknown");
  if (client.inFlight >= limits.inFlightPerClient)
    return messages.tooManyRequests(limits.inFlightPerClient, "unknown");
  const isOther = before !== undefined && (!runsOnce(before.action) || before.sessionId !== targetSessionId);
  if (isOther)
    return new StudioBridgeError("INVALID_PAYLOAD", "This cannot be resumed.", { outcome: "unknown" });
  const isThere = host.sessions.has(targetSessionId) || host.expected.has(targetSessionId);
  return isThere ? undefined : messages.sessionGone(targetSessionId, "unknown");
}
