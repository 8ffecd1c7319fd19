/** The bridge host of this process, the body of `sb serve`. */
import type { HostServer } from "./host/host-server.ts";

export interface HostOptions {
  /** Pins one port instead of the candidates; 0: any free port, without a look at who else is there. */
  readonly port?: number;
  /** Takes plugins and clients without a proof. */
  readonly allowUnpaired?: boolean;
  /** Listens to other machines too, not only to this one. */
  readonly dangerouslyExpose?: boolean;
  /** How long the host stays without clients and without sessions. */
  readonly idleExitMs?: number;
  /** Nobody started it on purpose: while it has nothing to do, a newer sb may take its place. */
  readonly makesRoom?: boolean;
  readonly version: string;
  /** Plugins of another build are told that there is an update. */
  readonly buildId?: string;
}

export interface HostClosed {
  /** `idle`, or what was given to `stopAsync`. */
  readonly reason: string;
}

export class BridgeHost implements AsyncDisposable {
  readonly port: number;
  readonly hostId: string;
  /** Resolves when the port is free again. */
  readonly closed: Promise<HostClosed>;
  readonly #server: HostServer;

  private constructor(server: HostServer) {
    this.#server = server;
    this.port = server.port;
    this.hostId = server.hostId;
    this.closed = server.exited.then((reason) => ({ reason }));
  }

  /** Throws KEY_ERROR, HOST_RUNNING, PORT_UNAVAILABLE or HOST_UNTRUSTED, naming who holds the port where that is known. */
  static async startAsync(options: HostOptions): Promise<BridgeHost> {
    // A process that only uses a host never loads one.
    const { startServerAsync } = await import("./host/start-server.ts");
    return new BridgeHost(await startServerAsync(options));
  }

  /** Waits until the host there is has gone, and becomes the next; undefined when another process was faster. */
  static async succeedAsync(options: HostOptions): Promise<BridgeHost | undefined> {
    const { succeedAsync } = await import("./host/succeed.ts");
    const server = await succeedAsync(options);
    return server === undefined ? undefined : new BridgeHost(server);
  }

  /** Refuses new requests, answers those under way for up to two seconds, tells everybody, frees the port. */
  async stopAsync(reason = "stopped"): Promise<void> {
    this.#server.stop(reason);
    await this.closed;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.stopAsync();
  }
}
