/**
 * Keeps a slow reader from holding up others or filling memory: while too much waits to be read, pushes are dropped and
 * counted per session, and the reader is told how many before it gets the next one. Replies never pass here.
 */
import { frame } from "../wire/frames.ts";

/** What may wait unread before pushes are dropped. */
export const PUSH_BACKLOG_BYTES = 4 * 1024 * 1024;

export class PushGate {
  readonly #dropped = new Map<string, number>();

  /** True when the push may go out now; else it is counted as dropped. */
  admit(sessionId: string, count: number, backlogBytes: number): boolean {
    if (backlogBytes < PUSH_BACKLOG_BYTES) return true;
    this.#dropped.set(sessionId, (this.#dropped.get(sessionId) ?? 0) + count);
    return false;
  }

  /** The frames that own up to what was dropped since the last call. */
  settle(): string[] {
    if (this.#dropped.size === 0) return [];
    const frames = [...this.#dropped].map(([sessionId, dropped]) =>
      frame("push-dropped", { sessionId, dropped }),
    );
    this.#dropped.clear();
    return frames;
  }
}
