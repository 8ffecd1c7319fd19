/**
 * Everything that happens because time has passed: late proofs, silent plugins, sessions that did not come back,
 * expired requests, idle hosts.
 */
import { intervals } from "../../protocol/limits.ts";
import * as messages from "../../protocol/messages.ts";
import { closeCodes } from "../wire/close-codes.ts";
import { frame } from "../wire/frames.ts";
import { refuse } from "./handshake.ts";
import { close, nextPingAt, OVERSLEPT_MS, provenLinks, send, wakeBy, wakeForPeerBy } from "./host-state.ts";
import type { HostState, Link } from "./host-state.ts";
import { tellClients } from "./known-clients.ts";
import { endRequest, expireRequests, isRunningScript, outcomeOf } from "./pending-requests.ts";
import { expireExpected } from "./returning-sessions.ts";
import { announce, endSession } from "./session-tracker.ts";

const FIRST_USE_MS = 10_000;

export function runTimers(host: HostState): void {
  forgiveSleep(host);
  for (const link of host.links.values()) {
    if (link.phase.name !== "proven") {
      // This close code tells a client to try again, because one that has the key may be slow on a busy machine.
      if (host.nowMs >= link.proofDueAtMs) refuse(host, link, "slow", closeCodes.gone);
    } else if (link.nextPingAtMs !== Infinity) watchPlugin(host, link);
  }
  for (const session of host.sessions.values())
    if (session.linkId === undefined && host.nowMs >= session.graceEndsAtMs) endSession(host, session);
  expireExpected(host);
  expireRequests(host);
  tellClients(host);
  noticeIdleness(host);
  drain(host);
  scheduleNext(host);
}

function forgiveSleep(host: HostState): void {
  const overslept = host.nowMs - host.dueAtMs;
  if (overslept < OVERSLEPT_MS) return;
  for (const link of host.links.values()) {
    link.lastSeenAtMs = Math.min(host.nowMs, link.lastSeenAtMs + overslept);
    link.proofDueAtMs += overslept;
  }
  for (const session of host.sessions.values()) session.graceEndsAtMs += overslept;
  for (const [sessionId, dueAtMs] of host.expected) host.expected.set(sessionId, dueAtMs + overslept);
}

function watchPlugin(host: HostState, link: Link): void {
  const silentMs = host.nowMs - link.lastSeenAtMs;
  if (silentMs >= intervals.goneAfterMs && !isRunningScript(host, link)) return dropSilent(host, link);
  if (silentMs >= intervals.staleAfterMs && !link.isStale) setStale(host, link, true);
  if (host.nowMs < link.nextPingAtMs) return;
  send(host, link.id, frame("ping", {}));
  link.nextPingAtMs = nextPingAt(host);
}

export function setStale(host: HostState, link: Link, isStale: boolean): void {
  if (link.isStale === isStale) return;
  link.isStale = isStale;
  for (const session of host.sessions.values())
    if (session.linkId === link.id) announce(host, "state-changed", session);
}

/** The sessions of a silent plugin end at once, because the minute of silence was the time to come back. */
function dropSilent(host: HostState, link: Link): void {
  for (const session of host.sessions.values()) if (session.linkId === link.id) endSession(host, session);
  host.links.delete(link.id);
  close(host, link.id, closeCodes.gone, "silent");
}

export function isInUse(host: HostState): boolean {
  return host.sessions.size > 0 || provenLinks(host, "client").length > 0;
}

export function noticeIdleness(host: HostState): void {
  if (isInUse(host)) {
    host.idleSinceMs = undefined;
    return;
  }
  host.idleSinceMs ??= host.nowMs;
  const leavesAtMs = host.idleSinceMs + idleExitMs(host);
  wakeBy(host, leavesAtMs);
  if (host.nowMs >= leavesAtMs) finish(host, "idle");
}

/** A host that no client has joined ends earlier, because the command that starts a host joins it at once. */
function idleExitMs({ config, wasUsed }: HostState): number {
  const isPermanent = config.idleExitMs === Infinity;
  return wasUsed || isPermanent ? config.idleExitMs : Math.min(config.idleExitMs, FIRST_USE_MS);
}

/** While closing: ends as soon as no request waits for an answer, at the latest when the time for that is over. */
export function drain(host: HostState): void {
  if (host.closing === undefined || host.isOver) return;
  const waiting = [...host.pending.values()].filter((pending) => pending.clientLinkId !== undefined);
  if (waiting.length > 0 && host.nowMs < host.closing.drainedByMs) return;
  for (const pending of waiting) endRequest(host, pending, messages.hostClosing(outcomeOf(pending)));
  for (const plugin of provenLinks(host, "plugin"))
    send(host, plugin.id, frame("shutdown", { reason: host.closing.reason }));
  finish(host, host.closing.reason);
}

function finish(host: HostState, reason: string): void {
  if (host.isOver) return;
  host.isOver = true;
  for (const link of host.links.values()) close(host, link.id, closeCodes.hostStopped, reason);
  host.effects.push({ type: "exit", reason });
}

function scheduleNext(host: HostState): void {
  host.dueAtMs = Infinity;
  for (const link of host.links.values()) {
    if (link.phase.name !== "proven") wakeForPeerBy(host, link.proofDueAtMs);
    else if (link.nextPingAtMs !== Infinity) {
      wakeBy(host, link.nextPingAtMs);
      if (!link.isStale) wakeBy(host, link.lastSeenAtMs + intervals.staleAfterMs);
    }
  }
  for (const session of host.sessions.values())
    if (session.linkId === undefined) wakeForPeerBy(host, session.graceEndsAtMs);
  for (const pending of host.pending.values())
    wakeBy(host, Math.min(pending.deadline.dueAtMs, pending.keptUntilMs));
  wakeBy(host, host.clientsDueAtMs);
  for (const dueAtMs of host.expected.values()) wakeForPeerBy(host, dueAtMs);
  if (host.idleSinceMs !== undefined) wakeBy(host, host.idleSinceMs + idleExitMs(host));
  if (host.closing !== undefined) wakeBy(host, host.closing.drainedByMs);
}
