/**
 * How sessions register, come back after a lost link, change and end, and what clients are told about it. Several
 * sessions can share one link, because a Studio in play mode has an edit, a server and a client context.
 */
import { actionNames } from "../../protocol/actions.ts";
import type { ActionName } from "../../protocol/actions.ts";
import type { StudioState } from "../../protocol/fields/contexts.ts";
import { decodePayload } from "../../protocol/codec.ts";
import type { Envelope } from "../../protocol/envelope.ts";
import { StudioBridgeError } from "../../protocol/errors.ts";
import { events } from "../../protocol/events.ts";
import type { Register } from "../../protocol/events.ts";
import { intervals, limits } from "../../protocol/limits.ts";
import { isSamePermission } from "../../protocol/fields/permission.ts";
import { originOf } from "../../protocol/launch-id.ts";
import * as messages from "../../protocol/messages.ts";
import type { NetworkPayload } from "../../protocol/network.ts";
import { errorFrame, frame } from "../wire/frames.ts";
import { provenLinks, send, wakeForPeerBy } from "./host-state.ts";
import type { EndedSession, HostState, Link, Permission, Session } from "./host-state.ts";
import { noteSession } from "./host-journal.ts";
import { tellClientsTo } from "./known-clients.ts";
import { redeliver, sessionEnded } from "./pending-requests.ts";
import { noticeReturn } from "./returning-sessions.ts";
import { needsUpdate, sessionInfo } from "./session-list.ts";
import { followForJournal, resubscribe } from "./subscriptions.ts";

const UUID_V4 = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
/** How many ended sessions the host remembers. */
const ENDED_SESSIONS = 1_024;

export function register(host: HostState, link: Link, envelope: Envelope): void {
  const header = envelope.requestId === undefined ? {} : { requestId: envelope.requestId };
  const decoded = decodePayload(events.register.payload, envelope);
  if (!decoded.ok) {
    const error = new StudioBridgeError(decoded.fault.code, decoded.fault.message);
    return send(host, link.id, errorFrame(error, header));
  }
  const session = admitSession(host, link, decoded.value);
  if (session instanceof StudioBridgeError) return send(host, link.id, errorFrame(session, header));
  const { sessionId, capabilities } = session;
  const update = needsUpdate(host, session) ? { pluginUpdateAvailable: true } : {};
  const kept = keptLevels(host, session)?.of(session.register);
  const permission = kept === undefined ? {} : { permission: kept };
  const reply = { sessionId, capabilities: [...capabilities], ...update, ...permission };
  send(host, link.id, frame("registered", reply, { sessionId, ...header }));
  tellClientsTo(host, link);
  resubscribe(host, session);
  followForJournal(host, session);
  redeliver(host, session);
  noticeReturn(host, sessionId);
}

/** The session of this registration: the one that it continues, or a new one. */
export function admitSession(host: HostState, link: Link, details: Register): Session | StudioBridgeError {
  if (host.closing !== undefined) return messages.hostClosing("not_started");
  const before = findSame(host, details);
  if (before !== undefined && before.sessionId === details.previousSessionId)
    return continueSession(host, link, before, details);
  if (before !== undefined) endSession(host, before);
  if (host.sessions.size >= limits.sessions)
    return messages.refused("TOO_MANY_REQUESTS", `The bridge host already has ${limits.sessions} sessions.`);
  const session: Session = {
    sessionId: newSessionId(host, details),
    linkId: link.id,
    register: details,
    state: details.state,
    permission: permissionIn(details),
    capabilities: knownCapabilities(details),
    connectedAtMs: host.nowMs,
    graceEndsAtMs: 0,
  };
  host.sessions.set(session.sessionId, session);
  host.wasUsed = true;
  link.sessionIds.add(session.sessionId);
  announce(host, "connected", session);
  return session;
}

function continueSession(host: HostState, link: Link, session: Session, details: Register): Session {
  if (session.linkId !== undefined) host.links.get(session.linkId)?.sessionIds.delete(session.sessionId);
  link.sessionIds.add(session.sessionId);
  session.linkId = link.id;
  session.register = details;
  session.state = details.state;
  session.permission = permissionIn(details);
  session.capabilities = knownCapabilities(details);
  announce(host, "state-changed", session);
  return session;
}

function findSame(host: HostState, details: Register): Session | undefined {
  for (const session of host.sessions.values()) if (isSame(session.register, details)) return session;
  return undefined;
}

function isSame(one: Register, other: Register): boolean {
  return (
    one.instanceId === other.instanceId &&
    one.context === other.context &&
    one.player?.index === other.player?.index
  );
}

/**
 * A new host takes over the ids that the host before it gave. A host that has ended a session does not revive its id,
 * unless the session's own plugin said goodbye just now, which means that it was reloaded.
 */
function newSessionId(host: HostState, details: Register): string {
  const { previousSessionId: previous } = details;
  if (previous === undefined || !UUID_V4.test(previous) || host.sessions.has(previous))
    return host.config.randomUuid();
  const ended = host.endedSessions.get(previous);
  if (ended !== undefined && !isReloaded(host, ended, details)) return host.config.randomUuid();
  host.endedSessions.delete(previous);
  return previous;
}

function isReloaded(host: HostState, { register, leftAtMs }: EndedSession, details: Register): boolean {
  return isSame(register, details) && host.nowMs - leftAtMs < intervals.reconnectGraceMs;
}

function knownCapabilities(details: Register): ActionName[] {
  return actionNames.filter((name) => details.capabilities.includes(name));
}

export function unregister(host: HostState, link: Link, envelope: Envelope): void {
  const session = ownSession(host, link, envelope);
  if (session === undefined) return;
  endSession(host, session);
  rememberEnded(host, session, host.nowMs);
}

export function heartbeat(host: HostState, link: Link, envelope: Envelope): void {
  const session = ownSession(host, link, envelope);
  const decoded = decodePayload(events.heartbeat.payload, envelope);
  if (session === undefined) return;
  if (decoded.ok) {
    setState(host, session, decoded.value.state);
    setPermission(host, session, permissionIn(decoded.value));
  } else send(host, link.id, errorFrame(new StudioBridgeError("INVALID_PAYLOAD", decoded.fault.message)));
}

export function permissionChosen(host: HostState, link: Link, envelope: Envelope): void {
  const session = ownSession(host, link, envelope);
  const decoded = decodePayload(events.permissionChosen.payload, envelope);
  if (session === undefined) return;
  if (!decoded.ok)
    return send(host, link.id, errorFrame(new StudioBridgeError("INVALID_PAYLOAD", decoded.fault.message)));
  const { permission, isDefault } = decoded.value;
  keptLevels(host, session)?.keep(isDefault ? "default" : session.register, permission);
}

/** Only a person at Roblox Studio chooses a level; the variable that a headless one starts with says what it allows. */
function keptLevels({ config }: HostState, { register: { context, launchId } }: Session) {
  return context === "edit" && originOf(launchId) !== "headless" ? config.levels : undefined;
}

export function setState(host: HostState, session: Session, state: StudioState): void {
  if (session.state === state) return;
  session.state = state;
  announce(host, "state-changed", session);
}

/** What the edit context says holds for every session of its Studio. */
function setPermission(host: HostState, session: Session, permission: Permission): void {
  if (isSamePermission(session.permission, permission)) return;
  session.permission = permission;
  const { instanceId } = session.register;
  for (const other of host.sessions.values())
    if (other.register.instanceId === instanceId) announce(host, "state-changed", other);
}

function permissionIn({ permission, pausedSince, lateYesAt }: Permission): Permission {
  return {
    ...(lateYesAt === undefined ? {} : { lateYesAt }),
    ...(permission === undefined ? {} : { permission }),
    ...(pausedSince === undefined ? {} : { pausedSince }),
  };
}

/** The session that the frame names, if this link carries it; otherwise the plugin gets an error. */
export function ownSession(host: HostState, link: Link, envelope: Envelope): Session | undefined {
  const session = host.sessions.get(envelope.sessionId);
  if (session !== undefined && session.linkId === link.id) return session;
  const error = new StudioBridgeError("SESSION_MISMATCH", "This connection does not carry that session.");
  send(host, link.id, errorFrame(error, { sessionId: envelope.sessionId }));
  return undefined;
}

/** The link is gone; its sessions may come back for a short time. */
export function linkLost(host: HostState, link: Link): void {
  for (const session of host.sessions.values()) {
    if (session.linkId !== link.id) continue;
    session.linkId = undefined;
    session.graceEndsAtMs = host.nowMs + intervals.reconnectGraceMs;
    wakeForPeerBy(host, session.graceEndsAtMs);
    announce(host, "state-changed", session);
  }
}

export function endSession(host: HostState, session: Session): void {
  host.sessions.delete(session.sessionId);
  rememberEnded(host, session);
  if (session.linkId !== undefined) host.links.get(session.linkId)?.sessionIds.delete(session.sessionId);
  host.subscriptions.delete(session.sessionId);
  sessionEnded(host, session.sessionId);
  announce(host, "disconnected", session);
}

function rememberEnded(host: HostState, { sessionId, register }: Session, leftAtMs = -Infinity): void {
  host.endedSessions.set(sessionId, { register, leftAtMs });
  if (host.endedSessions.size <= ENDED_SESSIONS) return;
  for (const oldest of host.endedSessions.keys()) {
    host.endedSessions.delete(oldest);
    break;
  }
}

export function announce(
  host: HostState,
  event: NetworkPayload<"session-event">["event"],
  session: Session,
): void {
  const clients = provenLinks(host, "client");
  const { onNews } = host.config;
  if (clients.length === 0 && onNews === undefined && host.config.journal === undefined) return;
  const info = sessionInfo(host, session);
  noteSession(host, event, info);
  onNews?.({ what: "session", event, session: info });
  const text = frame("session-event", { event, session: info });
  for (const client of clients) send(host, client.id, text);
}
