/** Plugins without this machine's key that tried to connect recently, so that people can be shown them. */
import type { HostState } from "./host-state.ts";

const SHOWN_MS = 60_000;
const MAX_SHOWN = 32;

/** A plugin that tries again is listed once. */
export function noteUnpaired(
  host: HostState,
  pluginVersion: string | undefined,
  keyId: string | undefined,
): void {
  const others = recentUnpaired(host).filter(
    (other) => other.pluginVersion !== pluginVersion || other.keyId !== keyId,
  );
  host.unpaired = [...others, { atMs: host.nowMs, pluginVersion, keyId }].slice(-MAX_SHOWN);
}

export function recentUnpaired(host: HostState): HostState["unpaired"] {
  return host.unpaired.filter((attempt) => host.nowMs - attempt.atMs < SHOWN_MS);
}
