/**
 * One connection's way to its present host: runs the client core, finds the next host when one is lost, and hands
 * answers to callers and pushes to listeners. It reads only the envelopes of frames; the caller checks the contents.
 */
import type { ActionName } from "../../protocol/actions.ts";
import type { Caller } from "../../protocol/fields/callers.ts";
import type { Envelope } from "../../protocol/envelope.ts";
import type { StudioBridgeError } from "../../protocol/errors.ts";
import type { OutputMessage, SubscribableEvent } from "../../protocol/events.ts";
import { cancelled } from "../../protocol/messages.ts";
import type { SessionInfo } from "../../protocol/network.ts";
import { Alarm } from "../../util/alarm.ts";
import { randomHex } from "../../util/random-hex.ts";
import { createClientState, knownSessions, nextDueAt, step } from "./client-core.ts";
import type { ClientEffect, ClientEvent, Listing, SessionEvent } from "./client-core.ts";
import type { FoundHost } from "./client-link.ts";
import type { InputWanted } from "./client-state.ts";
import { frame } from "../wire/frames.ts";

export interface CallOptions {
  readonly timeoutMs: number;
  readonly signal?: AbortSignal;
  readonly onOutput?: (messages: readonly OutputMessage[]) => void;
  readonly onInputWanted?: (wanted: InputWanted) => void;
  /** The person at Studio is asked about the call, or not any longer. */
  readonly onHeld?: ((isHeld: boolean) => void) | undefined;
  readonly caller?: Caller | undefined;
  readonly summary?: string | undefined;
}

interface PushListener {
  readonly sessionId: string;
  readonly events: readonly SubscribableEvent[];
  readonly push: (envelope: Envelope) => void;
  readonly dropped: (count: number) => void;
}

interface Waiting {
  readonly reply: (envelope: Envelope) => void;
  readonly listed: (listing: Listing) => void;
  readonly reject: (error: StudioBridgeError) => void;
  readonly onOutput: (messages: readonly OutputMessage[]) => void;
  readonly onInputWanted: (wanted: InputWanted) => void;
  readonly onHeld?: ((isHeld: boolean) => void) | undefined;
}

const LIST_TIMEOUT_MS = 5_000;
const ignore = () => {};

export class BridgeClient implements Disposable {
  /** Resolves when the connection has ended: it was closed, or found no host for too long. */
  readonly closed: Promise<void>;
  isClosed = false;
  readonly #resolveClosed: () => void;
  readonly #core = createClientState({ randomHex }, performance.now());
  readonly #alarm = new Alarm(() => this.#dispatch({ type: "tick" }));
  readonly #findNextAsync: (isNeeded: () => boolean) => Promise<FoundHost>;
  readonly #waiting = new Map<string, Waiting>();
  readonly #pushListeners = new Set<PushListener>();
  readonly #sessionListeners = new Set<(event: SessionEvent) => void>();
  readonly #hostListeners = new Set<() => void>();
  readonly #quietListeners = new Set<(isQuiet: boolean) => void>();
  #host: FoundHost;

  constructor(host: FoundHost, findNextAsync: (isNeeded: () => boolean) => Promise<FoundHost>) {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.closed = promise;
    this.#resolveClosed = resolve;
    this.#findNextAsync = findNextAsync;
    this.#host = host;
    this.#attach();
  }

  /** The present host, or the last one. */
  get host(): { readonly hostId: string; readonly port: number; readonly version: string } {
    const { welcome, port } = this.#host;
    return { hostId: welcome.hostId, port, version: welcome.serverVersion };
  }

  /**
   * Resolves with the reply's envelope. Aborting asks the host to cancel the call; the call ends with the host's
   * answer.
   */
  async callAsync(
    sessionId: string,
    action: ActionName,
    payload: unknown,
    options: CallOptions,
  ): Promise<Envelope> {
    const { timeoutMs, signal, onOutput = ignore, onInputWanted = ignore, caller, summary } = options;
    if (signal?.aborted === true) throw cancelled("not_started");
    let isHeld = false;
    const onHeld = (isHeldNow: boolean) => {
      isHeld = isHeldNow;
      options.onHeld?.(isHeldNow);
    };
    const callId = randomHex(16);
    const abort = () => this.#dispatch({ type: "abort", callId });
    signal?.addEventListener("abort", abort, { once: true });
    try {
      return await new Promise((reply, reject) => {
        this.#waiting.set(callId, { reply, listed: ignore, reject, onOutput, onInputWanted, onHeld });
        const call = { callId, sessionId, action, payload, timeoutMs, caller, summary };
        this.#dispatch({ type: "call", call });
      });
    } finally {
      signal?.removeEventListener("abort", abort);
      // A No and a question without an answer end the wait too.
      if (isHeld) onHeld(false);
    }
  }

  /** The sessions that the host has pushed; asks like `listSessionsAsync` only if the host has not pushed any list. */
  async sessionsAsync(): Promise<readonly SessionInfo[]> {
    return knownSessions(this.#core, performance.now()) ?? (await this.listSessionsAsync()).sessions;
  }

  listSessionsAsync(): Promise<Listing> {
    const callId = randomHex(16);
    return new Promise((listed, reject) => {
      this.#waiting.set(callId, { reply: ignore, listed, reject, onOutput: ignore, onInputWanted: ignore });
      this.#dispatch({ type: "list", callId, timeoutMs: LIST_TIMEOUT_MS });
    });
  }

  /** Asks the present host to make room for one of this version; it does so only when it has nothing to do. */
  retireHost(version: string): void {
    this.#host.link.send(frame("host-retire", { version }));
  }

  onSessionEvent(listener: (event: SessionEvent) => void): () => void {
    this.#sessionListeners.add(listener);
    return () => this.#sessionListeners.delete(listener);
  }

  onHostChange(listener: () => void): () => void {
    this.#hostListeners.add(listener);
    return () => this.#hostListeners.delete(listener);
  }

  onQuiet(listener: (isQuiet: boolean) => void): () => void {
    this.#quietListeners.add(listener);
    return () => this.#quietListeners.delete(listener);
  }

  /** Call the result to stop listening; it returns the events that no listener of this link wants any more. */
  listenToPushes(listener: PushListener): () => readonly SubscribableEvent[] {
    this.#pushListeners.add(listener);
    return () => {
      if (!this.#pushListeners.delete(listener)) return [];
      const others = [...this.#pushListeners].filter((other) => other.sessionId === listener.sessionId);
      return listener.events.filter((event) => !others.some((other) => other.events.includes(event)));
    };
  }

  [Symbol.dispose](): void {
    this.#host.link[Symbol.dispose]();
    this.#end();
  }

  #attach(): void {
    const { link, welcome } = this.#host;
    this.#dispatch({ type: "attached", sessions: welcome.sessions });
    link.attach({
      frame: (text) => this.#dispatch({ type: "frame", text }),
      closed: () => void this.#moveOnAsync(link),
    });
  }

  async #moveOnAsync(lost: FoundHost["link"]): Promise<void> {
    if (this.isClosed || lost !== this.#host.link) return;
    this.#dispatch({ type: "detached" });
    const next = await this.#findNextAsync(() => this.#isNeeded()).catch(ignore);
    if (this.isClosed) return next?.link[Symbol.dispose]();
    if (next === undefined) return this.#end();
    this.#host = next;
    this.#attach();
    for (const listener of this.#hostListeners) listener();
  }

  /** True while a caller waits for something that only a host can give. */
  #isNeeded(): boolean {
    return this.#waiting.size + this.#pushListeners.size + this.#sessionListeners.size > 0;
  }

  #end(): void {
    if (this.isClosed) return;
    this.isClosed = true;
    this.#dispatch({ type: "lost" });
    this.#alarm[Symbol.dispose]();
    this.#resolveClosed();
  }

  #dispatch(event: ClientEvent): void {
    for (const effect of step(this.#core, event, performance.now())) this.#perform(effect);
    this.#alarm.wakeBy(nextDueAt(this.#core), performance.now());
  }

  #perform(effect: ClientEffect): void {
    switch (effect.type) {
      case "send":
        return this.#host.link.send(effect.text);
      case "output":
        return this.#waiting.get(effect.callId)?.onOutput(effect.messages);
      case "input-wanted":
        return this.#waiting.get(effect.callId)?.onInputWanted(effect.wanted);
      case "held":
        return this.#waiting.get(effect.callId)?.onHeld?.(effect.isHeld);
      case "reply":
        return this.#take(effect.callId)?.reply(effect.envelope);
      case "listed":
        return this.#take(effect.callId)?.listed(effect.listing);
      case "failed":
        return this.#take(effect.callId)?.reject(effect.error);
      case "push":
      case "dropped":
        return this.#push(effect);
      case "session-event":
        for (const listener of this.#sessionListeners) listener(effect.event);
        return;
      case "quiet":
        for (const listener of this.#quietListeners) listener(effect.isQuiet);
    }
  }

  #take(callId: string): Waiting | undefined {
    const waiting = this.#waiting.get(callId);
    this.#waiting.delete(callId);
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
