/** The bridge host of this process, the body of `sb serve`: takes a port nobody else has, or says who has it. */
import type { Prover } from "../auth/index.ts";
import { intervals, PORT_CANDIDATES } from "../protocol/limits.ts";
import * as messages from "../protocol/messages.ts";
import { systemCodeOf, systemReason } from "../util/system-error.ts";
import { dialAsync, localAddress } from "./internal/client-socket.ts";
import type { Dialled } from "./internal/client-socket.ts";
import { hostPid, removeHostFile, writeHostFile } from "./internal/host-file.ts";
import { HostServer } from "./internal/host-server.ts";
import type { HostServerOptions } from "./internal/host-server.ts";
import { loadProverAsync } from "./internal/load-prover.ts";

export interface HostOptions {
  /** Pins one port instead of the candidates; 0: any free port, without a look at who else is there. */
  readonly port?: number;
  /** Takes plugins and clients without a proof. */
  readonly allowUnpaired?: boolean;
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
    const note = { pid: process.pid, hostId: server.hostId, port: server.port };
    writeHostFile(note);
    this.closed = server.exited.then((reason) => {
      removeHostFile(note);
      return { reason };
    });
  }

  /** Throws KEY_ERROR, HOST_RUNNING, PORT_UNAVAILABLE or HOST_UNTRUSTED, naming who holds the port where that is known. */
  static async startAsync(options: HostOptions): Promise<BridgeHost> {
    const prover = await loadProverAsync();
    const serverOptions: Omit<HostServerOptions, "port"> = {
      prover,
      version: options.version,
      buildId: options.buildId,
      allowUnpaired: options.allowUnpaired ?? false,
      idleExitMs: options.idleExitMs ?? intervals.hostIdleExitMs,
    };
    const ports: readonly number[] = options.port === undefined ? PORT_CANDIDATES : [options.port];
    if (options.port === 0) return new BridgeHost(new HostServer({ ...serverOptions, port: 0 }));
    await refuseSecondHostAsync(ports, prover);
    const server = await bindFirstAsync(ports, serverOptions);
    try {
      // Two hosts that started at once may have met different strangers; the one further back yields.
      await refuseSecondHostAsync(ports.slice(0, ports.indexOf(server.port)), prover);
    } catch (error) {
      server.stop("yielded");
      throw error;
    }
    return new BridgeHost(server);
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

async function refuseSecondHostAsync(ports: readonly number[], prover: Prover): Promise<void> {
  const found = await Promise.all(
    ports.map(async (port) => ({ port, dialled: await probeAsync(port, prover) })),
  );
  const running = found.find(({ dialled }) => dialled === "host");
  if (running !== undefined) throw messages.hostRunning(running.port, hostPid(running.port));
  const hung = found.find(({ dialled }) => dialled === "hung");
  if (hung !== undefined) throw hungHolder(hung.port);
}

async function probeAsync(port: number, prover: Prover): Promise<Dialled["kind"]> {
  const dialled = await dialAsync(localAddress(port), { prover, allowUnpaired: false });
  if (dialled.kind === "host") dialled.socket[Symbol.dispose]();
  return dialled.kind;
}

/** Binding is the lock: whoever binds is the host, and who cannot looks at who did. */
async function bindFirstAsync(
  ports: readonly number[],
  options: Omit<HostServerOptions, "port">,
): Promise<HostServer> {
  const isPinned = ports.length === 1;
  for (const port of ports) {
    try {
      return new HostServer({ ...options, port });
    } catch (error) {
      const holder = systemCodeOf(error) === "EADDRINUSE" ? await probeAsync(port, options.prover) : "free";
      if (holder === "host" || holder === "busy" || holder === "refused")
        throw messages.hostRunning(port, hostPid(port));
      if (holder === "hung") throw hungHolder(port);
      if (isPinned && holder === "stranger") throw messages.hostUntrusted(`port ${port}`);
      if (isPinned) throw messages.portUnavailable(port, systemReason(error));
    }
  }
  throw messages.noPortAvailable(ports);
}

function hungHolder(port: number) {
  const pid = hostPid(port);
  const who = pid === undefined ? "a program" : `process ${pid}`;
  return messages.portUnavailable(port, `${who} holds it and does not answer`);
}
