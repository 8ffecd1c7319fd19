/** The host inside a process that does something else as well: used without a socket, left to a successor at the end. */
import type { Prover } from "../../auth/index.ts";
import type { HostOptions } from "../host.ts";
import type { Found } from "./find-host.ts";
import { dialAsync, localAddress } from "./client-socket.ts";
import { HostServer } from "./host-server.ts";
import { startHost } from "./start-host.ts";
import { startServerAsync } from "./start-server.ts";

/** A process that is told to end does so within 100 ms, whether its successor is ready or not. */
const SUCCESSOR_MS = 40;
const LOOK_MS = 2;

export class OwnHost {
  readonly #server: HostServer;

  private constructor(server: HostServer) {
    this.#server = server;
  }

  /** The caller has just asked every candidate. Throws like `startServerAsync`. */
  static async startAsync(options: HostOptions, prover: Prover): Promise<OwnHost> {
    return new OwnHost(await startServerAsync(options, prover));
  }

  /**
   * Plays the host once, for itself alone, on a port that nobody knows: code that has run before is several times as fast
   * when the host is lost and everybody waits for this process.
   */
  static async rehearseAsync(prover: Prover): Promise<void> {
    const server = new HostServer({
      port: 0,
      prover,
      version: "",
      allowUnpaired: false,
      isExposed: false,
      idleExitMs: Infinity,
      isRehearsal: true,
    });
    const dialled = await dialAsync(localAddress(server.port), { prover, allowUnpaired: false });
    if (dialled.kind === "host") dialled.socket[Symbol.dispose]();
    server.stop("rehearsed", 0);
    await server.exited;
  }

  get hostId(): string {
    return this.#server.hostId;
  }

  connect(): Found {
    return this.#server.openLocal();
  }

  /** What is under way is asked about at the next host, which `successorCommand` starts where somebody needs one. */
  async leaveAsync(successorCommand: readonly string[] | undefined): Promise<void> {
    const server = this.#server;
    if (successorCommand !== undefined && server.isInUse) {
      const newest = server.newestClient;
      startHost(successorCommand);
      const goAt = performance.now() + SUCCESSOR_MS;
      while (server.newestClient === newest && performance.now() < goAt) await Bun.sleep(LOOK_MS);
    }
    server.stop("its process ends", 0);
    await server.exited;
  }
}
