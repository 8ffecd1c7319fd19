/**
 * The host inside a process that also does something else. It is used without a socket, and left to a successor at the
 * end.
 */
import type { Prover } from "../../auth/index.ts";
import type { HostOptions } from "../host-options.ts";
import type { FoundHost } from "../client/client-link.ts";
import { reasons } from "../host/host-core.ts";
import type { HostServer } from "../host/host-server.ts";
import { startHost } from "./start-host.ts";
import { startServerAsync } from "./start-server.ts";

/**
 * How long an ending process waits for its successor: it must end within 100 ms, whether the successor is ready or not.
 */
const SUCCESSOR_MS = 25;
/** How long a process that is about to be suspended waits for its successor. */
const PATIENT_SUCCESSOR_MS = 1_000;
const LOOK_MS = 2;

export class OwnHost {
  readonly #server: HostServer;

  private constructor(server: HostServer) {
    this.#server = server;
  }

  /** The caller has just dialled every candidate. Throws like `startServerAsync`. */
  static async startAsync(options: HostOptions, prover: Prover): Promise<OwnHost> {
    return new OwnHost(await startServerAsync(options, prover));
  }

  get hostId(): string {
    return this.#server.hostId;
  }

  connect(): FoundHost {
    return this.#server.openLocal();
  }

  /** Another process should become the host instead. */
  get makesRoom(): boolean {
    return this.#server.makesRoom;
  }

  /**
   * Ends the host. If other processes use it, `successorCommand` starts the next host, which they ask about their
   * requests.
   */
  async endAsync(successorCommand: readonly string[] | undefined): Promise<void> {
    await this.#startSuccessorAsync(successorCommand, SUCCESSOR_MS);
    this.#server.stop("its process ends", 0);
    await this.#server.exited;
  }

  /** Leaves the host role; this process then becomes a client of the successor, if there is one. */
  async leaveAsync(successorCommand: readonly string[] | undefined): Promise<void> {
    await this.#startSuccessorAsync(successorCommand, PATIENT_SUCCESSOR_MS);
    this.#server.stop(reasons.leave);
    await this.#server.exited;
  }

  /** Starts the successor and waits until it has joined, so that clients are without a host only briefly. */
  async #startSuccessorAsync(command: readonly string[] | undefined, patienceMs: number): Promise<void> {
    const server = this.#server;
    if (command === undefined || !server.isInUse) return;
    const newest = server.newestClient;
    startHost(command);
    const goAt = performance.now() + patienceMs;
    while (server.newestClient === newest && performance.now() < goAt) await Bun.sleep(LOOK_MS);
  }
}
