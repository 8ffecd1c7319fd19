/** Everything that callers asked and heard and everything that plugins ran, and what must be true of it together. */
import type { StudioBridgeError } from "../../src/protocol/errors.ts";
import { Feeds } from "./feeds.ts";

export interface CallRecord {
  readonly callId: string;
  readonly client: number;
  readonly sessionId: string;
  readonly action: "execute" | "queryLogs" | "subscribe" | "list-sessions";
  /** The script's name, or the number a query asks for. */
  readonly mark: number;
  readonly startedAtMs: number;
  readonly timeoutMs: number;
  /** Numbers of the lines that were passed on. */
  readonly lines: number[];
  readonly ends: End[];
  /** Since when its caller waits for the person at Studio; undefined while it does not. */
  heldSinceMs: number | undefined;
  /** How long it has waited for the person before. */
  heldMs: number;
}

type End =
  | { readonly kind: "reply"; readonly atMs: number; readonly mark: unknown; readonly outputCount: unknown }
  | { readonly kind: "failed"; readonly atMs: number; readonly error: StudioBridgeError };

/** How late an end may come: at most 250 ms after the deadline, which stands still while a person is asked. */
const SLACK_MS = 250;

export class History {
  readonly calls = new Map<string, CallRecord>();
  /** Scripts in the order in which they began, over all plugins. */
  readonly runs: number[] = [];
  readonly violations: string[] = [];
  /** How often a caller has begun to wait for the person at Studio. */
  holds = 0;
  readonly feeds = new Feeds((text) => this.fault(text));
  readonly #runCounts = new Map<number, number>();

  ran(mark: number): void {
    this.runs.push(mark);
    const count = (this.#runCounts.get(mark) ?? 0) + 1;
    this.#runCounts.set(mark, count);
    if (count > 1) this.fault(`R2: script ${mark} ran ${count} times`);
  }

  line(callId: string, seq: number): void {
    const call = this.calls.get(callId);
    if (call === undefined) return this.fault(`output for ${callId}, which no caller made`);
    if (seq !== call.lines.length) this.fault(`R14: line ${seq} of ${call.mark} after ${call.lines.length}`);
    call.lines.push(seq);
  }

  /** The caller hears that the person at Studio is asked, or not any longer. */
  held(callId: string, isHeld: boolean, atMs: number): void {
    const call = this.calls.get(callId);
    if (call === undefined) return this.fault(`a hold of ${callId}, which no caller made`);
    if (call.heldSinceMs !== undefined) call.heldMs += atMs - call.heldSinceMs;
    call.heldSinceMs = isHeld ? atMs : undefined;
    if (isHeld) this.holds += 1;
  }

  end(callId: string, end: End): void {
    const call = this.calls.get(callId);
    if (call === undefined) return this.fault(`R10: an end for ${callId}, which no caller made`);
    call.ends.push(end);
    if (call.ends.length > 1) this.fault(`R1: ${call.action} ${call.mark} ended ${call.ends.length} times`);
    this.held(callId, false, end.atMs);
    const lateMs = end.atMs - (call.startedAtMs + call.timeoutMs + call.heldMs);
    if (lateMs > SLACK_MS + 1e-6) this.fault(`R1: ${call.action} ${call.mark} ended ${lateMs} ms late`);
    if (end.kind === "failed" && end.error.code === "INVALID_PAYLOAD")
      this.fault(`R1: the reply to ${call.action} ${call.mark} was not understood: ${end.error.message}`);
    if (end.kind === "reply" && end.mark !== call.mark)
      this.fault(`R10: ${call.action} ${call.mark} was given the reply of ${String(end.mark)}`);
    if (end.kind === "reply" && call.action === "execute") {
      if (this.#runCounts.get(call.mark) !== 1) this.fault(`R2: ${call.mark} is ok but never ran`);
      if (end.outputCount !== call.lines.length)
        this.fault(`R14: ${call.mark} printed ${String(end.outputCount)} lines, ${call.lines.length} came`);
    }
  }

  /** Checks that are only possible when nothing happens any more. */
  finish(): void {
    for (const call of this.calls.values()) {
      const [end] = call.ends;
      if (end === undefined) this.fault(`R1: ${call.action} ${call.mark} never ended`);
      const didRun = this.#runCounts.has(call.mark);
      if (end?.kind === "failed" && end.error.outcome === "not_started" && didRun)
        this.fault(`R12: ${call.mark} ran, but its caller was told ${end.error.code}/not_started`);
    }
    this.#checkOrder();
  }

  fault(text: string): void {
    this.violations.push(text);
  }

  /** Scripts of one caller to one session begin in the order in which they were asked for. */
  #checkOrder(): void {
    const latest = new Map<string, number>();
    const byMark = new Map([...this.calls.values()].map((call) => [call.mark, call]));
    for (const mark of this.runs) {
      const call = byMark.get(mark);
      if (call === undefined) continue;
      const queue = `${call.client} ${call.sessionId}`;
      if (mark < (latest.get(queue) ?? -1))
        this.fault(`R12: script ${mark} began after the later ${latest.get(queue)}`);
      latest.set(queue, Math.max(mark, latest.get(queue) ?? -1));
    }
  }
}
