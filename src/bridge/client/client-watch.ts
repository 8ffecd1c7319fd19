/**
 * Whether the host still answers, which is asked only while somebody waits for it: a host that is stopped, or behind a
 * network that has gone, keeps its connections. Nothing ends because of it; whoever waits is told.
 */
import { intervals } from "../../protocol/limits.ts";
import { startList } from "./client-calls.ts";
import type { ClientState } from "./client-state.ts";

const ASK_AFTER_MS = intervals.hostPingMs;
/** A tick later than this means that the process itself slept, and says nothing about the host. */
const OVERSLEPT_MS = 2_000;

/** Before what came is looked at. */
export function hearHost(client: ClientState): void {
  client.heardAtMs = client.nowMs;
  client.isHostAsked = false;
  tellQuiet(client, false);
}

/** Before a tick, with the time at which it was due. */
export function forgiveSleep(client: ClientState, dueAtMs: number): void {
  const oversleptMs = client.nowMs - dueAtMs;
  if (oversleptMs > OVERSLEPT_MS) client.heardAtMs = Math.min(client.nowMs, client.heardAtMs + oversleptMs);
}

/** After every event: asks, tells, and sees to it that the next look comes in time. */
export function watchHost(client: ClientState): void {
  const wasWatched = client.isHostWatched;
  client.isHostWatched = client.phase === "attached" && isWaiting(client);
  if (!client.isHostWatched) return;
  // Silence counts from when somebody waits.
  if (!wasWatched) hearHost(client);
  // Sums, not differences: a fraction of a millisecond must not make the next look the present one.
  const isSilentFor = (durationMs: number) => client.nowMs >= client.heardAtMs + durationMs;
  if (isSilentFor(ASK_AFTER_MS) && !client.isHostAsked) {
    client.isHostAsked = true;
    startList(client, "", intervals.staleAfterMs);
  }
  if (isSilentFor(intervals.staleAfterMs)) tellQuiet(client, true);
  else {
    const nextLookMs = client.isHostAsked ? intervals.staleAfterMs : ASK_AFTER_MS;
    client.dueAtMs = Math.min(client.dueAtMs, client.heardAtMs + nextLookMs);
  }
}

function isWaiting(client: ClientState): boolean {
  if (client.subscriptions.size > 0) return true;
  for (const { isOwn } of client.calls.values()) if (!isOwn) return true;
  return false;
}

function tellQuiet(client: ClientState, isQuiet: boolean): void {
  if (client.isQuiet === isQuiet) return;
  client.isQuiet = isQuiet;
  client.effects.push({ type: "quiet", isQuiet });
}
