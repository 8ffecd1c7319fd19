/**
 * A process's connection to the bridge host, and to the next host when that is lost. It lists sessions, waits for them,
 * and returns a BridgeSession for each.
 */
import { isNewer } from "../util/version-order.ts";
import { hostLost } from "../protocol/messages.ts";
import type { NetworkPayload, SessionInfo } from "../protocol/network.ts";
import type { ConnectOptions } from "./connect-options.ts";
import type { FoundHost } from "./client/client-link.ts";
import { Finder } from "./finding/finder.ts";
import type { PluginPipe } from "./host/private-host.ts";
import { BridgeClient } from "./client/bridge-client.ts";
import { loadProverAsync } from "./finding/load-prover.ts";
import { BridgeSession } from "./session.ts";
import type { Asker } from "./session.ts";

export interface SessionList {
  readonly sessions: SessionInfo[];
  /** Plugins without this machine's key that tried to connect within the last minute. */
  readonly unpaired: UnpairedAttempt[];
  /** Connections that the host has turned away since it started, by reason. */
  readonly refusals: { readonly [reason: string]: number };
  /** The host accepts peers without a proof. */
  readonly allowsUnpaired: boolean;
}

export type SessionEvent = NetworkPayload<"session-event">;
export type UnpairedAttempt = NetworkPayload<"list-sessions-response">["unpaired"][number];

/** The bridge host that a connection uses. */
export interface HostInfo {
  readonly port: number;
  readonly hostId: string;
  /** The host's version of sb. */
  readonly version: string;
  /** The host runs in this process. */
  readonly isOwn: boolean;
}

/** Where a connection finds hosts: on the machine, or the one private host of its own. */
interface HostSource extends AsyncDisposable {
  readonly ownHost: { readonly hostId: string } | undefined;
  findNextAsync(isNeeded: () => boolean): Promise<FoundHost>;
  leaveHostAsync(): Promise<void>;
}

/** How long to wait for a successor, which takes over within milliseconds once it has joined. */
const MOVE_MS = 500;

export class BridgeConnection implements AsyncDisposable {
  /** Resolves when the connection has ended; a host that moves or is replaced does not end it. */
  readonly closed: Promise<void>;
  readonly #client: BridgeClient;
  readonly #hosts: HostSource;

  readonly #asker: Asker | undefined;

  private constructor(hosts: HostSource, client: BridgeClient, asker?: Asker) {
    this.#hosts = hosts;
    this.#client = client;
    this.#asker = asker;
    this.closed = client.closed;
  }

  /** The same connection for another asker, such as one of several agents. The owner of the connection disposes of it. */
  as(asker: Asker): BridgeConnection {
    return new BridgeConnection(this.#hosts, this.#client, asker);
  }

  /** Throws KEY_ERROR, HOST_UNREACHABLE, HOST_UNTRUSTED, HOST_START_FAILED, PORT_UNAVAILABLE, or the signal's reason. */
  static async connectAsync(options: ConnectOptions): Promise<BridgeConnection> {
    const finder = new Finder(await (options.prover ?? loadProverAsync()), options);
    const connection = new BridgeConnection(finder, clientOf(finder, await finder.findAsync(options.signal)));
    const { version, hostCommand, host, remote } = options;
    if (version === undefined || remote !== undefined || (hostCommand ?? host) === undefined)
      return connection;
    await connection.#askForRoomAsync(version);
    // Another process of the older version may have become the host, so ask again after every change.
    connection.onHostChange(() => void connection.#askForRoomAsync(version).catch(() => {}));
    return connection;
  }

  /**
   * A connection to a host of its own that no other process can reach. Its only plugin is the one at the other end of
   * the pipe that `servePlugin` receives.
   */
  static async startPrivateAsync(version: string): Promise<{
    readonly bridge: BridgeConnection;
    servePlugin(pipe: PluginPipe): void;
  }> {
    const { PrivateHost } = await import("./host/private-host.ts");
    const host = new PrivateHost(version);
    return {
      bridge: new BridgeConnection(host, clientOf(host, host.connect())),
      servePlugin: (pipe) => void host.servePluginAsync(pipe),
    };
  }

  async #askForRoomAsync(version: string): Promise<void> {
    if (!isNewer(version, this.host.version)) return;
    // The next host waits for the sessions that this client knows, so learn them first.
    await this.sessionsAsync();
    this.#client.retireHost(version);
  }

  get host(): HostInfo {
    const { host } = this.#client;
    return { ...host, isOwn: host.hostId === this.#hosts.ownHost?.hostId };
  }

  get port(): number {
    return this.#client.host.port;
  }

  get hostId(): string {
    return this.#client.host.hostId;
  }

  /** The sessions that the host has pushed; it is asked only if it does not push them. */
  sessionsAsync(): Promise<readonly SessionInfo[]> {
    return this.#client.sessionsAsync();
  }

  /** Asks the host, also for the facts that it does not push. */
  async listSessionsAsync(): Promise<SessionList> {
    const { sessions, unpaired, refusals, allowsUnpaired = false } = await this.#client.listSessionsAsync();
    return { sessions, unpaired, refusals, allowsUnpaired };
  }

  /** The listener is called for every host after the first. Call the result to stop listening. */
  onHostChange(listener: (host: HostInfo) => void): () => void {
    return this.#client.onHostChange(() => listener(this.host));
  }

  /** The listener hears when the host has not answered for 15 s while a caller waits, and when it answers again. */
  onQuiet(listener: (isQuiet: boolean) => void): () => void {
    return this.#client.onQuiet(listener);
  }

  /** Call the result to stop listening. */
  onSessionEvent(listener: (event: SessionEvent) => void): () => void {
    return this.#client.onSessionEvent(listener);
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
    // The promise may reject before the caller awaits it.
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
      const present = (await this.sessionsAsync()).find(accept);
      return present ?? (await promise);
    } finally {
      stop();
      clearTimeout(timer);
      signal?.removeEventListener("abort", abort);
    }
  }

  session(sessionId: string): BridgeSession {
    return new BridgeSession(sessionId, this.#client, this.#asker);
  }

  /**
   * Gives the host role of this process to others. Resolves when another host has it, no process needs it, or none took
   * it in time.
   */
  async leaveHostAsync(): Promise<void> {
    if (!this.host.isOwn) return;
    const moved = Promise.withResolvers<void>();
    const stop = this.onHostChange(() => moved.resolve());
    await this.#hosts.leaveHostAsync();
    await Promise.race([moved.promise, this.closed, Bun.sleep(MOVE_MS)]);
    stop();
  }

  /** If this process is the host, it hands over to the other processes that use it. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#client[Symbol.dispose]();
    await this.#hosts[Symbol.asyncDispose]();
  }
}

const clientOf = (hosts: HostSource, found: FoundHost): BridgeClient =>
  new BridgeClient(found, (isNeeded) => hosts.findNextAsync(isNeeded));
