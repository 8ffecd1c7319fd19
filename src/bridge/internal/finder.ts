/** How one connection comes to a host, the first time and whenever it has lost one; owns the host of this process. */
import type { Prover } from "../../auth/index.ts";
import { PORT_CANDIDATES } from "../../protocol/limits.ts";
import type { ConnectOptions } from "../connection.ts";
import { BridgeHost } from "../host.ts";
import { findHostAsync, findNextHostAsync, findRemoteHostAsync } from "./find-host.ts";
import type { FindOptions, Found } from "./find-host.ts";

/** How long a remote host may be away. */
const REMOTE_PATIENCE_MS = 10_000;
const REMOTE_RETRY_MS = 100;
/** How often a connection that needs nothing at the moment looks for the next host. */
const IDLE_LOOK_MS = 100;

export class Finder implements AsyncDisposable {
  ownHost: BridgeHost | undefined;
  readonly #prover: Prover;
  readonly #options: ConnectOptions;
  readonly #over = new AbortController();

  constructor(prover: Prover, options: ConnectOptions) {
    this.#prover = prover;
    this.#options = options;
  }

  async findAsync(signal: AbortSignal | undefined): Promise<Found> {
    return this.#options.remote === undefined
      ? findHostAsync({ ...this.#findOptions(), signal })
      : this.#findRemoteAsync();
  }

  /** Starts a host of its own only when `isNeeded` says so; until then it waits for somebody else's. */
  async findNextAsync(isNeeded: () => boolean): Promise<Found> {
    const { signal } = this.#over;
    const options = { ...this.#findOptions(), signal };
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

  async [Symbol.asyncDispose](): Promise<void> {
    this.#over.abort();
    await this.ownHost?.stopAsync("its process ends");
  }

  /** Undefined when a host is needed, or when this process is there to be it. */
  async #waitForOthersAsync(options: FindOptions, isNeeded: () => boolean): Promise<Found | undefined> {
    if (options.hostCommand === undefined || options.becomeHostAsync !== undefined) return undefined;
    const onlyLook = { ...options, hostCommand: undefined };
    while (!isNeeded()) {
      options.signal?.throwIfAborted();
      const found = await findHostAsync(onlyLook).catch(() => undefined);
      if (found !== undefined) return found;
      await Bun.sleep(IDLE_LOOK_MS);
    }
    return undefined;
  }

  #findRemoteAsync(): Promise<Found> {
    const { remote = { host: "" }, allowUnpaired = false } = this.#options;
    const port = remote.port ?? PORT_CANDIDATES[0];
    return findRemoteHostAsync(remote.host, port, { prover: this.#prover, allowUnpaired });
  }

  #findOptions(): FindOptions {
    const { port, host, hostCommand, allowUnpaired = false } = this.#options;
    return {
      prover: this.#prover,
      allowUnpaired,
      ports: port === undefined ? PORT_CANDIDATES : [port],
      hostCommand,
      becomeHostAsync: host === undefined ? undefined : () => this.#becomeHostAsync(host),
    };
  }

  async #becomeHostAsync(host: NonNullable<ConnectOptions["host"]>): Promise<void> {
    const { port, allowUnpaired = false } = this.#options;
    const started = await BridgeHost.startAsync({
      ...host,
      allowUnpaired,
      ...(port === undefined ? {} : { port }),
      idleExitMs: Infinity,
    });
    this.ownHost = started;
    if (this.#over.signal.aborted) await started.stopAsync("its process ends");
  }
}
