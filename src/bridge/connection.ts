/** A process's way to the bridge host: finds or starts it, lists sessions, waits for them, and hands out BridgeSession. */
import { StudioBridgeError } from "../protocol/errors.ts";
import { decodePayload } from "../protocol/codec.ts";
import { PORT_CANDIDATES } from "../protocol/limits.ts";
import { hostLost } from "../protocol/messages.ts";
import { network } from "../protocol/network.ts";
import type { NetworkPayload, SessionInfo } from "../protocol/network.ts";
import { findHostAsync, findRemoteHostAsync } from "./internal/find-host.ts";
import type { Found } from "./internal/find-host.ts";
import { HostLink } from "./internal/host-link.ts";
import { loadProverAsync } from "./internal/load-prover.ts";
import { BridgeSession } from "./session.ts";

export interface ConnectOptions {
  /** Pins one port instead of the candidates. */
  readonly port?: number;
  readonly remote?: { readonly host: string; readonly port?: number };
  /** Command line that starts a detached host when none answers; absent: never start one (then HOST_UNREACHABLE). */
  readonly hostCommand?: readonly string[];
  /** Take a host that does not prove itself. */
  readonly allowUnpaired?: boolean;
  readonly signal?: AbortSignal;
}

export interface SessionList {
  readonly sessions: SessionInfo[];
  /** Plugins without this machine's key that tried to connect within the last minute. */
  readonly unpaired: UnpairedAttempt[];
}

export type SessionEvent = NetworkPayload<"session-event">;
export type UnpairedAttempt = NetworkPayload<"list-sessions-response">["unpaired"][number];

export class BridgeConnection implements AsyncDisposable {
  readonly port: number;
  readonly hostId: string;
  /** Resolves when the host or the link to it is gone. */
  readonly closed: Promise<void>;
  readonly #link: HostLink;

  private constructor({ socket, port }: Found) {
    this.port = port;
    this.hostId = socket.hostId;
    this.#link = new HostLink(socket);
    this.closed = this.#link.closed;
  }

  /** Throws KEY_ERROR, HOST_UNREACHABLE, HOST_UNTRUSTED, HOST_START_FAILED, or the signal's reason. */
  static async connectAsync(options: ConnectOptions): Promise<BridgeConnection> {
    const { port, remote, hostCommand, signal, allowUnpaired = false } = options;
    const prover = await loadProverAsync();
    if (remote !== undefined) {
      const remotePort = remote.port ?? PORT_CANDIDATES[0];
      const dial = { prover, allowUnpaired };
      return new BridgeConnection(await findRemoteHostAsync(remote.host, remotePort, dial));
    }
    const ports = port === undefined ? PORT_CANDIDATES : [port];
    return new BridgeConnection(await findHostAsync({ prover, allowUnpaired, ports, hostCommand, signal }));
  }

  async listSessionsAsync(): Promise<SessionList> {
    const decoded = decodePayload(
      network["list-sessions-response"].payload,
      await this.#link.listSessionsAsync(),
    );
    if (!decoded.ok) throw new StudioBridgeError(decoded.fault.code, decoded.fault.message);
    return { sessions: decoded.value.sessions, unpaired: decoded.value.unpaired };
  }

  /** Call the result to stop listening. */
  onSessionEvent(listener: (event: SessionEvent) => void): () => void {
    return this.#link.onSessionEvent(listener);
  }

  /**
   * Resolves with the first session that passes, present or future; null after `timeoutMs`. Throws HOST_UNREACHABLE when
   * the host goes meanwhile, or the signal's reason.
   */
  async waitForSessionAsync(
    accept: (session: SessionInfo) => boolean,
    options: { readonly timeoutMs: number; readonly signal?: AbortSignal },
  ): Promise<SessionInfo | null> {
    const { promise, resolve, reject } = Promise.withResolvers<SessionInfo | null>();
    const { signal } = options;
    // It may fail before anybody waits for it.
    promise.catch(() => {});
    const abort = () => reject(signal?.reason);
    void this.closed.then(() => reject(hostLost("not_started")));
    const stop = this.onSessionEvent(({ event, session }) => {
      if (event !== "disconnected" && accept(session)) resolve(session);
    });
    const timer = setTimeout(() => resolve(null), options.timeoutMs);
    signal?.addEventListener("abort", abort, { once: true });
    try {
      signal?.throwIfAborted();
      const { sessions } = await this.listSessionsAsync();
      const present = sessions.find(accept);
      return present ?? (await promise);
    } finally {
      stop();
      clearTimeout(timer);
      signal?.removeEventListener("abort", abort);
    }
  }

  session(sessionId: string): BridgeSession {
    return new BridgeSession(sessionId, this.#link);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#link[Symbol.dispose]();
  }
}
