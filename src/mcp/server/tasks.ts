/**
 * The tasks of a server (the MCP extension `io.modelcontextprotocol/tasks` of 2026-07-28): a call that has not ended after
 * some seconds is answered with a task, which its client then asks about. They are held in memory, and end with the server.
 */
import { metaKeys, statelessVersion } from "../wire/dialects.ts";
import type { Dialect } from "../wire/dialects.ts";
import { isObject, objectIn, stringIn } from "../wire/json.ts";
import type { JsonObject } from "../wire/json.ts";
import { invalidParams, RpcError } from "../wire/rpc-error.ts";
import type { Tool, ToolCall } from "./features.ts";
import { Task } from "./task.ts";
import type { TaskCall } from "./task.ts";

const TASKS_EXTENSION = "io.modelcontextprotocol/tasks";
const AFTER_MS = 5_000;
const TTL_MS = 600_000;
const LIMIT = 32;

/** As `capabilities.extensions` names it. It has no settings. */
export const tasksExtension = { [TASKS_EXTENSION]: {} };

interface TaskTimes {
  readonly afterMs?: number;
  readonly ttlMs?: number;
}

export class Tasks implements Disposable {
  readonly #afterMs: number;
  readonly #ttlMs: number;
  readonly #tasks = new Map<string, { readonly task: Task; readonly expiry: Timer }>();

  constructor({ afterMs = AFTER_MS, ttlMs = TTL_MS }: TaskTimes = {}) {
    this.#afterMs = afterMs;
    this.#ttlMs = ttlMs;
  }

  /** Cancels every task, because no client can ask for it any more. */
  [Symbol.dispose](): void {
    for (const id of [...this.#tasks.keys()]) this.#forget(id);
  }

  /**
   * The result of the call, or of a call that takes long the task that it has become. Where there are too many tasks, the
   * call goes on as it would without them.
   */
  async runAsync(call: ToolCall, runAsync: (call: TaskCall) => Promise<JsonObject>): Promise<JsonObject> {
    const task = new Task(this.#ttlMs);
    const request = new RequestOfTask(task, call);
    const end = runAsync(request.taskCall).finally(() => request.end());
    const ended = end.then(
      (result) => task.endWithResult(result),
      (error: unknown) => task.endWithError(error),
    );
    const { promise: timeout, resolve } = Promise.withResolvers<"late">();
    const timer = setTimeout(() => resolve("late"), this.#afterMs);
    const first = await Promise.race([ended, timeout]);
    clearTimeout(timer);
    if (first !== "late" || request.isSettled || this.#tasks.size >= LIMIT) return end;
    request.leave();
    const expiry = setTimeout(() => this.#forget(task.id), this.#ttlMs).unref();
    this.#tasks.set(task.id, { task, expiry });
    return { resultType: "task", ...task.summary() };
  }

  /** Undefined where there is none of this id, or none any more. */
  task(id: string): Task | undefined {
    return this.#tasks.get(id)?.task;
  }

  #forget(id: string): void {
    const held = this.#tasks.get(id);
    this.#tasks.delete(id);
    clearTimeout(held?.expiry);
    held?.task.cancel();
  }
}

/** What a call hears of its request, until the request is answered with a task. */
class RequestOfTask {
  readonly taskCall: TaskCall;
  readonly #task: Task;
  readonly #call: ToolCall;
  #isOpen = true;
  #hasAsked = false;

  constructor(task: Task, call: ToolCall) {
    this.#task = task;
    this.#call = call;
    const { signal, asker } = call;
    if (signal.aborted) task.cancel();
    signal.addEventListener("abort", this.#cancel, { once: true });
    this.taskCall = {
      signal: task.signal,
      report: (step) => {
        task.report(step);
        call.report(step);
      },
      ...(asker === undefined
        ? {}
        : {
            asker: {
              answered: (key) => asker.answered(key),
              askAsync: (question) => {
                const isAnswered = asker.answered(question.key) !== undefined;
                if (!this.#isOpen && !isAnswered) return task.askAsync(question);
                if (!isAnswered) this.#hasAsked = true;
                return asker.askAsync(question);
              },
            },
          }),
    };
  }

  /** The request gets an answer of its own: it was cancelled, or it ends with a question. */
  get isSettled(): boolean {
    return this.#call.signal.aborted || this.#hasAsked;
  }

  /** From here on the end of the request does not cancel the call. */
  leave(): void {
    this.#isOpen = false;
    this.end();
  }

  end(): void {
    this.#call.signal.removeEventListener("abort", this.#cancel);
  }

  readonly #cancel = () => this.#task.cancel();
}

/** Whether this request may be answered with a task of this tool. */
export function mayBecomeTask(dialect: Dialect, params: JsonObject, tool: Tool | undefined): boolean {
  return dialect === statelessVersion && tool?.takesLong === true && knowsTasks(params);
}

/** Each request says it anew. */
function knowsTasks(params: JsonObject): boolean {
  const capabilities = objectIn(objectIn(params, "_meta"), metaKeys.clientCapabilities);
  return objectIn(objectIn(capabilities, "extensions"), TASKS_EXTENSION) !== undefined;
}

/** Throws RpcError for a client that has not said that it knows tasks. */
export function checkKnowsTasks(params: JsonObject): void {
  if (knowsTasks(params)) return;
  const message = `The request must declare the extension ${TASKS_EXTENSION} in params._meta["${metaKeys.clientCapabilities}"].extensions.`;
  throw new RpcError("missingCapability", message, { requiredCapabilities: { extensions: tasksExtension } });
}

/** The result of `tasks/get`, `tasks/update` and `tasks/cancel`. */
export function taskResult(method: string, params: JsonObject, tasks: Tasks): JsonObject {
  checkKnowsTasks(params);
  const task = taskIn(params, tasks);
  if (method === "tasks/get") return task.details();
  if (method === "tasks/cancel") task.cancel();
  else task.answer(responsesIn(params));
  return {};
}

function taskIn(params: JsonObject, tasks: Tasks): Task {
  const id = stringIn(params, "taskId");
  if (id === undefined) throw invalidParams("taskId must be a string");
  const task = tasks.task(id);
  if (task !== undefined) return task;
  throw invalidParams(
    `There is no task ${id}. A task is kept for ${TTL_MS / 1_000} s, and ends with the server that has started it.`,
  );
}

function responsesIn(params: JsonObject): JsonObject {
  const responses = params["inputResponses"];
  if (!isObject(responses)) throw invalidParams("inputResponses must be an object");
  return responses;
}
