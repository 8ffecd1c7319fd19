/** The bridge host of this process, the body of `sb serve`. */
import type { HostOptions } from "./host-options.ts";
import type { HostServer } from "./host/host-server.ts";

export interface HostClosed {
  /** `idle`, or the reason that was given to `stopAsync`. */
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

  /**
   * Throws KEY_ERROR, HOST_RUNNING, PORT_UNAVAILABLE or HOST_UNTRUSTED; the error names the port's holder if it is
   * known.
   */
  static async startAsync(options: HostOptions): Promise<BridgeHost> {
    // Import late, so that a process which only uses a host never loads the code of one.
    const { startServerAsync } = await import("./finding/start-server.ts");
    return new BridgeHost(await startServerAsync(options));
  }

  /** Waits until the present host has ended, and becomes the next; undefined when another process was faster. */
  static async standByAsync(options: HostOptions): Promise<BridgeHost | undefined> {
    const { standByAsync } = await import("./finding/stand-by.ts");
    const server = await standByAsync(options);
    return server === undefined ? undefined : new BridgeHost(server);
  }

  /** Refuses new requests, answers those in progress for up to two seconds, tells all peers, and frees the port. */
  async stopAsync(reason = "stopped"): Promise<void> {
    this.#server.stop(reason);
    await this.closed;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.stopAsync();
  }
}
