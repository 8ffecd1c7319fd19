/**
 * Decides when a `cancel` frame may interrupt what runs: a VM is busy, and the request is the execute that must be
 * running, because the executes of a session run one after the other. Everything else is the plugin's business.
 */
import { textMember } from "./frame-text.ts";
import { SHARED } from "./worker-messages.ts";

const REPLY_TYPES = new Set(["scriptComplete", "error"]);

export class ScriptCancel {
  readonly #cells: Int32Array;
  /** Executes that the plugin has not answered, oldest first, to their sessions. */
  readonly #unanswered = new Map<string, string>();

  constructor(shared: SharedArrayBuffer) {
    this.#cells = new Int32Array(shared);
  }

  /** A frame from the bridge host, before the engine gets it. */
  seeIncoming(frame: string): void {
    const type = textMember(frame, "type");
    const requestId = textMember(frame, "requestId");
    if (requestId === undefined) return;
    if (type === "execute") this.#unanswered.set(requestId, textMember(frame, "sessionId") ?? "");
    else if (type === "cancel" && this.#isRunning(requestId)) Atomics.store(this.#cells, SHARED.cancel, 1);
  }

  /** A frame from the plugin. */
  seeOutgoing(frame: string): void {
    if (!REPLY_TYPES.has(textMember(frame, "type") ?? "")) return;
    const requestId = textMember(frame, "requestId");
    if (requestId !== undefined) this.#unanswered.delete(requestId);
  }

  /** Executes to their sessions, oldest first. */
  get unanswered(): ReadonlyMap<string, string> {
    return this.#unanswered;
  }

  #isRunning(requestId: string): boolean {
    const session = this.#unanswered.get(requestId);
    const oldest = [...this.#unanswered].find(([, other]) => other === session)?.[0];
    return oldest === requestId && Atomics.load(this.#cells, SHARED.busy) === 1;
  }
}
