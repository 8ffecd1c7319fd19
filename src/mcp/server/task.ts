/**
 * One call of a tool that may outlive its request as a task (the MCP extension of 2026-07-28): its state, the questions
 * that it waits for, and its end.
 */
import { randomHex } from "../../util/random-hex.ts";
import { errorBody } from "../wire/answers.ts";
import type { ErrorBody } from "../wire/answers.ts";
import { statelessVersion } from "../wire/dialects.ts";
import type { JsonObject } from "../wire/json.ts";
import { asRpcError } from "../wire/rpc-error.ts";
import { elicitedIn, questionRequest } from "./asking.ts";
import type { Asker, Elicited, ProgressStep, Question } from "./features.ts";

const ID_BYTES = 16;
const POLL_INTERVAL_MS = 1_000;

type Ended =
  | { readonly status: "completed"; readonly result: JsonObject }
  | { readonly status: "failed"; readonly error: ErrorBody }
  | { readonly status: "cancelled" };

interface OpenQuestion {
  readonly question: Question;
  readonly answer: (answer: Elicited) => void;
}

/** What a call gets that may become a task. */
export interface TaskCall {
  readonly signal: AbortSignal;
  report(step: ProgressStep): void;
  readonly asker?: Asker;
}

export class Task {
  readonly id = randomHex(ID_BYTES);
  readonly #ttlMs: number;
  readonly #createdAt = new Date();
  readonly #controller = new AbortController();
  readonly #questions = new Map<string, OpenQuestion>();
  /** How often each question was asked, because the key of one must never name another. */
  readonly #timesAsked = new Map<string, number>();
  readonly #listeners = new Set<() => void>();
  #updatedAt = this.#createdAt;
  #message: string | undefined;
  #ended: Ended | undefined;

  constructor(ttlMs: number) {
    this.#ttlMs = ttlMs;
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** The work ends soon; it is cancelled unless it ends with a result nevertheless. */
  cancel(): void {
    this.#controller.abort();
  }

  readonly report = ({ message }: ProgressStep): void => {
    if (this.#ended !== undefined) return;
    this.#message = message;
    this.#updatedAt = new Date();
  };

  /** Waits for an answer that comes with `tasks/update`. Throws where the task is cancelled before. */
  async askAsync(question: Question): Promise<Elicited> {
    const times = (this.#timesAsked.get(question.key) ?? 0) + 1;
    this.#timesAsked.set(question.key, times);
    const key = times === 1 ? question.key : `${question.key}#${times}`;
    const { promise, resolve, reject } = Promise.withResolvers<Elicited>();
    const stop = () => reject(this.signal.reason);
    this.signal.addEventListener("abort", stop, { once: true });
    this.#questions.set(key, { question, answer: resolve });
    this.#hasChanged();
    try {
      this.signal.throwIfAborted();
      return await promise;
    } finally {
      this.signal.removeEventListener("abort", stop);
      this.#questions.delete(key);
      this.#hasChanged();
    }
  }

  /** Answers to what is not asked, or no longer, are left alone. Throws RpcError for what is no answer. */
  answer(responses: JsonObject): void {
    const given = Object.entries(responses).flatMap(([key, response]) => {
      const open = this.#questions.get(key);
      return open === undefined ? [] : [{ key, open, elicited: elicitedIn(response) }];
    });
    for (const { key, open, elicited } of given) {
      this.#questions.delete(key);
      open.answer(elicited);
    }
    if (given.length > 0) this.#hasChanged();
  }

  endWithResult(result: JsonObject): void {
    const isCancelled = this.signal.aborted && result["isError"] === true;
    this.#end(isCancelled ? { status: "cancelled" } : { status: "completed", result });
  }

  endWithError(error: unknown): void {
    if (this.signal.aborted) return this.#end({ status: "cancelled" });
    const body = errorBody(asRpcError(error), statelessVersion);
    this.#message = body.message;
    this.#end({ status: "failed", error: body });
  }

  /** Hears of each change of the status, and of each question. Call the result to stop listening. */
  onChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  /** As a call is answered that has become a task. */
  summary(): JsonObject {
    return {
      taskId: this.id,
      status: this.#status(),
      ...(this.#message === undefined ? {} : { statusMessage: this.#message }),
      createdAt: this.#createdAt.toISOString(),
      lastUpdatedAt: this.#updatedAt.toISOString(),
      ttlMs: this.#ttlMs,
      pollIntervalMs: POLL_INTERVAL_MS,
    };
  }

  /** The same with the result, the error, or the questions that are open. */
  details(): JsonObject {
    const summary = this.summary();
    if (this.#ended !== undefined) return { ...summary, ...this.#ended };
    if (this.#questions.size === 0) return summary;
    const requests = [...this.#questions].map(([key, { question }]) => [key, questionRequest(question)]);
    return { ...summary, inputRequests: Object.fromEntries(requests) };
  }

  #status(): string {
    if (this.#ended !== undefined) return this.#ended.status;
    return this.#questions.size > 0 ? "input_required" : "working";
  }

  #end(ended: Ended): void {
    this.#ended = ended;
    // What it was at is no longer true.
    if (ended.status !== "failed") this.#message = undefined;
    this.#hasChanged();
  }

  #hasChanged(): void {
    this.#updatedAt = new Date();
    for (const listener of this.#listeners) listener();
  }
}
