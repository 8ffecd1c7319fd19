/**
 * A client that comes back on another link has missed lines that this host had already passed on. The plugin is asked to
 * repeat them; what it had sent before it heard of that follows a gap, comes again in its answer, and is left out here.
 */
import type { Envelope } from "../../protocol/envelope.ts";
import type { PendingRequest } from "./host-state.ts";

export function isOldTail(pending: PendingRequest, { type, payload }: Envelope): boolean {
  if (!pending.skipsOldTail) return false;
  if (type === "output") {
    pending.skipsOldTail = seqOf(payload) > pending.outputCount;
    return pending.skipsOldTail;
  }
  // The first end after the gap is the old one; the plugin repeats it behind the lines.
  if (type !== "chunk" || isLastChunk(payload)) pending.skipsOldTail = false;
  return type !== "running";
}

function seqOf(payload: unknown): number {
  if (typeof payload !== "object" || payload === null || !("seq" in payload)) return 0;
  return typeof payload.seq === "number" ? payload.seq : 0;
}

function isLastChunk(payload: unknown): boolean {
  if (typeof payload !== "object" || payload === null || !("total" in payload)) return true;
  return typeof payload.total !== "number" || seqOf(payload) >= payload.total - 1;
}
