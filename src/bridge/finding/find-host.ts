/**
 * From the port candidates of this machine to a proven link. It answers the questions of a search with real sockets and
 * processes, and gives a clear error for every other program that it meets on the way.
 */
import { KEY_FILE_VARIABLE } from "../../auth/index.ts";
import { HEALTH_PATH } from "../../protocol/limits.ts";
import { StudioBridgeError } from "../../protocol/errors.ts";
import * as messages from "../../protocol/messages.ts";
import { healthSchema } from "../../protocol/network.ts";
import { systemReason } from "../../util/system-error.ts";
import type { Holder } from "./claim-core.ts";
import { dialAsync, localAddress } from "../client/client-socket.ts";
import type { FoundHost } from "../client/client-link.ts";
import type { Dialled, DialOptions } from "../client/client-socket.ts";
import { find, findNext } from "./find-core.ts";
import type { FindAnswer, FindEnd, FindQuestion } from "./find-core.ts";
import type { StartedHost } from "./start-host.ts";

export interface FindOptions extends DialOptions {
  /** In the order in which they are tried. */
  readonly ports: readonly number[];
  readonly hostCommand?: readonly string[] | undefined;
  /** Makes this process the host; throws HOST_RUNNING when another process was first. */
  readonly becomeHostAsync?: (() => Promise<FoundHost>) | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Called when no host answers and one is started. */
  readonly onStart?: (() => void) | undefined;
  /** Called when the started host has not answered for some seconds; the search goes on. */
  readonly onSlowStart?: (() => void) | undefined;
}

const REMOTE_MS = 3_000;

/**
 * Finds the next host after one was lost. Throws like findHostAsync, but later, because another process may be about to
 * become the host.
 */
export function findNextHostAsync(options: FindOptions): Promise<FoundHost> {
  return followAsync(findNext, options);
}

/** Throws HOST_UNREACHABLE, HOST_UNTRUSTED, HOST_START_FAILED, or the signal's reason. */
export function findHostAsync(options: FindOptions): Promise<FoundHost> {
  return followAsync(find, options);
}

/** Answers the questions of the search until it is over. */
async function followAsync(search: typeof find, options: FindOptions): Promise<FoundHost> {
  const { ports, becomeHostAsync, hostCommand } = options;
  const seeker = new Seeker(options);
  const steps = search({
    ports,
    start: becomeHostAsync !== undefined ? "self" : hostCommand !== undefined ? "command" : "nothing",
    nowMs: () => performance.now(),
    random: () => Math.random(),
  });
  options.signal?.throwIfAborted();
  let step = steps.next({});
  while (step.done !== true) {
    const answer = await seeker.answerAsync(step.value);
    options.signal?.throwIfAborted();
    step = steps.next(answer);
  }
  if (step.value.end === "found" && seeker.found !== undefined) return seeker.found;
  throw await failureAsync(step.value, seeker, ports);
}

/** Carries out the questions and keeps what the last ones found. */
class Seeker {
  found: FoundHost | undefined;
  failure: unknown;
  readonly #options: FindOptions;
  #started: StartedHost | undefined;

  constructor(options: FindOptions) {
    this.#options = options;
  }

  async answerAsync(question: FindQuestion): Promise<FindAnswer> {
    switch (question.ask) {
      case "dial":
        return { holder: await this.#dialAsync(question.port) };
      case "become":
        return this.#becomeAsync();
      case "start":
        return this.#startAsync();
      case "tell-slow":
        this.#options.onSlowStart?.();
        return {};
      case "pause":
        await Bun.sleep(question.durationMs);
        return { exitCode: this.#started?.exitCode() };
    }
  }

  async #dialAsync(port: number): Promise<Holder> {
    const dialled = await dialAsync(localAddress(port), this.#options);
    if (dialled.kind === "host") this.found = foundAt(port, dialled);
    if (dialled.kind === "refused") this.failure = dialled.error;
    return dialled.kind;
  }

  async #becomeAsync(): Promise<FindAnswer> {
    try {
      this.found = await this.#options.becomeHostAsync?.();
      return { isHost: true };
    } catch (error) {
      if (error instanceof StudioBridgeError && error.code === "HOST_RUNNING") return {};
      this.failure = error;
      return { hasFailed: true };
    }
  }

  async #startAsync(): Promise<FindAnswer> {
    const { startHost } = await import("./start-host.ts");
    this.#options.onStart?.();
    try {
      this.#started = startHost(this.#options.hostCommand ?? []);
      return {};
    } catch (error) {
      this.failure = error;
      return { hasFailed: true };
    }
  }
}

async function failureAsync(
  result: FindEnd,
  { failure }: Seeker,
  ports: readonly number[],
): Promise<unknown> {
  switch (result.end) {
    case "failed":
      return failure;
    case "hung": {
      const { portHolder } = await import("./port-holder.ts");
      return messages.hostHung(result.port, portHolder(result.port));
    }
    case "untrusted":
      return untrustedAsync(result.port);
    case "silent":
      return messages.hostStartFailed(`it did not answer within ${result.waitedMs / 1000} s`);
    case "ended":
      return messages.hostStartFailed(`it ended with exit code ${result.exitCode}`);
    default:
      return messages.noHost(ports);
  }
}

/**
 * A host of ours looks untrusted if its key file was replaced while it ran; its note in the state folder still names
 * it.
 */
async function untrustedAsync(port: number): Promise<StudioBridgeError> {
  const { hostPid } = await import("../host/host-file.ts");
  const pid = hostPid(port);
  if (pid === undefined) return messages.hostUntrusted(`port ${port}`);
  const hint = `Process ${pid} was this machine's bridge host there: if the key file was removed or replaced since, stop it, and run \`sb install-plugin\`.`;
  return messages.hostUntrusted(`port ${port}`, hint);
}

function foundAt(port: number, { socket, welcome }: Extract<Dialled, { kind: "host" }>): FoundHost {
  return { link: socket, welcome, port };
}

/**
 * Connects to a host on another machine, such as the one that runs this container. It names the port that its proof
 * contains.
 */
export async function findRemoteHostAsync(
  hostname: string,
  port: number,
  options: DialOptions,
): Promise<FoundHost> {
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
  if (health === undefined) throw messages.remoteUnreachable(authority, "it is not a bridge host");
  return health.value.port;
}
