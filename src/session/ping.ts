/**
 * How long the parts of a request's way take: each is a difference within one clock, because the clocks of this process,
 * of the host and of the plugin do not agree. A reason for slowness is given only where it was measured.
 */
import type { BridgeSession, PingTimes } from "../bridge/index.ts";

export interface Hop {
  readonly name: string;
  readonly min: number;
  readonly p50: number;
  readonly p99: number;
}

export interface PingReport {
  readonly hops: readonly Hop[];
  readonly slow?: { readonly reason: string };
}

/** A Studio answers after a frame or two. */
export const SLOW_STUDIO_MS = 250;

/** Where a request's time went; empty for what an older host or plugin does not say. */
export function partsOf({ totalMs, hostMs, state: { timing } }: PingTimes): ReadonlyMap<string, number> {
  const parts = new Map<string, number>();
  const inPluginMs = timing === undefined ? undefined : timing.doneMs - timing.receivedMs;
  if (hostMs !== undefined) parts.set("to the host and back", totalMs - hostMs);
  if (hostMs !== undefined && inPluginMs !== undefined) parts.set("to Studio and back", hostMs - inPluginMs);
  if (timing !== undefined) {
    parts.set("next frame of Studio", timing.frameMs - timing.receivedMs);
    parts.set("handler", timing.doneMs - timing.frameMs);
  }
  return parts.set("whole request", totalMs);
}

/** Asks one question after the other. `asked` hears of each answer. Rejects where one is not answered. */
export async function pingAsync(
  session: BridgeSession,
  wish: {
    readonly count: number;
    readonly intervalMs: number;
    readonly timeoutMs?: number;
    readonly signal: AbortSignal;
    readonly asked?: (times: PingTimes) => void;
  },
): Promise<PingTimes[]> {
  const { count, intervalMs, timeoutMs, signal, asked } = wish;
  const all: PingTimes[] = [];
  while (all.length < count) {
    if (all.length > 0 && intervalMs > 0) await Bun.sleep(intervalMs);
    signal.throwIfAborted();
    const times = await session.pingAsync({ signal, ...(timeoutMs === undefined ? {} : { timeoutMs }) });
    all.push(times);
    asked?.(times);
  }
  return all;
}

/** `once`: what is done a single time before the first question, in milliseconds by name. */
export function pingReport(
  all: readonly PingTimes[],
  once: ReadonlyMap<string, number> = new Map(),
): PingReport {
  const samples = new Map<string, number[]>([...once].map(([name, ms]) => [name, [ms]]));
  for (const times of all)
    for (const [name, ms] of partsOf(times)) samples.set(name, [...(samples.get(name) ?? []), ms]);
  const hops = [...samples].map(([name, ms]) => hopOf(name, ms));
  const reason = slowness(all);
  return { hops, ...(reason === undefined ? {} : { slow: { reason } }) };
}

function hopOf(name: string, ms: readonly number[]): Hop {
  const sorted = ms.toSorted((one, other) => one - other);
  const at = (share: number) =>
    rounded(sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0);
  return { name, min: at(0), p50: at(0.5), p99: at(0.99) };
}

const rounded = (ms: number): number => Math.round(ms * 100) / 100;

function slowness(all: readonly PingTimes[]): string | undefined {
  const slow = all.filter(({ totalMs }) => totalMs > SLOW_STUDIO_MS);
  // As the middle that is shown, which is the slower one of an even number.
  if (slow.length * 2 < all.length || slow.length === 0) return undefined;
  const hasScripts = slow.some(({ state }) => (state.timing?.pendingScripts ?? 0) > 0);
  return hasScripts ? "scripts of sb wait or run in Studio" : "unknown";
}
