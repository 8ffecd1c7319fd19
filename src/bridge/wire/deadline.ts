/**
 * When a request must have ended. While a person at Studio is asked about it, the time does not count: the deadline moves by
 * as long as the request was held. A plugin that falls silent meanwhile holds it no longer than it has said.
 */
import { limits } from "../../protocol/limits.ts";

export interface Deadline {
  dueAtMs: number;
  /** Since when the request is held, and how much of its time is left. */
  held: { readonly sinceMs: number; readonly leftMs: number } | undefined;
  /** How long it was held before. */
  heldMs: number;
}

export const deadlineAt = (dueAtMs: number): Deadline => ({ dueAtMs, held: undefined, heldMs: 0 });

/** The plugin holds the request, for so many milliseconds at most. */
export function hold(deadline: Deadline, nowMs: number, untilMs: number): void {
  deadline.held ??= { sinceMs: nowMs, leftMs: Math.max(0, deadline.dueAtMs - nowMs) };
  deadline.dueAtMs = nowMs + Math.min(untilMs, limits.heldMs) + deadline.held.leftMs;
}

/** The request goes on, or its plugin has lost it. */
export function release(deadline: Deadline, nowMs: number): void {
  if (deadline.held === undefined) return;
  deadline.dueAtMs = nowMs + deadline.held.leftMs;
  deadline.heldMs = totalHeldMs(deadline, nowMs);
  deadline.held = undefined;
}

/** How long it was held in all. */
export const totalHeldMs = ({ held, heldMs }: Deadline, nowMs: number): number =>
  heldMs + (held === undefined ? 0 : nowMs - held.sinceMs);

/** The `untilMs` of a `held`; 0 for one that cannot be read. */
export function untilIn(payload: unknown): number {
  const { untilMs }: { readonly untilMs?: unknown } = Object(payload);
  return typeof untilMs === "number" && untilMs >= 0 ? untilMs : 0;
}
