/**
 * Keeps a slow reader from delaying others or filling memory. While too many bytes wait to be read, pushes are dropped
 * and counted per session, and the reader is told the number before its next push. Replies never pass this gate.
 */
import { frame } from "../wire/frames.ts";

/** How many bytes may wait unread before pushes are dropped. */
export const PUSH_BACKLOG_BYTES = 4 * 1024 * 1024;

export class PushGate {
  readonly #dropped = new Map<string, number>();

  /** True if the push may be sent now; otherwise it is counted as dropped. */
  admit(sessionId: string, count: number, backlogBytes: number): boolean {
    if (backlogBytes < PUSH_BACKLOG_BYTES) return true;
    this.#dropped.set(sessionId, (this.#dropped.get(sessionId) ?? 0) + count);
    return false;
  }

  /** The frames that report what was dropped since the last call. */
  settle(): string[] {
    if (this.#dropped.size === 0) return [];
    const frames = [...this.#dropped].map(([sessionId, dropped]) =>
      frame("push-dropped", { sessionId, dropped }),
    );
    this.#dropped.clear();
    return frames;
  }
}
