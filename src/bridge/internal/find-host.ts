/**
 * From "somewhere on this machine" to a proven link: the port candidates in order, a host started when there is none,
 * and a clear name for whatever else is found on the way.
 */
import { KEY_FILE_VARIABLE } from "../../auth/index.ts";
import { HEALTH_PATH } from "../../protocol/limits.ts";
import { StudioBridgeError } from "../../protocol/errors.ts";
import * as messages from "../../protocol/messages.ts";
import { healthSchema } from "../../protocol/network.ts";
import { systemReason } from "../../util/system-error.ts";
import type { Welcome } from "./client-greeting.ts";
import { dialAsync, localAddress } from "./client-socket.ts";
import type { ClientLink, Dialled, DialOptions } from "./client-socket.ts";
import type { StartedHost } from "./start-host.ts";

export interface Found {
  readonly link: ClientLink;
  readonly welcome: Welcome;
  readonly port: number;
}

export interface FindOptions extends DialOptions {
  /** In the order in which they are tried. */
  readonly ports: readonly number[];
  readonly hostCommand?: readonly string[] | undefined;
  /** Makes this very process the host; throws HOST_RUNNING when another was first. */
  readonly becomeHostAsync?: (() => Promise<Found>) | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** How long a host may take to start, or a busy one to take us in. */
const PATIENCE_MS = 5_000;
const RETRY_MS = 3;
/** How much of the time waited so far may pass until the next look, and the most of it. */
const NEXT_SHARE = 0.25;
const NEXT_PAUSE_MS = 25;
/** A host that lost the race for the port ends early; the winner then answers within this time. */
const RACE_MS = 1_000;
const REMOTE_MS = 3_000;

/** The next host after one was lost: somebody else may be about to become it. Throws like findHostAsync, later. */
export async function findNextHostAsync(options: FindOptions): Promise<Found> {
  const lostAt = performance.now();
  const patientUntil = lostAt + PATIENCE_MS;
  for (;;) {
    try {
      return await findHostAsync(options);
    } catch (error) {
      options.signal?.throwIfAborted();
      if (performance.now() > patientUntil) throw error;
    }
    const waitedMs = performance.now() - lostAt;
    await Bun.sleep(1 + Math.random() * Math.min(NEXT_PAUSE_MS, NEXT_SHARE * waitedMs));
  }
}

/** Throws HOST_UNREACHABLE, HOST_UNTRUSTED, HOST_START_FAILED, or the signal's reason. */
export async function findHostAsync(options: FindOptions): Promise<Found> {
  const giveUpAt = performance.now() + PATIENCE_MS;
  let started: StartedHost | undefined;
  let endedAt = Infinity;
  for (;;) {
    options.signal?.throwIfAborted();
    const found = await lookAsync(options);
    if (typeof found === "object") return found;
    if (found === "nobody" && options.becomeHostAsync !== undefined) {
      const own = await becomeHostUnlessRunningAsync(options.becomeHostAsync);
      if (own !== undefined) return own;
    } else if (found === "nobody" && started === undefined) {
      if (options.hostCommand === undefined) throw messages.noHost(options.ports);
      const { startHost } = await import("./start-host.ts");
      started = startHost(options.hostCommand);
    }
    const now = performance.now();
    const exitCode = started?.exitCode();
    if (exitCode !== undefined && endedAt === Infinity) endedAt = now;
    if (now > giveUpAt || now > endedAt + RACE_MS) throw notStarted(started, exitCode, options.ports);
    await Bun.sleep(RETRY_MS);
  }
}

/** Losing the race for the port is no failure: the winner is who we look for. */
async function becomeHostUnlessRunningAsync(
  becomeHostAsync: () => Promise<Found>,
): Promise<Found | undefined> {
  try {
    return await becomeHostAsync();
  } catch (error) {
    if (error instanceof StudioBridgeError && error.code === "HOST_RUNNING") return undefined;
    throw error;
  }
}

function notStarted(
  started: StartedHost | undefined,
  exitCode: number | null | undefined,
  ports: readonly number[],
) {
  if (started === undefined) return messages.noHost(ports);
  if (exitCode === undefined)
    return messages.hostStartFailed(`it did not answer within ${PATIENCE_MS / 1000} s`);
  return messages.hostStartFailed(`it ended with exit code ${exitCode}`);
}

/** One look at every candidate. `busy`: somebody may be about to answer. */
async function lookAsync(options: FindOptions): Promise<Found | "nobody" | "busy"> {
  const { ports } = options;
  const strangers: number[] = [];
  let hungPort: number | undefined;
  let isBusy = false;
  for (const port of ports) {
    const dialled = await dialAsync(localAddress(port), options);
    if (dialled.kind === "host") return foundAt(port, dialled);
    if (dialled.kind === "refused") throw dialled.error;
    if (dialled.kind === "stranger") strangers.push(port);
    if (dialled.kind === "hung") hungPort ??= port;
    if (dialled.kind === "busy") isBusy = true;
  }
  if (hungPort !== undefined) {
    const { portHolder } = await import("./port-holder.ts");
    throw messages.hostHung(hungPort, portHolder(hungPort));
  }
  const [first] = strangers;
  if (first !== undefined && strangers.length === ports.length) throw messages.hostUntrusted(`port ${first}`);
  return isBusy ? "busy" : "nobody";
}

function foundAt(port: number, { socket, welcome }: Extract<Dialled, { kind: "host" }>): Found {
  return { link: socket, welcome, port };
}

/** A host elsewhere, e.g. of the machine that runs this container. It names the port that it proves. */
export async function findRemoteHostAsync(
  hostname: string,
  port: number,
  options: DialOptions,
): Promise<Found> {
  const authority = `${hostname.includes(":") ? `[${hostname}]` : hostname}:${port}`;
  const provenPort = await askPortAsync(authority);
  const dialled = await dialAsync({ hostname, port, provenPort }, options);
  if (dialled.kind === "host") return foundAt(port, dialled);
  if (dialled.kind === "stranger")
    throw messages.hostUntrusted(authority, `Point ${KEY_FILE_VARIABLE} at a copy of that machine's key.`);
  if (dialled.kind === "refused") throw dialled.error;
  throw messages.remoteUnreachable(authority, "it does not answer");
}

async function askPortAsync(authority: string): Promise<number> {
  const signal = AbortSignal.timeout(REMOTE_MS);
  const response = await fetch(`http://${authority}${HEALTH_PATH}`, { signal }).catch((error: unknown) => {
    throw messages.remoteUnreachable(authority, systemReason(error));
  });
  const body: unknown = await response.json().catch(() => undefined);
  const health = healthSchema.read(body);
  if (health === undefined) throw messages.remoteUnreachable(authority, "it is no bridge host");
  return health.value.port;
}
