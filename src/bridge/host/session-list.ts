/** What clients are told about the sessions: one session, all of them, and the answers to `list-sessions`. */
import { originOf } from "../../protocol/launch-id.ts";
import type { SessionInfo } from "../../protocol/network.ts";
import { frame } from "../wire/frames.ts";
import { isoTime, send } from "./host-state.ts";
import type { HostState, Permission, Session } from "./host-state.ts";
import { followForJournal } from "./subscriptions.ts";
import { recentUnpaired } from "./unpaired-plugins.ts";

/** The answer waits while sessions are about to come back. */
export function listSessions(host: HostState, linkId: number, requestId: string): void {
  rereadJournal(host);
  host.waitingLists.push({ linkId, requestId });
  answerLists(host);
}

/** A command that changes what is kept asks for the list afterwards, so that the host learns of it at once. */
function rereadJournal(host: HostState): void {
  host.config.journal?.reread();
  for (const session of host.sessions.values()) followForJournal(host, session);
}

/** Undefined while sessions may still come back, because a list would be incomplete. */
export function presentSessions(host: HostState): SessionInfo[] | undefined {
  if (host.expected.size > 0) return undefined;
  return [...host.sessions.values()].map((session) => sessionInfo(host, session));
}

/** Answers the clients that asked for the list, unless the host still waits for sessions. */
export function answerLists(host: HostState): void {
  if (host.waitingLists.length === 0) return;
  const sessions = presentSessions(host);
  if (sessions === undefined) return;
  const unpaired = recentUnpaired(host).map(({ atMs, pluginVersion, keyId }) => ({
    at: isoTime(host, atMs),
    ...(pluginVersion === undefined ? {} : { pluginVersion }),
    ...(keyId === undefined ? {} : { keyId }),
  }));
  const refusals = Object.fromEntries(host.refusals);
  for (const { linkId, requestId } of host.waitingLists) {
    const { allowUnpaired } = host.config;
    const listing = {
      requestId,
      sessions,
      unpaired,
      refusals,
      ...(allowUnpaired ? { allowsUnpaired: true } : {}),
    };
    if (host.links.has(linkId)) send(host, linkId, frame("list-sessions-response", listing, { requestId }));
  }
  host.waitingLists = [];
}

export function sessionInfo(host: HostState, session: Session): SessionInfo {
  const { sessionId, state, capabilities, register: details } = session;
  const { instanceId, context, player, placeName, placeFile, placeId, gameId } = details;
  const { launchId, pluginVersion, studioVersion } = details;
  return {
    sessionId,
    instanceId,
    context,
    ...(player === undefined ? {} : { player }),
    placeName,
    ...(placeFile === undefined ? {} : { placeFile }),
    placeId,
    gameId,
    state,
    origin: originOf(launchId),
    ...(launchId === undefined ? {} : { launchId }),
    ...permissionOf(host, session),
    health: healthOf(host, session),
    capabilities: [...capabilities],
    pluginVersion,
    ...(needsUpdate(host, session) ? { pluginUpdateAvailable: true } : {}),
    ...(studioVersion === undefined ? {} : { studioVersion }),
    connectedAt: isoTime(host, session.connectedAtMs),
    uptimeMs: Math.max(0, Math.round(host.nowMs - session.connectedAtMs)),
  };
}

/** The edit context decides for the sessions of a play test, which do not know what it allows. */
function permissionOf(host: HostState, session: Session): Permission {
  const { instanceId, context } = session.register;
  if (context === "edit") return session.permission;
  for (const { register: other, permission } of host.sessions.values())
    if (other.instanceId === instanceId && other.context === "edit") return permission;
  return session.permission;
}

function healthOf(host: HostState, session: Session): SessionInfo["health"] {
  if (session.linkId === undefined) return "reconnecting";
  return host.links.get(session.linkId)?.isStale === true ? "stale" : "ok";
}

/** True if the session's plugin is of another build than this host. */
export function needsUpdate(host: HostState, session: Session): boolean {
  const { buildId } = host.config;
  return buildId !== undefined && session.register.buildId !== buildId;
}
