/** The bridge host of this process, the body of `sb serve`. */
import { intervals, PORT_CANDIDATES } from "../protocol/limits.ts";
import { claimPortAsync } from "./internal/claim-port.ts";
import { HostServer } from "./internal/host-server.ts";
import { loadProverAsync } from "./internal/load-prover.ts";

export interface HostOptions {
  /** Pins one port instead of the candidates; 0: any free port, without a look at who else is there. */
  readonly port?: number;
  /** Takes plugins and clients without a proof. */
  readonly allowUnpaired?: boolean;
  /** Listens to other machines too, not only to this one. */
  readonly dangerouslyExpose?: boolean;
  /** How long the host stays without clients and without sessions. */
  readonly idleExitMs?: number;
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
    const prover = await loadProverAsync();
    const serverOptions = {
      prover,
      version: options.version,
      buildId: options.buildId,
      allowUnpaired: options.allowUnpaired ?? false,
      isExposed: options.dangerouslyExpose ?? false,
      idleExitMs: options.idleExitMs ?? intervals.hostIdleExitMs,
    };
    const { port } = options;
    if (port === 0) return new BridgeHost(new HostServer({ ...serverOptions, port }));
    const ports = port === undefined ? PORT_CANDIDATES : [port];
    return new BridgeHost(await claimPortAsync(ports, serverOptions));
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
