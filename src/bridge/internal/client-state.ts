/** What a client knows of its host and of its own calls. Data only; the rules are in client-core.ts and its parts. */
import type { Prover } from "../../auth/index.ts";
import type { ActionName } from "../../protocol/actions.ts";
import type { Envelope } from "../../protocol/envelope.ts";
import type { StudioBridgeError } from "../../protocol/errors.ts";
import type { OutputMessage } from "../../protocol/events.ts";
import type { NetworkPayload } from "../../protocol/network.ts";

export interface ClientConfig {
  readonly prover: Prover;
  /** The port dialled, or the one that a forwarded host names. */
  readonly port: number;
  readonly nonceA: string;
  /** Take a host that welcomes without a proof. */
  readonly allowUnpaired: boolean;
}

export type ClientEvent =
  | { readonly type: "opened" }
  | { readonly type: "frame"; readonly text: string }
  | { readonly type: "closed" }
  | { readonly type: "call"; readonly call: CallStart }
  | { readonly type: "list"; readonly requestId: string; readonly timeoutMs: number }
  | { readonly type: "abort"; readonly requestId: string }
  | { readonly type: "tick" };

export interface CallStart {
  readonly requestId: string;
  readonly sessionId: string;
  readonly action: ActionName;
  readonly payload: unknown;
  readonly timeoutMs: number;
}

export type ClientEffect =
  | { readonly type: "send"; readonly text: string }
  | { readonly type: "close" }
  /** The host has proven itself and taken us in. */
  | { readonly type: "ready"; readonly hostId: string }
  /** Whoever is there is not our host. */
  | { readonly type: "untrusted" }
  /** Our host, but it does not take us in. */
  | { readonly type: "refused"; readonly error: StudioBridgeError }
  | { readonly type: "output"; readonly requestId: string; readonly messages: readonly OutputMessage[] }
  | { readonly type: "reply"; readonly requestId: string; readonly envelope: Envelope }
  | { readonly type: "failed"; readonly requestId: string; readonly error: StudioBridgeError }
  | { readonly type: "push"; readonly sessionId: string; readonly envelope: Envelope }
  | { readonly type: "dropped"; readonly sessionId: string; readonly count: number }
  | { readonly type: "session-event"; readonly event: NetworkPayload<"session-event"> }
  /** The host is leaving; it still answers what is under way. */
  | { readonly type: "host-leaving"; readonly reason: string };

export interface PendingCall {
  readonly requestId: string;
  /** Empty for a question to the host itself. */
  readonly sessionId: string;
  readonly action: ActionName | "list-sessions";
  readonly timeoutMs: number;
  giveUpAtMs: number;
  isCancelled: boolean;
  /** Number of the next line of output that has not been passed on. */
  nextSeq: number;
  readonly chunks: Map<number, string>;
}

export interface ClientState {
  readonly config: ClientConfig;
  phase: "connecting" | "hello" | "auth" | "ready" | "closed";
  hostId: string;
  nowMs: number;
  /** Nothing is due before this; it may lie too early, never too late. */
  dueAtMs: number;
  effects: ClientEffect[];
  readonly calls: Map<string, PendingCall>;
}

export function createClientState(config: ClientConfig, nowMs: number): ClientState {
  return {
    config,
    phase: "connecting",
    hostId: "",
    nowMs,
    dueAtMs: Infinity,
    effects: [],
    calls: new Map(),
  };
}
