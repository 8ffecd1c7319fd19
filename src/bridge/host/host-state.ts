/**
 * What the host knows: links, sessions, requests under way, subscriptions. Data and the few operations that every part
 * of the core shares; the rules live in the modules named after them.
 */
import type { HostNews } from "./host-news.ts";
import type { Prover, Role } from "../../auth/index.ts";
import type { ActionName, StudioState } from "../../protocol/actions.ts";
import { intervals } from "../../protocol/limits.ts";
import type { Register, SubscribableEvent } from "../../protocol/events.ts";

export interface HostConfig {
  readonly hostId: string;
  /** The port listened on, which the proof binds. */
  readonly port: number;
  readonly version: string;
  /** Plugins of another build are offered an update; undefined: the host does not know its own. */
  readonly buildId?: string | undefined;
  readonly allowUnpaired: boolean;
  readonly idleExitMs: number;
  /** A newer sb may take its place while it has nothing to do. */
  readonly makesRoom: boolean;
  /** Epoch milliseconds at core time 0. */
  readonly epochMs: number;
  readonly prover: Prover;
  /** Hears of what comes and goes, in the process of the host. */
  readonly onNews?: ((news: HostNews) => void) | undefined;
  readonly randomHex: (sizeBytes: number) => string;
  readonly randomUuid: () => string;
}

export type HostEvent =
  /** `isLocal`: the peer is this very process and has nothing to prove. */
  | { readonly type: "open"; readonly linkId: number; readonly role: Role; readonly isLocal?: boolean }
  | { readonly type: "frame"; readonly linkId: number; readonly text: string }
  /** `isWanted`: the peer said goodbye; else the link broke and its owner may come back on another. */
  | { readonly type: "closed"; readonly linkId: number; readonly isWanted: boolean }
  /** A connection was turned away before it became a link. */
  | { readonly type: "refused"; readonly reason: string }
  | { readonly type: "tick" }
  /** `drainMs`: how long requests under way may still be answered. */
  | { readonly type: "stop"; readonly reason: string; readonly drainMs?: number | undefined };

export type HostEffect =
  | { readonly type: "send"; readonly linkId: number; readonly text: string }
  /** May be dropped for a slow reader, who is then told `count`. */
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
  readonly proofDueAtMs: number;
  lastSeenAtMs: number;
  nextPingAtMs: number;
  isStale: boolean;
  /** Requests of this client that have no final answer yet. */
  inFlight: number;
  /** Sessions that this plugin link carries. */
  readonly sessionIds: Set<string>;
}

export interface Session {
  readonly sessionId: string;
  /** Undefined while the reconnect grace runs. */
  linkId: number | undefined;
  register: Register;
  state: StudioState;
  capabilities: readonly ActionName[];
  readonly connectedAtMs: number;
  graceEndsAtMs: number;
}

export interface EndedSession {
  readonly register: Register;
  /** When its plugin said goodbye, as it does before it is loaded anew, and when Studio closes. */
  readonly leftAtMs: number;
}

export interface PendingRequest {
  readonly requestId: string;
  /** Undefined once the client is gone; the request is then only watched until it ends. */
  clientLinkId: number | undefined;
  readonly sessionId: string;
  readonly action: ActionName;
  readonly timeoutMs: number;
  readonly answerByMs: number;
  /** When the caller made it, perhaps towards an earlier host. */
  readonly madeAtMs: number;
  /** A client whose link broke may ask for it until then. */
  keptUntilMs: number;
  isDelivered: boolean;
  /** The plugin was asked what became of it and has not said anything yet. */
  isAskedAbout: boolean;
  /** Frames may still come that belong behind lines which the client never got before it changed its link. */
  skipsOldTail: boolean;
  /** The plugin's frame, in case it has to be sent again; a resumed request has none. */
  readonly frameText: string | undefined;
  /** Output lines passed on, so that a plugin that comes back continues behind them. */
  outputCount: number;
  chunkChars: number;
  nextChunk: number;
  /** Of `subscribe`: what to take back when it fails. */
  readonly events: readonly SubscribableEvent[];
}

export interface Subscription {
  readonly clientLinkIds: Set<number>;
  /** The plugin has answered that it pushes this event. */
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
  /** Nothing is due before this; it may lie too early, never too late. */
  dueAtMs: number;
  effects: HostEffect[];
  readonly links: Map<number, Link>;
  readonly sessions: Map<string, Session>;
  /** By id, those that this host has ended and will not give out again, oldest first. */
  readonly endedSessions: Map<string, EndedSession>;
  readonly pending: Map<string, PendingRequest>;
  /** By session, then by event. */
  readonly subscriptions: Map<string, Map<SubscribableEvent, Subscription>>;
  unpaired: Unpaired[];
  /** Connections turned away, by reason. */
  readonly refusals: Map<string, number>;
  /** Sessions of the host before this one, and until when they are waited for. */
  readonly expected: Map<string, number>;
  /** Clients that asked for the list while sessions are expected. */
  waitingLists: { readonly linkId: number; readonly requestId: string }[];
  idleSinceMs: number | undefined;
  /** It has only just bound its port, and gives it up if it finds another host. */
  isSettling: boolean;
  /** A client or a session was here. */
  wasUsed: boolean;
  closing: { readonly reason: string; readonly drainedByMs: number } | undefined;
  isOver: boolean;
}

export function createHostState(config: HostConfig, nowMs: number): HostState {
  return {
    config,
    startedAtMs: nowMs,
    nowMs,
    // The first tick finds out what is due.
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
    isSettling: false,
    wasUsed: false,
    closing: undefined,
    isOver: false,
  };
}

export function wakeBy(host: HostState, atMs: number): void {
  host.dueAtMs = Math.min(host.dueAtMs, atMs);
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

/** Plugins are pinged all at once, so that an idle host wakes up rarely. */
export function nextPingAt({ nowMs, startedAtMs }: HostState): number {
  // Rounding up makes sure that a fraction of a millisecond does not make the next beat the present one.
  const beats = Math.floor((Math.ceil(nowMs - startedAtMs) + 1) / intervals.hostPingMs) + 1;
  return startedAtMs + beats * intervals.hostPingMs;
}

export function provenLinks(host: HostState, role: Role): Link[] {
  return [...host.links.values()].filter((link) => link.role === role && link.phase.name === "proven");
}

/** Tells the host's own process that a client has come or gone. */
export function tellOfClient(host: HostState, event: "connected" | "disconnected"): void {
  host.config.onNews?.({ what: "client", event, clients: provenLinks(host, "client").length });
}

/** The number of the youngest client's link; 0 without one. */
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
