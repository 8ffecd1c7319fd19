/**
 * Finds the port for a new host. Binding is the lock; before and after, every candidate is asked whether a host of this
 * key is there already, so that there is never a second one.
 */
import type { Prover } from "../../auth/index.ts";
import * as messages from "../../protocol/messages.ts";
import { systemCodeOf, systemReason } from "../../util/system-error.ts";
import { dialAsync, localAddress } from "./client-socket.ts";
import type { Dialled } from "./client-socket.ts";
import { hostPid } from "./host-file.ts";
import { portHolder } from "./port-holder.ts";
import { HostServer } from "./host-server.ts";
import type { HostServerOptions } from "./host-server.ts";

type ServerOptions = Omit<HostServerOptions, "port">;

const LEAVING_MS = 250;
const LEAVING_RETRY_MS = 2;

/**
 * `hasLooked`: the caller has just asked every candidate. Throws HOST_RUNNING, PORT_UNAVAILABLE or HOST_UNTRUSTED, naming
 * who holds the port where that is known.
 */
export async function claimPortAsync(
  ports: readonly number[],
  options: ServerOptions,
  hasLooked: boolean,
): Promise<HostServer> {
  if (!hasLooked) await refuseSecondHostAsync(ports, options.prover);
  const server = await bindFirstAsync(ports, options);
  try {
    // Two hosts that started at once may have met different strangers; the one further back yields.
    await refuseSecondHostAsync(ports.slice(0, ports.indexOf(server.port)), options.prover);
  } catch (error) {
    server.stop("yielded");
    throw error;
  }
  return server;
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
async function bindFirstAsync(ports: readonly number[], options: ServerOptions): Promise<HostServer> {
  const isPinned = ports.length === 1;
  for (const port of ports) {
    try {
      return await bindAsync({ ...options, port });
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

/** A host that is just going may hold the port a moment longer than it answers. */
async function bindAsync(options: HostServerOptions): Promise<HostServer> {
  const patientUntil = performance.now() + LEAVING_MS;
  for (;;) {
    try {
      return new HostServer(options);
    } catch (error) {
      const isTaken = systemCodeOf(error) === "EADDRINUSE";
      if (!isTaken || performance.now() > patientUntil) throw error;
      if ((await probeAsync(options.port, options.prover)) !== "free") throw error;
    }
    await Bun.sleep(LEAVING_RETRY_MS);
  }
}

function hungHolder(port: number) {
  const pid = portHolder(port)?.pid;
  const who = pid === undefined ? "a program" : `process ${pid}`;
  return messages.portUnavailable(port, `${who} holds it and does not answer`);
}
