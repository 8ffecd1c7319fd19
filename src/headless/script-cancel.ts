/**
 * Decides when a `cancel` frame may interrupt what runs: a VM is busy, and the request is the execute that must be
 * running, because the executes of a session run one after the other. Everything else is the plugin's business.
 */
import { jsonSpan } from "../util/json-span.ts";
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
    const type = member(frame, "type");
    const requestId = member(frame, "requestId");
    if (requestId === undefined) return;
    if (type === "execute") this.#unanswered.set(requestId, member(frame, "sessionId") ?? "");
    else if (type === "cancel" && this.#isRunning(requestId)) Atomics.store(this.#cells, SHARED.cancel, 1);
  }

  /** A frame from the plugin. */
  seeOutgoing(frame: string): void {
    if (!REPLY_TYPES.has(member(frame, "type") ?? "")) return;
    const requestId = member(frame, "requestId");
    if (requestId !== undefined) this.#unanswered.delete(requestId);
  }

  #isRunning(requestId: string): boolean {
    const session = this.#unanswered.get(requestId);
    const oldest = [...this.#unanswered].find(([, other]) => other === session)?.[0];
    return oldest === requestId && Atomics.load(this.#cells, SHARED.busy) === 1;
  }
}

/** A string member of a JSON object, read without parsing the rest. */
function member(json: string, key: string): string | undefined {
  const span = jsonSpan(json, [key]);
  if (span === undefined) return undefined;
  const value: unknown = JSON.parse(json.slice(span.start, span.end));
  return typeof value === "string" ? value : undefined;
}
