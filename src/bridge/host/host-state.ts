/**
 * What the host knows: links, sessions, requests in progress, subscriptions. Data, and the few operations that all
 * modules of the core share; the rules are in the modules named after them.
 */
import type { Deadline } from "../wire/deadline.ts";
import type { HostNews } from "./host-news.ts";
import type { KeptLevels } from "./kept-levels.ts";
import type { Prover, Role } from "../../auth/index.ts";
import type { Journal } from "../../journal/index.ts";
import type { ActionName } from "../../protocol/actions.ts";
import type { Caller } from "../../protocol/fields/callers.ts";
import type { StudioState } from "../../protocol/fields/contexts.ts";
import type { PermissionFacts } from "../../protocol/fields/permission.ts";
import { intervals } from "../../protocol/limits.ts";
import type { SessionInfo } from "../../protocol/network.ts";
import type { Register, SubscribableEvent } from "../../protocol/events.ts";

/** What the core tells a journal, and asks it. */
type CallJournal = Pick<Journal, "session" | "request" | "reply" | "lines" | "wantsLines" | "reread">;

export interface HostConfig {
  readonly hostId: string;
  /** The port that the host listens on; it is part of the proof. */
  readonly port: number;
  readonly version: string;
  /** Plugins of another build are offered an update; undefined if the host does not know its own build. */
  readonly buildId?: string | undefined;
  readonly allowUnpaired: boolean;
  readonly idleExitMs: number;
  /** A newer sb may take this host's place while it is idle. */
  readonly makesRoom: boolean;
  /** The time in epoch milliseconds at core time 0. */
  readonly epochMs: number;
  readonly prover: Prover;
  /** Called in the host's process when peers come and go. */
  readonly onNews?: ((news: HostNews) => void) | undefined;
  /** Keeps what came and how it ended. */
  readonly journal?: CallJournal | undefined;
  /** Copies of the levels that people at Studio have chosen; a host that keeps nothing has none. */
  readonly levels?: Pick<KeptLevels, "of" | "keep"> | undefined;
  readonly randomHex: (sizeBytes: number) => string;
  readonly randomUuid: () => string;
}

export type HostEvent =
  /** `isLocal`: the peer is in this process, so it has nothing to prove. */
  | { readonly type: "open"; readonly linkId: number; readonly role: Role; readonly isLocal?: boolean }
  | { readonly type: "frame"; readonly linkId: number; readonly text: string }
  /** `isWanted`: the peer said goodbye. Otherwise the link broke, and its owner may come back on another. */
  | { readonly type: "closed"; readonly linkId: number; readonly isWanted: boolean }
  /** A connection was turned away before it became a link. */
  | { readonly type: "refused"; readonly reason: string }
  | { readonly type: "tick" }
  /** `drainMs`: how long requests in progress may still be answered. */
  | { readonly type: "stop"; readonly reason: string; readonly drainMs?: number | undefined };

export type HostEffect =
  | { readonly type: "send"; readonly linkId: number; readonly text: string }
  /** May be dropped for a slow reader, which is then told `count`. */
  | {
      readonly type: "push";
      readonly linkId: number;
      readonly sessionId: string;
      readonly count: number;
      readonly text: string;
    }
  | { readonly type: "close"; readonly linkId: number; readonly code: number; readonly reason: string }
  | { readonly type: "exit"; readonly reason: string };

type Phase =
  | { readonly name: "hello" }
  | {
      readonly name: "auth";
      readonly nonceA: string;
      readonly nonceB: string;
      readonly protocolVersion: number;
    }
  | { readonly name: "proven" };

export interface Link {
  readonly id: number;
  readonly role: Role;
  phase: Phase;
  protocolVersion: number;
  proofDueAtMs: number;
  lastSeenAtMs: number;
  nextPingAtMs: number;
  isStale: boolean;
  /** How many requests of this client have no final answer yet. */
  inFlight: number;
  /** Who has asked on this client link, by id: an MCP server may ask for several agents. */
  readonly callers: Map<string, Caller>;
  /** Sessions that this plugin link carries. */
  readonly sessionIds: Set<string>;
}

export type Permission = Pick<SessionInfo, keyof PermissionFacts>;

export interface Session {
  readonly sessionId: string;
  /** Undefined while the plugin has no link and may still come back. */
  linkId: number | undefined;
  register: Register;
  state: StudioState;
  /** What the person at Studio allows, as the plugin has said it last. */
  permission: Permission;
  capabilities: readonly ActionName[];
  readonly connectedAtMs: number;
  graceEndsAtMs: number;
}

export interface EndedSession {
  readonly register: Register;
  /** When its plugin said goodbye, which it does before a reload and when Studio closes. */
  readonly leftAtMs: number;
}

export interface PendingRequest {
  readonly requestId: string;
  /** Undefined once the client is gone; the host then only watches the request until it ends. */
  clientLinkId: number | undefined;
  readonly sessionId: string;
  readonly action: ActionName;
  readonly timeoutMs: number;
  readonly deadline: Deadline;
  /** When the caller made the request, perhaps at an earlier host. */
  readonly madeAtMs: number;
  /** Until then a client whose link broke may ask for the request again. */
  keptUntilMs: number;
  isDelivered: boolean;
  /** The plugin was asked about its fate and has not answered yet. */
  isAskedAbout: boolean;
  /**
   * The plugin may still send frames that come after lines which the client missed when it changed its link. They are
   * skipped, because the plugin repeats them after those lines.
   */
  skipsOldTail: boolean;
  /** The frame to the plugin, in case it must be sent again; a resumed request has none. */
  readonly frameText: string | undefined;
  /** How many output lines were passed on; a plugin that comes back continues after them. */
  outputCount: number;
  chunkChars: number;
  nextChunk: number;
  /** The events of a `subscribe`, which are removed again if it fails. */
  readonly events: readonly SubscribableEvent[];
}

export interface Subscription {
  readonly clientLinkIds: Set<number>;
  /** The plugin has confirmed that it pushes this event. */
  isConfirmed: boolean;
}

interface Unpaired {
  readonly atMs: number;
  readonly pluginVersion: string | undefined;
  readonly keyId: string | undefined;
}

export interface HostState {
  readonly config: HostConfig;
  readonly startedAtMs: number;
  nowMs: number;
  /** Nothing is due before this time. It may be too early, but never too late. */
  dueAtMs: number;
  effects: HostEffect[];
  readonly links: Map<number, Link>;
  readonly sessions: Map<string, Session>;
  /** By id, oldest first: the sessions that this host has ended, whose ids it will not give out again. */
  readonly endedSessions: Map<string, EndedSession>;
  readonly pending: Map<string, PendingRequest>;
  /** By session id, then by event. */
  readonly subscriptions: Map<string, Map<SubscribableEvent, Subscription>>;
  unpaired: Unpaired[];
  /** How many connections were turned away, by reason. */
  readonly refusals: Map<string, number>;
  /** The sessions of the host before this one, each with the time until which the host waits for it. */
  readonly expected: Map<string, number>;
  /** Clients that asked for the list while the host waits for sessions. */
  waitingLists: { readonly linkId: number; readonly requestId: string }[];
  idleSinceMs: number | undefined;
  /** When plugins are told next which clients there are; Infinity while they know. */
  clientsDueAtMs: number;
  /** The host has just bound its port, and gives it up if it finds another host. */
  isSettling: boolean;
  /** True once a client or a session has connected. */
  wasUsed: boolean;
  closing: { readonly reason: string; readonly drainedByMs: number } | undefined;
  isOver: boolean;
}

export function createHostState(config: HostConfig, nowMs: number): HostState {
  return {
    config,
    startedAtMs: nowMs,
    nowMs,
    // The first tick computes when the next one is due.
    dueAtMs: nowMs,
    effects: [],
    links: new Map(),
    sessions: new Map(),
    endedSessions: new Map(),
    pending: new Map(),
    subscriptions: new Map(),
    unpaired: [],
    refusals: new Map(),
    expected: new Map(),
    waitingLists: [],
    idleSinceMs: nowMs,
    clientsDueAtMs: Infinity,
    isSettling: false,
    wasUsed: false,
    closing: undefined,
    isOver: false,
  };
}

/** A tick that comes this much late shows that the host itself slept, so that the silence says nothing about its peers. */
export const OVERSLEPT_MS = 100;

export function wakeBy(host: HostState, atMs: number): void {
  host.dueAtMs = Math.min(host.dueAtMs, atMs);
}

/**
 * Also wakes the host at short intervals until then, so that it notices how long it slept. Use it for a time by which a
 * peer must have come: when the whole machine stands still, that time is over before the peer can go on.
 */
export function wakeForPeerBy(host: HostState, atMs: number): void {
  wakeBy(host, Math.min(atMs, host.nowMs + OVERSLEPT_MS));
}

export function send(host: HostState, linkId: number, text: string): void {
  host.effects.push({ type: "send", linkId, text });
}

export function close(host: HostState, linkId: number, code: number, reason: string): void {
  host.effects.push({ type: "close", linkId, code, reason });
}

export function countRefusal(host: HostState, reason: string): void {
  host.config.onNews?.({ what: "refusal", reason });
  host.refusals.set(reason, (host.refusals.get(reason) ?? 0) + 1);
}

/** All plugins are pinged at the same time, so that an idle host wakes up rarely. */
export function nextPingAt({ nowMs, startedAtMs }: HostState): number {
  // Round up, because with a fraction of a millisecond the next ping could otherwise be due now, again and again.
  const beats = Math.floor((Math.ceil(nowMs - startedAtMs) + 1) / intervals.hostPingMs) + 1;
  return startedAtMs + beats * intervals.hostPingMs;
}

export function provenLinks(host: HostState, role: Role): Link[] {
  return [...host.links.values()].filter((link) => link.role === role && link.phase.name === "proven");
}

/** Tells the host's own process that a client has connected or left. */
export function tellOfClient(host: HostState, event: "connected" | "disconnected"): void {
  host.config.onNews?.({ what: "client", event, clients: provenLinks(host, "client").length });
}

/** The link number of the client that connected last; 0 without one. */
export function newestClient(host: HostState): number {
  return Math.max(0, ...provenLinks(host, "client").map(({ id }) => id));
}

export function countUnproven(host: HostState): number {
  let count = 0;
  for (const link of host.links.values()) if (link.phase.name !== "proven") count += 1;
  return count;
}

export function isoTime(host: HostState, atMs: number): string {
  return new Date(host.config.epochMs + atMs).toISOString();
}
