/**
 * A proven link to a host, shared by every session of one connection: matches answers to callers and pushes to
 * listeners. Knows frames' envelopes only; what is inside is checked by whoever asked.
 */
import type { ActionName } from "../../protocol/actions.ts";
import type { Envelope } from "../../protocol/envelope.ts";
import type { StudioBridgeError } from "../../protocol/errors.ts";
import type { OutputMessage, SubscribableEvent } from "../../protocol/events.ts";
import { cancelled } from "../../protocol/messages.ts";
import type { NetworkPayload } from "../../protocol/network.ts";
import { randomHex } from "../../util/random-hex.ts";
import type { ClientEffect } from "./client-core.ts";
import type { ClientSocket } from "./client-socket.ts";

export interface CallOptions {
  readonly timeoutMs: number;
  readonly signal?: AbortSignal;
  readonly onOutput?: (messages: readonly OutputMessage[]) => void;
}

export interface PushListener {
  readonly sessionId: string;
  readonly events: readonly SubscribableEvent[];
  readonly push: (envelope: Envelope) => void;
  readonly dropped: (count: number) => void;
}

interface Waiting {
  readonly resolve: (envelope: Envelope) => void;
  readonly reject: (error: StudioBridgeError) => void;
  readonly onOutput: (messages: readonly OutputMessage[]) => void;
}

type SessionEvent = NetworkPayload<"session-event">;

const LIST_TIMEOUT_MS = 5_000;

export class HostLink implements Disposable {
  /** Resolves when the host or the link is gone. */
  readonly closed: Promise<void>;
  isClosed = false;
  readonly #socket: ClientSocket;
  readonly #waiting = new Map<string, Waiting>();
  readonly #pushListeners = new Set<PushListener>();
  readonly #sessionListeners = new Set<(event: SessionEvent) => void>();

  constructor(socket: ClientSocket) {
    this.#socket = socket;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.closed = promise;
    socket.attach(
      (effect) => this.#perform(effect),
      () => {
        this.isClosed = true;
        resolve();
      },
    );
  }

  /** The reply's envelope. Aborting does not end the call: the host's answer about it does. */
  async callAsync(
    sessionId: string,
    action: ActionName,
    payload: unknown,
    options: CallOptions,
  ): Promise<Envelope> {
    const { timeoutMs, signal, onOutput } = options;
    if (signal?.aborted === true) throw cancelled("not_started");
    const requestId = randomHex(16);
    const abort = () => this.#socket.dispatch({ type: "abort", requestId });
    signal?.addEventListener("abort", abort, { once: true });
    try {
      return await this.#askAsync(requestId, onOutput, () =>
        this.#socket.dispatch({ type: "call", call: { requestId, sessionId, action, payload, timeoutMs } }),
      );
    } finally {
      signal?.removeEventListener("abort", abort);
    }
  }

  listSessionsAsync(): Promise<Envelope> {
    const requestId = randomHex(16);
    return this.#askAsync(requestId, undefined, () =>
      this.#socket.dispatch({ type: "list", requestId, timeoutMs: LIST_TIMEOUT_MS }),
    );
  }

  onSessionEvent(listener: (event: SessionEvent) => void): () => void {
    this.#sessionListeners.add(listener);
    return () => this.#sessionListeners.delete(listener);
  }

  /** Call the result to stop; it says which events nobody on this link listens to any more. */
  listenToPushes(listener: PushListener): () => readonly SubscribableEvent[] {
    this.#pushListeners.add(listener);
    return () => {
      if (!this.#pushListeners.delete(listener)) return [];
      const others = [...this.#pushListeners].filter((other) => other.sessionId === listener.sessionId);
      return listener.events.filter((event) => !others.some((other) => other.events.includes(event)));
    };
  }

  [Symbol.dispose](): void {
    this.#socket[Symbol.dispose]();
  }

  #askAsync(requestId: string, onOutput: CallOptions["onOutput"], send: () => void): Promise<Envelope> {
    return new Promise((resolve, reject) => {
      this.#waiting.set(requestId, { resolve, reject, onOutput: onOutput ?? (() => {}) });
      send();
    });
  }

  #perform(effect: ClientEffect): void {
    switch (effect.type) {
      case "output":
        return this.#waiting.get(effect.requestId)?.onOutput(effect.messages);
      case "reply":
        return this.#end(effect.requestId)?.resolve(effect.envelope);
      case "failed":
        return this.#end(effect.requestId)?.reject(effect.error);
      case "push":
      case "dropped":
        return this.#push(effect);
      case "session-event":
        for (const listener of this.#sessionListeners) listener(effect.event);
    }
  }

  #end(requestId: string): Waiting | undefined {
    const waiting = this.#waiting.get(requestId);
    this.#waiting.delete(requestId);
    return waiting;
  }

  #push(effect: Extract<ClientEffect, { type: "push" | "dropped" }>): void {
    for (const listener of this.#pushListeners) {
      if (listener.sessionId !== effect.sessionId) continue;
      if (effect.type === "push") listener.push(effect.envelope);
      else listener.dropped(effect.count);
    }
  }
}
