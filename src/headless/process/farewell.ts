/**
 * Makes the last frames of a VM that has died, because the VM cannot do so itself. They tell the bridge host that its sessions have
 * ended, and why its scripts get no answer.
 */
import { isOfType, textMember } from "./frame-text.ts";
import { OUT_OF_MEMORY } from "../vm/errors.ts";

interface FarewellFrame {
  readonly socketId: number;
  readonly text: string;
}

export class Farewell {
  /** Sessions to the sockets that carry them. */
  readonly #sockets = new Map<string, number>();
  readonly #keepsChanges: boolean;

  /** `keepsChanges`: the Studio outlives the command that changes something in it. */
  constructor(keepsChanges: boolean) {
    this.#keepsChanges = keepsChanges;
  }

  /** A frame from the bridge host. */
  seeIncoming(socketId: number, frame: string): void {
    const sessionId = isOfType(frame, "registered") ? textMember(frame, "payload", "sessionId") : undefined;
    if (sessionId !== undefined) this.#sockets.set(sessionId, socketId);
  }

  /** A frame from the plugin. */
  seeOutgoing(frame: string): void {
    if (isOfType(frame, "unregister")) this.#sockets.delete(textMember(frame, "sessionId") ?? "");
  }

  /** `unanswered` are the executes to their sessions, oldest first: of each session, only the first has started. */
  frames(reason: string, unanswered: ReadonlyMap<string, string>): FarewellFrame[] {
    const frames: FarewellFrame[] = [];
    const started = new Set<string>();
    for (const [requestId, sessionId] of unanswered) {
      const socketId = this.#sockets.get(sessionId);
      if (socketId === undefined) continue;
      const outcome = started.has(sessionId) ? "not_started" : "unknown";
      started.add(sessionId);
      const payload = { code: "SESSION_GONE", message: messageOf(reason, this.#keepsChanges), outcome };
      frames.push({ socketId, text: encode({ type: "error", sessionId, requestId, payload }) });
    }
    for (const [sessionId, socketId] of this.#sockets)
      frames.push({ socketId, text: encode({ type: "unregister", sessionId, payload: { reason } }) });
    return frames;
  }
}

/** The payload comes last, as everywhere; the codec would have to be loaded at every start for it. */
function encode(frame: { type: string; sessionId: string; requestId?: string; payload: object }): string {
  return JSON.stringify(frame);
}

function messageOf(reason: string, keepsChanges: boolean): string {
  const what =
    reason === OUT_OF_MEMORY
      ? "Headless Studio ended: a script used more memory than it has."
      : `Headless Studio ended: ${reason}.`;
  return keepsChanges ? `${what} Changes that were not saved are lost.` : what;
}
