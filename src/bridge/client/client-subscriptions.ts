/**
 * The pushes that this client has asked for, kept across hosts. Passes pushes on, and counts the log lines that were
 * missed.
 */
import { decodeEnvelopeObject, decodePayload } from "../../protocol/codec.ts";
import type { Envelope } from "../../protocol/envelope.ts";
import { actions } from "../../protocol/actions.ts";
import { network } from "../../protocol/network.ts";
import type { Call, ClientState } from "./client-state.ts";

/** Call it when the host confirms a `subscribe`, and before an `unsubscribe` is sent. */
export function noteSubscription(client: ClientState, { action, sessionId, payload }: Call): void {
  if (action !== "subscribe" && action !== "unsubscribe") return;
  const decoded = decodePayload(actions[action].request, { type: action, sessionId, payload });
  if (!decoded.ok) return;
  const present = client.subscriptions.get(sessionId);
  const subscription = present ?? { events: new Set(), nextLogSeq: undefined };
  for (const event of decoded.value.events)
    if (action === "subscribe") subscription.events.add(event);
    else subscription.events.delete(event);
  if (subscription.events.size > 0) client.subscriptions.set(sessionId, subscription);
  else client.subscriptions.delete(sessionId);
}

export function receivePush(client: ClientState, envelope: Envelope): void {
  const decoded = decodePayload(network["session-push"].payload, envelope);
  const inner = decoded.ok ? decodeEnvelopeObject(decoded.value.frame) : undefined;
  if (!decoded.ok || inner?.ok !== true) return;
  const { sessionId } = decoded.value;
  if (inner.value.type === "logPush") countMissed(client, sessionId, inner.value);
  client.effects.push({ type: "push", sessionId, envelope: inner.value });
}

/**
 * The plugin numbers its log lines, so a gap in the numbers is what was lost while the plugin's or the client's link
 * was broken.
 */
function countMissed(client: ClientState, sessionId: string, envelope: Envelope): void {
  const subscription = client.subscriptions.get(sessionId);
  const { payload } = envelope;
  if (subscription === undefined || typeof payload !== "object" || payload === null) return;
  if (!("seq" in payload && "entries" in payload)) return;
  const { seq, entries } = payload;
  if (typeof seq !== "number" || !Array.isArray(entries)) return;
  const missed = seq - (subscription.nextLogSeq ?? seq);
  subscription.nextLogSeq = seq + entries.length;
  if (missed > 0) client.effects.push({ type: "dropped", sessionId, count: missed });
}

/** The host says that it dropped lines because this client read too slowly. */
export function receivePushDropped(client: ClientState, envelope: Envelope): void {
  const decoded = decodePayload(network["push-dropped"].payload, envelope);
  if (!decoded.ok) return;
  const { sessionId, dropped } = decoded.value;
  const subscription = client.subscriptions.get(sessionId);
  if (subscription?.nextLogSeq !== undefined) subscription.nextLogSeq += dropped;
  client.effects.push({ type: "dropped", sessionId, count: dropped });
}
