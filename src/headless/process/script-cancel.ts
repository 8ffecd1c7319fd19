/**
 * Decides when a `cancel` frame may interrupt what runs: the VM that is busy is the one of the request's session, and the
 * request is the execute that must be running, because the executes of a session run one after the other. Everything
 * else is the plugin's business.
 */
import { isOfType, numberMember, textMember } from "./frame-text.ts";
import { SHARED, vmMark } from "./worker-messages.ts";

const REPLY_TYPES = ["scriptComplete", "error"];

export class ScriptCancel {
  readonly #cells: Int32Array;
  /** Executes that the plugin has not answered, oldest first, to their sessions. */
  readonly #unanswered = new Map<string, string>();
  /** Registrations that the host has not answered to the marks of their VMs. */
  readonly #registering = new Map<string, number>();
  /** Sessions to the marks of their VMs. */
  readonly #marks = new Map<string, number>();

  constructor(shared: SharedArrayBuffer) {
    this.#cells = new Int32Array(shared);
  }

  /** A frame from the bridge host, before the engine gets it. */
  seeIncoming(frame: string): void {
    const requestId = textMember(frame, "requestId");
    if (requestId === undefined) return;
    if (isOfType(frame, "execute")) this.#unanswered.set(requestId, textMember(frame, "sessionId") ?? "");
    else if (isOfType(frame, "registered")) this.#registered(frame, requestId);
    else if (isOfType(frame, "cancel")) this.#cancel(requestId);
  }

  /** A frame from the plugin. */
  seeOutgoing(frame: string): void {
    if (isOfType(frame, "register")) this.#register(frame);
    else if (isOfType(frame, "unregister")) this.#marks.delete(textMember(frame, "sessionId") ?? "");
    else if (REPLY_TYPES.some((type) => isOfType(frame, type)))
      this.#unanswered.delete(textMember(frame, "requestId") ?? "");
  }

  /** Executes to their sessions, oldest first. */
  get unanswered(): ReadonlyMap<string, string> {
    return this.#unanswered;
  }

  #register(frame: string): void {
    const requestId = textMember(frame, "requestId") ?? "";
    const context = textMember(frame, "payload", "context") ?? "";
    this.#registering.set(requestId, vmMark(context, numberMember(frame, "payload", "player", "index")));
  }

  #registered(frame: string, requestId: string): void {
    const mark = this.#registering.get(requestId);
    const sessionId = textMember(frame, "payload", "sessionId");
    this.#registering.delete(requestId);
    if (mark !== undefined && sessionId !== undefined) this.#marks.set(sessionId, mark);
  }

  #cancel(requestId: string): void {
    const session = this.#unanswered.get(requestId);
    const oldest = [...this.#unanswered].find(([, other]) => other === session)?.[0];
    const mark = this.#marks.get(session ?? "");
    if (oldest !== requestId || mark === undefined) return;
    if (Atomics.load(this.#cells, SHARED.busy) === mark) Atomics.store(this.#cells, SHARED.cancel, mark);
  }
}
