/**
 * A client whose link broke asks for the rest of a script: from this host, which may still have the request, or from
 * the plugin, whose ledger knows what became of it. Nothing here ever sends a script.
 */
import { decodePayload } from "../../protocol/codec.ts";
import { StudioBridgeError } from "../../protocol/errors.ts";
import { events } from "../../protocol/events.ts";
import { limits } from "../../protocol/limits.ts";
import * as messages from "../../protocol/messages.ts";
import type { NetworkPayload } from "../../protocol/network.ts";
import type { HostState, Link, PendingRequest } from "./host-state.ts";
import { addPending, answer, askAbout, release } from "./pending-requests.ts";

type HostEnvelope = NetworkPayload<"host-envelope">;

/** A `host-envelope` whose action is `await`. */
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
  const { fromSeq, ageMs = 0 } = decoded.value;
  if (before !== undefined) release(host, before);
  const timeoutMs = request.timeoutMs ?? (before === undefined ? 1 : before.timeoutMs);
  const pending = addPending(
    host,
    client,
    { requestId, sessionId, action: "execute", timeoutMs, frameText: undefined, events: [] },
    { ageMs, fromSeq },
  );
  const session = host.sessions.get(sessionId);
  if (session !== undefined) askAbout(host, pending, session);
}

function refusal(
  host: HostState,
  client: Link,
  { targetSessionId, timeoutMs }: HostEnvelope,
  before: PendingRequest | undefined,
): StudioBridgeError | undefined {
  if (host.closing !== undefined) return messages.hostClosing("unknown");
  if (client.inFlight >= limits.inFlightPerClient) return messages.tooManyRequests(limits.inFlightPerClient);
  const isOther =
    before !== undefined && (before.action !== "execute" || before.sessionId !== targetSessionId);
  if (isOther || timeoutMs === undefined)
    return new StudioBridgeError("INVALID_PAYLOAD", "This cannot be resumed.", { outcome: "unknown" });
  const isThere = host.sessions.has(targetSessionId) || host.expected.has(targetSessionId);
  return isThere ? undefined : messages.sessionGone(targetSessionId, "unknown");
}
