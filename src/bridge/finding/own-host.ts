/** The host inside a process that does something else as well: used without a socket, left to a successor at the end. */
import type { Prover } from "../../auth/index.ts";
import type { HostOptions } from "../host-options.ts";
import type { FoundHost } from "../client/client-link.ts";
import { reasons } from "../host/host-core.ts";
import type { HostServer } from "../host/host-server.ts";
import { startHost } from "./start-host.ts";
import { startServerAsync } from "./start-server.ts";

/** A process that is told to end does so within 100 ms, whether its successor is ready or not. */
const SUCCESSOR_MS = 25;
/** One that is to stand still may wait until it is. */
const PATIENT_SUCCESSOR_MS = 1_000;
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

  get hostId(): string {
    return this.#server.hostId;
  }

  connect(): FoundHost {
    return this.#server.openLocal();
  }

  /** Another process is to be the host instead. */
  get makesRoom(): boolean {
    return this.#server.makesRoom;
  }

  /** What is under way is asked about at the next host, which `successorCommand` starts where somebody needs one. */
  async endAsync(successorCommand: readonly string[] | undefined): Promise<void> {
    await this.#startSuccessorAsync(successorCommand, SUCCESSOR_MS);
    this.#server.stop("its process ends", 0);
    await this.#server.exited;
  }

  /** Its process goes on as a client of the successor, if there is one. */
  async leaveAsync(successorCommand: readonly string[] | undefined): Promise<void> {
    await this.#startSuccessorAsync(successorCommand, PATIENT_SUCCESSOR_MS);
    this.#server.stop(reasons.leave);
    await this.#server.exited;
  }

  /** Waits until it has joined, so that nobody misses a host for long. */
  async #startSuccessorAsync(command: readonly string[] | undefined, patienceMs: number): Promise<void> {
    const server = this.#server;
    if (command === undefined || !server.isInUse) return;
    const newest = server.newestClient;
    startHost(command);
    const goAt = performance.now() + patienceMs;
    while (server.newestClient === newest && performance.now() < goAt) await Bun.sleep(LOOK_MS);
  }
}
