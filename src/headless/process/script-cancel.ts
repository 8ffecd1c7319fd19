/**
 * Decides whether a `cancel` frame interrupts the busy VM. It does if that VM is the one of the request's session, and if the request
 * is the script that runs there; the scripts of a session run one after the other. The plugin handles all other cancels.
 */
import { isOfType, numberMember, textMember } from "./frame-text.ts";
import { SHARED, vmMark } from "./worker-messages.ts";

const SCRIPT_TYPES = ["execute", "tryScript", "runInGame"];
const REPLY_TYPES = ["scriptComplete", "scriptTried", "ranInGame", "error"];

export class ScriptCancel {
  readonly #cells: Int32Array;
  /** Scripts that the plugin has not answered, oldest first, to their sessions. */
  readonly #unanswered = new Map<string, string>();
  /** The scripts among them whose link is gone. They may have ended, and no host knows it until it asks. */
  readonly #unheard = new Set<string>();
  /** For each registration that the host has not answered, the mark of its VM. */
  readonly #registering = new Map<string, number>();
  /** For each session, the mark of its VM. */
  readonly #marks = new Map<string, number>();

  constructor(shared: SharedArrayBuffer) {
    this.#cells = new Int32Array(shared);
  }

  /** A frame from the bridge host, before the engine gets it. */
  seeIncoming(frame: string): void {
    const requestId = textMember(frame, "requestId");
    if (requestId === undefined) return;
    if (SCRIPT_TYPES.some((type) => isOfType(frame, type)))
      this.#unanswered.set(requestId, textMember(frame, "sessionId") ?? "");
    else if (isOfType(frame, "await")) this.#unheard.delete(requestId);
    else if (isOfType(frame, "registered")) this.#registered(frame, requestId);
    else if (isOfType(frame, "cancel")) this.#cancel(requestId);
  }

  /** A frame from the plugin. */
  seeOutgoing(frame: string): void {
    if (isOfType(frame, "register")) this.#register(frame);
    else if (isOfType(frame, "unregister")) this.#marks.delete(textMember(frame, "sessionId") ?? "");
    else if (endsRequest(frame)) this.#forget(textMember(frame, "requestId") ?? "");
  }

  /** The link to the bridge host is gone. A reply that the plugin gives meanwhile is sent only when a host asks for it. */
  linkLost(): void {
    for (const requestId of [...this.#unanswered.keys()]) {
      if (this.#unheard.has(requestId)) this.#forget(requestId);
      else this.#unheard.add(requestId);
    }
  }

  /** Scripts that a host waits for, to their sessions, oldest first. */
  get unanswered(): ReadonlyMap<string, string> {
    return new Map([...this.#unanswered].filter(([requestId]) => !this.#unheard.has(requestId)));
  }

  #forget(requestId: string): void {
    this.#unanswered.delete(requestId);
    this.#unheard.delete(requestId);
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
    const { unanswered } = this;
    const session = unanswered.get(requestId);
    const oldest = [...unanswered].find(([, other]) => other === session)?.[0];
    const mark = this.#marks.get(session ?? "");
    if (oldest !== requestId || mark === undefined) return;
    if (Atomics.load(this.#cells, SHARED.busy) === mark) Atomics.store(this.#cells, SHARED.cancel, mark);
  }
}

/** A large reply travels in pieces, and the last piece is its end. */
function endsRequest(frame: string): boolean {
  if (REPLY_TYPES.some((type) => isOfType(frame, type))) return true;
  if (!isOfType(frame, "chunk")) return false;
  const seq = numberMember(frame, "payload", "seq");
  const total = numberMember(frame, "payload", "total");
  return seq !== undefined && total !== undefined && seq >= total - 1;
}
