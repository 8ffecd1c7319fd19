/**
 * Which clients want which pushes of which session. The plugin is asked once per event, for the first subscriber, and
 * told to stop after the last. Every push goes to exactly the clients that asked for it.
 */
import type { Envelope } from "../../protocol/envelope.ts";
import type { SubscribableEvent } from "../../protocol/events.ts";
import { frame, pushAround } from "../wire/frames.ts";
import { send } from "./host-state.ts";
import type { HostState, Session } from "./host-state.ts";

/** Adds the client. True if the plugin must be asked, because it has not confirmed one of the events yet. */
export function addSubscriber(
  host: HostState,
  sessionId: string,
  clientLinkId: number,
  events: readonly SubscribableEvent[],
): boolean {
  const ofSession = host.subscriptions.get(sessionId) ?? new Map();
  host.subscriptions.set(sessionId, ofSession);
  for (const event of events) {
    const subscription = ofSession.get(event) ?? { clientLinkIds: new Set(), isConfirmed: false };
    ofSession.set(event, subscription);
    subscription.clientLinkIds.add(clientLinkId);
  }
  return events.some((event) => ofSession.get(event)?.isConfirmed !== true);
}

export function confirmSubscription(
  host: HostState,
  sessionId: string,
  events: readonly SubscribableEvent[],
): void {
  for (const event of events) {
    const subscription = host.subscriptions.get(sessionId)?.get(event);
    if (subscription !== undefined) subscription.isConfirmed = true;
  }
}

/** Removes the client, and tells the plugin about events that have no subscriber any more. */
export function removeSubscriber(
  host: HostState,
  sessionId: string,
  clientLinkId: number,
  events: readonly SubscribableEvent[],
): void {
  const ofSession = host.subscriptions.get(sessionId);
  if (ofSession === undefined) return;
  const unwanted = events.filter((event) => {
    const clientLinkIds = ofSession.get(event)?.clientLinkIds;
    return clientLinkIds?.delete(clientLinkId) === true && clientLinkIds.size === 0;
  });
  for (const event of unwanted) ofSession.delete(event);
  if (ofSession.size === 0) host.subscriptions.delete(sessionId);
  const session = host.sessions.get(sessionId);
  if (session !== undefined && unwanted.length > 0) tellPlugin(host, session, "unsubscribe", unwanted);
}

/** No link has this number: the host subscribes under it for its own journal. */
const JOURNAL_LINK = 0;

/** Follows the lines of a session for the journal, or no longer; does nothing where that is so already. */
export function followForJournal(host: HostState, session: Session): void {
  const isWanted = host.config.journal?.wantsLines === true;
  const { sessionId } = session;
  const isFollowed =
    host.subscriptions.get(sessionId)?.get("logPush")?.clientLinkIds.has(JOURNAL_LINK) === true;
  if (isWanted === isFollowed || !session.capabilities.includes("subscribe")) return;
  if (!isWanted) return removeSubscriber(host, sessionId, JOURNAL_LINK, ["logPush"]);
  if (addSubscriber(host, sessionId, JOURNAL_LINK, ["logPush"]))
    tellPlugin(host, session, "subscribe", ["logPush"]);
}

export function removeClient(host: HostState, clientLinkId: number): void {
  for (const [sessionId, ofSession] of [...host.subscriptions])
    removeSubscriber(host, sessionId, clientLinkId, [...ofSession.keys()]);
}

/** Subscribes again when a plugin comes back, because it may have forgotten its subscriptions. */
export function resubscribe(host: HostState, session: Session): void {
  const events = [...(host.subscriptions.get(session.sessionId)?.keys() ?? [])];
  if (events.length > 0) tellPlugin(host, session, "subscribe", events);
}

export function routePush(
  host: HostState,
  session: Session,
  event: SubscribableEvent,
  envelope: Envelope,
  frameText: string,
): void {
  const subscription = host.subscriptions.get(session.sessionId)?.get(event);
  if (subscription === undefined) return;
  const text = pushAround(session.sessionId, frameText);
  const count = countOf(event, envelope.payload);
  for (const linkId of subscription.clientLinkIds)
    host.effects.push({ type: "push", linkId, sessionId: session.sessionId, count, text });
}

/**
 * How many lines or pushes a reader misses when this push is dropped, including lines that the plugin itself dropped.
 */
function countOf(event: SubscribableEvent, payload: unknown): number {
  if (event === "stateChange" || typeof payload !== "object" || payload === null) return 1;
  const lines = "entries" in payload && Array.isArray(payload.entries) ? payload.entries.length : 0;
  const lost = "dropped" in payload && typeof payload.dropped === "number" ? payload.dropped : 0;
  return Math.max(1, lines + lost);
}

function tellPlugin(
  host: HostState,
  session: Session,
  action: "subscribe" | "unsubscribe",
  events: readonly SubscribableEvent[],
): void {
  if (session.linkId === undefined) return;
  const requestId = host.config.randomHex(16);
  send(
    host,
    session.linkId,
    frame(action, { events: [...events] }, { sessionId: session.sessionId, requestId }),
  );
}
