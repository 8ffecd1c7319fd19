/**
 * Finds out whether the host still answers, by asking it while a caller waits for an answer. A host that is stopped or
 * behind a lost network keeps its connections, so that silence is the only sign. It tells the callers, and ends
 * nothing.
 */
import { intervals } from "../../protocol/limits.ts";
import { startList } from "./client-calls.ts";
import type { ClientState } from "./client-state.ts";

const ASK_AFTER_MS = intervals.hostPingMs;
/** If a tick comes this late, this process itself slept, so the silence says nothing about the host. */
const OVERSLEPT_MS = 2_000;

/** Call it for each arrived frame, before the frame is handled. */
export function hearHost(client: ClientState): void {
  client.heardAtMs = client.nowMs;
  client.isHostAsked = false;
  tellQuiet(client, false);
}

/** Call it before a tick, with the time at which the tick was due. */
export function forgiveSleep(client: ClientState, dueAtMs: number): void {
  const oversleptMs = client.nowMs - dueAtMs;
  if (oversleptMs > OVERSLEPT_MS) client.heardAtMs = Math.min(client.nowMs, client.heardAtMs + oversleptMs);
}

/** Call it after every event: it asks the host, tells the callers, and sets the time of the next look. */
export function watchHost(client: ClientState): void {
  const wasWatched = client.isHostWatched;
  client.isHostWatched = client.phase === "attached" && isWaiting(client);
  if (!client.isHostWatched) return;
  // Silence counts from the moment at which a caller begins to wait.
  if (!wasWatched) hearHost(client);
  // Compare sums and not differences: with a fraction of a millisecond, a rounded difference could make the next look
  // due now, again and again.
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
