/** How one connection finds a host, the first time and after each loss; owns the host of this process. */
import type { Prover } from "../../auth/index.ts";
import { PORT_CANDIDATES } from "../../protocol/limits.ts";
import type { FoundHost } from "../client/client-link.ts";
import type { ConnectOptions } from "../connect-options.ts";
import { findHostAsync, findNextHostAsync, findRemoteHostAsync } from "./find-host.ts";
import type { FindOptions } from "./find-host.ts";
import type { OwnHost } from "./own-host.ts";

/** How long a remote host may be unreachable. */
const REMOTE_PATIENCE_MS = 10_000;
const REMOTE_RETRY_MS = 100;
/** How often a connection without open calls looks for the next host. */
const IDLE_LOOK_MS = 100;
/**
 * How long a short-lived process lets others become the host first, because a process that stays is the better host.
 */
const HEAD_START_MS = 8;
/** How long a host that has made room waits for the next before it becomes the host again. */
const ROOM_MS = 2_000;
const ROOM_LOOK_MS = 5;

export class Finder implements AsyncDisposable {
  ownHost: OwnHost | undefined;
  readonly #prover: Prover;
  readonly #options: ConnectOptions;
  readonly #over = new AbortController();

  constructor(prover: Prover, options: ConnectOptions) {
    this.#prover = prover;
    this.#options = options;
  }

  async findAsync(signal: AbortSignal | undefined): Promise<FoundHost> {
    if (this.#options.remote !== undefined) return this.#findRemoteAsync();
    const options = { ...this.#findOptions(), signal };
    return findHostAsync(this.#stays ? options : { ...options, becomeHostAsync: undefined });
  }

  /**
   * Starts or becomes a host only when `isNeeded` says so; until then it waits for another process to become the host.
   */
  async findNextAsync(isNeeded: () => boolean): Promise<FoundHost> {
    const { signal } = this.#over;
    const options = { ...this.#findOptions(), signal };
    const hasMadeRoom = this.ownHost?.makesRoom === true;
    this.ownHost = undefined;
    if (hasMadeRoom) {
      const found = await this.#waitForSuccessorAsync(options);
      if (found !== undefined) return found;
    }
    if (this.#options.remote === undefined)
      return (await this.#waitForOthersAsync(options, isNeeded)) ?? findNextHostAsync(options);
    const patientUntil = performance.now() + REMOTE_PATIENCE_MS;
    for (;;) {
      try {
        return await this.#findRemoteAsync();
      } catch (error) {
        signal.throwIfAborted();
        if (performance.now() > patientUntil) throw error;
      }
      await Bun.sleep(REMOTE_RETRY_MS);
    }
  }

  /** True if this process takes the host role at its start when there is no host. */
  get #stays(): boolean {
    const { host, hostCommand, stays = hostCommand === undefined } = this.#options;
    return host !== undefined && stays;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#over.abort();
    await this.ownHost?.endAsync(this.#options.successorCommand);
  }

  /** Leaves the host of this process to a successor, which the processes that need a host then find. */
  async leaveHostAsync(): Promise<void> {
    await this.ownHost?.leaveAsync(this.#options.successorCommand);
  }

  /** Waits for the process that asked this host to make room; undefined when it did not become the host. */
  async #waitForSuccessorAsync(options: FindOptions): Promise<FoundHost | undefined> {
    const patientUntil = performance.now() + ROOM_MS;
    while (performance.now() < patientUntil) {
      options.signal?.throwIfAborted();
      const found = await findHostAsync(onlyLooking(options)).catch(() => undefined);
      if (found !== undefined) return found;
      await Bun.sleep(ROOM_LOOK_MS);
    }
    return undefined;
  }

  /** Undefined when a host is needed now, when this process should be the host, or when it cannot start one. */
  async #waitForOthersAsync(options: FindOptions, isNeeded: () => boolean): Promise<FoundHost | undefined> {
    if (this.#stays || (options.hostCommand ?? options.becomeHostAsync) === undefined) return undefined;
    while (this.#options.onlyFollows === true || !isNeeded()) {
      options.signal?.throwIfAborted();
      const found = await findHostAsync(onlyLooking(options)).catch(() => undefined);
      if (found !== undefined) return found;
      await Bun.sleep(IDLE_LOOK_MS);
    }
    await Bun.sleep(HEAD_START_MS);
    return undefined;
  }

  #findRemoteAsync(): Promise<FoundHost> {
    const { remote = { host: "" }, allowUnpaired = false } = this.#options;
    const port = remote.port ?? PORT_CANDIDATES[0];
    return findRemoteHostAsync(remote.host, port, { prover: this.#prover, allowUnpaired });
  }

  #findOptions(): FindOptions {
    const { port, host, hostCommand, onStart, onSlowStart, allowUnpaired = false } = this.#options;
    return {
      prover: this.#prover,
      allowUnpaired,
      ports: port === undefined ? PORT_CANDIDATES : [port],
      hostCommand,
      onStart,
      onSlowStart,
      becomeHostAsync: host === undefined ? undefined : () => this.#becomeHostAsync(host),
    };
  }

  async #becomeHostAsync(host: NonNullable<ConnectOptions["host"]>): Promise<FoundHost> {
    const { port, allowUnpaired = false } = this.#options;
    const pinned = port === undefined ? {} : { port };
    const { OwnHost } = await import("./own-host.ts");
    const own = await OwnHost.startAsync(
      { ...host, ...pinned, allowUnpaired, idleExitMs: Infinity, makesRoom: true },
      this.#prover,
    );
    this.ownHost = own;
    const found = own.connect();
    if (!this.#over.signal.aborted) return found;
    found.link[Symbol.dispose]();
    await own.endAsync(this.#options.successorCommand);
    throw this.#over.signal.reason;
  }
}

/** The options of a search that neither starts nor becomes a host. */
function onlyLooking(options: FindOptions): FindOptions {
  return { ...options, hostCommand: undefined, becomeHostAsync: undefined };
}
