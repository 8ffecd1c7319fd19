/**
 * After a client comes back on another link, the plugin repeats the lines that this host sent to the old link. Frames
 * that the plugin sent before it learned of that come after a gap and will be repeated too, so they are skipped here.
 */
import type { Envelope } from "../../protocol/envelope.ts";
import type { PendingRequest } from "./host-state.ts";

export function isOldTail(pending: PendingRequest, { type, payload }: Envelope): boolean {
  if (!pending.skipsOldTail) return false;
  if (type === "output") {
    pending.skipsOldTail = seqOf(payload) > pending.outputCount;
    return pending.skipsOldTail;
  }
  // The first end after the gap belongs to the skipped frames; the plugin repeats the end after the lines.
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
