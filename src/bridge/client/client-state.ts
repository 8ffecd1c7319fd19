/** What a client knows of its calls and of the sessions behind its host. Data only; the rules are in client-core.ts. */
import type { ActionName } from "../../protocol/actions.ts";
import type { Caller } from "../../protocol/fields/callers.ts";
import type { Envelope } from "../../protocol/envelope.ts";
import type { StudioBridgeError } from "../../protocol/errors.ts";
import type { OutputMessage, SubscribableEvent } from "../../protocol/events.ts";
import type { Deadline } from "../wire/deadline.ts";
import type { NetworkPayload, SessionInfo } from "../../protocol/network.ts";

export interface ClientConfig {
  readonly randomHex: (sizeBytes: number) => string;
}

export type SessionEvent = NetworkPayload<"session-event">;
export type Listing = NetworkPayload<"list-sessions-response">;

export type ClientEvent =
  /** Both sides have proven themselves; `sessions` is the list in the host's welcome. */
  | { readonly type: "attached"; readonly sessions?: readonly SessionInfo[] | undefined }
  | { readonly type: "frame"; readonly text: string }
  /** The link broke, and the connection looks for another host. */
  | { readonly type: "detached" }
  /** No other link can be opened. */
  | { readonly type: "lost" }
  | { readonly type: "call"; readonly call: CallStart }
  | { readonly type: "list"; readonly callId: string; readonly timeoutMs: number }
  | { readonly type: "abort"; readonly callId: string }
  | { readonly type: "tick" };

export interface CallStart {
  readonly callId: string;
  readonly sessionId: string;
  readonly action: ActionName;
  readonly payload: unknown;
  readonly timeoutMs: number;
  readonly caller?: Caller | undefined;
  /** What is asked, for people. */
  readonly summary?: string | undefined;
}

/** A script, by the id that it has on the wire, waits for the piece of standard input with this number. */
export interface InputWanted {
  readonly scriptId: string;
  readonly seq: number;
}

export type ClientEffect =
  | { readonly type: "send"; readonly text: string }
  | { readonly type: "output"; readonly callId: string; readonly messages: readonly OutputMessage[] }
  | { readonly type: "input-wanted"; readonly callId: string; readonly wanted: InputWanted }
  /** A person at Studio is asked about the call, or not any longer. */
  | { readonly type: "held"; readonly callId: string; readonly isHeld: boolean }
  | { readonly type: "reply"; readonly callId: string; readonly envelope: Envelope }
  | { readonly type: "listed"; readonly callId: string; readonly listing: Listing }
  | { readonly type: "failed"; readonly callId: string; readonly error: StudioBridgeError }
  | { readonly type: "push"; readonly sessionId: string; readonly envelope: Envelope }
  | { readonly type: "dropped"; readonly sessionId: string; readonly count: number }
  | { readonly type: "session-event"; readonly event: SessionEvent }
  /** The host has been silent for a while, or answers again. */
  | { readonly type: "quiet"; readonly isQuiet: boolean };

export interface Call {
  /** The caller's name for it. */
  readonly callId: string;
  /**
   * The id on the wire. A script keeps its id, so that it never runs twice; a question that is asked again gets a new
   * one.
   */
  requestId: string;
  /** Empty for a question that the host itself answers. */
  readonly sessionId: string;
  readonly action: ActionName | "list-sessions";
  readonly payload: unknown;
  readonly timeoutMs: number;
  readonly caller?: Caller | undefined;
  readonly summary?: string | undefined;
  readonly startedAtMs: number;
  readonly deadline: Deadline;
  isCancelled: boolean;
  /** True if no caller waits for the end, because the client asks for its own bookkeeping. */
  readonly isOwn: boolean;
  /** The present host has received it. */
  isSent: boolean;
  /** A host received it, so that only the plugin knows whether it started. */
  mayHaveStarted: boolean;
  /** The plugin was asked about its fate and has not answered yet. */
  isAskedAbout: boolean;
  /** The number of the next output line to pass on. */
  nextSeq: number;
  readonly chunks: Map<number, string>;
}

interface KnownSession {
  readonly info: SessionInfo;
  readonly heardAtMs: number;
}

export interface Subscription {
  readonly events: Set<SubscribableEvent>;
  /** The number of the next log line, if it is known. */
  nextLogSeq: number | undefined;
}

export interface ClientState {
  readonly config: ClientConfig;
  phase: "detached" | "attached" | "leaving" | "over";
  /** How many links there have been so far. */
  attachments: number;
  nowMs: number;
  /** Nothing is due before this time. It may be too early, but never too late. */
  dueAtMs: number;
  effects: ClientEffect[];
  /** A caller waits for an answer that the host must give. */
  isHostWatched: boolean;
  /** When the host last sent a frame, or when a caller began to wait for one. */
  heardAtMs: number;
  /** The client has asked the host for a sign of life since then. */
  isHostAsked: boolean;
  /** Callers have been told that the host does not answer. */
  isQuiet: boolean;
  /** By `callId`, in the order in which they were made. */
  readonly calls: Map<string, Call>;
  readonly byRequestId: Map<string, Call>;
  /** The last known sessions, kept also while there is no host. */
  readonly sessions: Map<string, KnownSession>;
  /** The present host has listed all its sessions. */
  isListed: boolean;
  readonly subscriptions: Map<string, Subscription>;
}

export function createClientState(config: ClientConfig, nowMs: number): ClientState {
  return {
    config,
    phase: "detached",
    attachments: 0,
    nowMs,
    dueAtMs: Infinity,
    effects: [],
    isHostWatched: false,
    heardAtMs: nowMs,
    isHostAsked: false,
    isQuiet: false,
    calls: new Map(),
    byRequestId: new Map(),
    sessions: new Map(),
    isListed: false,
    subscriptions: new Map(),
  };
}

export function send(client: ClientState, text: string): void {
  client.effects.push({ type: "send", text });
}
