/** Waits beside a host that is about to end, and takes its place at once. */
import { PORT_CANDIDATES } from "../../protocol/limits.ts";
import { StudioBridgeError } from "../../protocol/errors.ts";
import { AwakeTimer } from "../../util/awake-timer.ts";
import type { HostOptions } from "../host-options.ts";
import { findHostAsync } from "./find-host.ts";
import type { FoundHost } from "../client/client-link.ts";
import type { HostServer } from "../host/host-server.ts";
import { loadProverAsync } from "./load-prover.ts";
import { startServerAsync } from "./start-server.ts";

/** How long to wait for the predecessor, which ends a moment after it has started its successor. */
const PREDECESSOR_MS = 2_000;

/** Undefined when another process was faster. Throws KEY_ERROR, PORT_UNAVAILABLE or HOST_UNTRUSTED. */
export async function standByAsync(options: HostOptions): Promise<HostServer | undefined> {
  const before = await findAsync(options);
  if (before !== undefined && !(await hasGoneAsync(before))) return undefined;
  try {
    return await startServerAsync(options);
  } catch (error) {
    if (error instanceof StudioBridgeError && error.code === "HOST_RUNNING") return undefined;
    throw error;
  }
}

/**
 * True when the predecessor has ended. If it stays instead, the successor must leave: its waiting connection would keep
 * the host busy, and both would stay for ever.
 */
async function hasGoneAsync({ link }: FoundHost): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  link.attach({ frame: () => {}, closed: () => resolve(true) });
  using _patience = new AwakeTimer(PREDECESSOR_MS, () => resolve(false));
  const hasGone = await promise;
  if (!hasGone) link[Symbol.dispose]();
  return hasGone;
}

/** Undefined if the predecessor has already ended. */
async function findAsync({ port, allowUnpaired = false }: HostOptions): Promise<FoundHost | undefined> {
  const ports = port === undefined ? PORT_CANDIDATES : [port];
  const prover = await loadProverAsync();
  return findHostAsync({ prover, allowUnpaired, ports }).catch((error: unknown) => {
    if (error instanceof StudioBridgeError && error.code === "HOST_UNREACHABLE") return undefined;
    throw error;
  });
}
