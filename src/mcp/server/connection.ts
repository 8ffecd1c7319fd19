/**
 * One client's conversation: which dialect was agreed on, what is under way, and one answer for every request. Knows no
 * transport: messages come in as JSON values, answers are returned, notifications go to a callback.
 */
import { errorAnswer, errorBody, resultAnswer } from "../wire/answers.ts";
import type { Answer } from "../wire/answers.ts";
import {
  checkEnvelope,
  hasEnvelope,
  hasMethod,
  isSince,
  negotiate,
  plainVersion,
  statelessVersion,
} from "../wire/dialects.ts";
import type { Dialect } from "../wire/dialects.ts";
import { objectIn } from "../wire/json.ts";
import type { JsonObject } from "../wire/json.ts";
import type { RequestId } from "../wire/mcp-types.ts";
import { idKey, isRequestId, readMessage } from "../wire/messages.ts";
import type { Message, Notification, Request } from "../wire/messages.ts";
import { invalidParams, RpcError } from "../wire/rpc-error.ts";
import { stampResult } from "../wire/shape.ts";
import { Questions, statelessAsker, takesForms } from "./asking.ts";
import type { Asker, Features } from "./features.ts";
import { handshakeResult, offers, perform, plainHandshakeResult, uriIn } from "./methods.ts";
import type { Running } from "./methods.ts";
import { Subscriptions } from "./subscriptions.ts";
import type { Notify } from "./subscriptions.ts";
import type { Outcome, Telemetry } from "./telemetry.ts";

export interface ConnectionOptions {
  readonly features: Features;
  readonly telemetry: Telemetry;
  /** Errors carry stack traces. */
  readonly debug: boolean;
  /** Takes what concerns no request. */
  readonly notify: Notify;
}

const NOT_INITIALIZED =
  'Send initialize first, or put protocol version and client capabilities into params._meta ("io.modelcontextprotocol/…").';

export class McpConnection implements AsyncDisposable {
  readonly #options: ConnectionOptions;
  readonly #running = new Map<ReturnType<typeof idKey>, AbortController>();
  readonly #questions = new Questions();
  #dialect: Dialect = "none";
  #subscriptions: Subscriptions | undefined;
  /** The client that began with a handshake can show forms. */
  #takesForms = false;

  constructor(options: ConnectionOptions) {
    this.#options = options;
  }

  get dialect(): Dialect {
    return this.#dialect;
  }

  /** Tool calls may put a question to the client before they are answered. */
  get mayAsk(): boolean {
    return this.#takesForms;
  }

  /** Requests without an answer yet. */
  get runningCount(): number {
    return this.#running.size;
  }

  /**
   * Takes one message, or a batch. The dialect that `initialize` sets holds from the moment of the call. Undefined:
   * there is nothing to answer. `notify` takes what concerns this very message; null: nobody listens for that.
   */
  async answerAsync(
    value: unknown,
    bytes: number,
    notify: Notify | null = this.#options.notify,
  ): Promise<Answer | readonly Answer[] | undefined> {
    if (!Array.isArray(value) || this.#dialect !== "2025-03-26" || value.length === 0)
      return this.#answerOneAsync(readMessage(value), bytes, notify);
    const answers = value.map((item) => this.#answerOneAsync(readMessage(item), bytes, notify));
    const given = (await Promise.all(answers)).filter((answer) => answer !== undefined);
    return given.length === 0 ? undefined : given;
  }

  /** The answer to what could not be read at all. */
  refusal(error: RpcError, id: RequestId | null = null): Answer {
    const body = errorBody(error, this.#dialect);
    this.#options.telemetry({
      event: "request.completed",
      id,
      durationMs: 0,
      outcome: "error",
      code: body.code,
    });
    return errorAnswer(id, body, this.#dialect);
  }

  /** Cancels whatever is under way; none of it is answered. */
  async [Symbol.asyncDispose](): Promise<void> {
    for (const controller of this.#running.values()) controller.abort();
    await this.#subscriptions?.[Symbol.asyncDispose]();
  }

  async #answerOneAsync(message: Message, bytes: number, notify: Notify | null): Promise<Answer | undefined> {
    switch (message.kind) {
      case "fault":
        return this.refusal(message.error, message.id);
      case "response":
        this.#questions.hear(message);
        return undefined;
      case "notification":
        return this.#hear(message);
      case "request":
        return this.#answerRequestAsync(message, bytes, notify);
    }
  }

  #hear({ method, params = {} }: Notification): undefined {
    this.#options.telemetry({ event: "notification.received", method });
    if (method !== "notifications/cancelled") return;
    const { requestId } = params;
    if (isRequestId(requestId)) this.#running.get(idKey(requestId))?.abort();
  }

  async #answerRequestAsync(
    request: Request,
    bytes: number,
    notify: Notify | null,
  ): Promise<Answer | undefined> {
    const { id, method } = request;
    const { telemetry, features } = this.#options;
    const dialect = hasEnvelope(request.params) ? statelessVersion : this.#dialect;
    const startedAt = performance.now();
    const controller = new AbortController();
    const { signal } = controller;
    const completed = (outcome: Outcome, code?: number): undefined => {
      telemetry({
        event: "request.completed",
        method,
        id,
        durationMs: performance.now() - startedAt,
        outcome,
        ...(code === undefined ? {} : { code }),
      });
    };
    telemetry({ event: "request.received", method, id, dialect, bytes });
    const key = idKey(id);
    this.#running.set(key, controller);
    try {
      const result = await this.#resultAsync(request, dialect, signal, notify);
      if (signal.aborted) return completed("cancelled");
      completed("success");
      return resultAnswer(id, stampResult(method, result, dialect, features.info));
    } catch (error) {
      if (signal.aborted) return completed("cancelled");
      const body = errorBody(asRpcError(error), dialect);
      completed("error", body.code);
      return errorAnswer(id, body, dialect);
    } finally {
      if (this.#running.get(key) === controller) this.#running.delete(key);
    }
  }

  /** The order of checks is spec 4's: the method, the gate, the parameters. */
  async #resultAsync(
    request: Request,
    dialect: Dialect,
    signal: AbortSignal,
    notify: Notify | null,
  ): Promise<JsonObject> {
    const { id, method, params } = request;
    if (!hasMethod(dialect, method) || !offers(this.#options.features, method))
      throw new RpcError("methodNotFound", `There is no method ${method}.`);
    if (dialect === statelessVersion) checkEnvelope(params);
    if (dialect === "none" && method !== "initialize" && method !== "ping")
      throw new RpcError("notInitialized", NOT_INITIALIZED);
    if (params === undefined) throw invalidParams("Invalid params: params must be an object, not a list");
    const asker =
      dialect === statelessVersion ? statelessAsker(params) : this.#askerFor(dialect, notify, signal);
    return this.#performAsync({
      ...this.#options,
      id,
      method,
      params,
      dialect,
      signal,
      asker,
      notify: notify ?? (() => undefined),
    });
  }

  #askerFor(
    dialect: Exclude<Dialect, typeof statelessVersion>,
    notify: Notify | null,
    signal: AbortSignal,
  ): Asker | undefined {
    return notify === null || !this.#takesForms
      ? undefined
      : this.#questions.askerFor(dialect, notify, signal);
  }

  #performAsync(running: Running): JsonObject | Promise<JsonObject> {
    const { method, params } = running;
    switch (method) {
      case "initialize":
        return this.#initializeAsync(params);
      case "resources/subscribe":
        return this.#subscribeAsync(uriIn(params));
      case "resources/unsubscribe":
        return this.#unsubscribeAsync(uriIn(params));
      default:
        return perform(running);
    }
  }

  /** May come at any time, and again; the newest agreement holds. */
  async #initializeAsync(params: JsonObject): Promise<JsonObject> {
    const version = negotiate(params);
    this.#dialect = version;
    this.#takesForms = isSince(version, "2025-06-18") && takesForms(objectIn(params, "capabilities"));
    const { features, notify } = this.#options;
    if (version === plainVersion) {
      // 1.0 has no notices.
      const former = this.#subscriptions;
      this.#subscriptions = undefined;
      await former?.[Symbol.asyncDispose]();
      return plainHandshakeResult(features, version);
    }
    this.#subscriptions ??= new Subscriptions(features, notify);
    return handshakeResult(features, version);
  }

  async #subscribeAsync(uri: string): Promise<JsonObject> {
    await this.#subscriptions?.subscribeAsync(uri);
    return {};
  }

  async #unsubscribeAsync(uri: string): Promise<JsonObject> {
    await this.#subscriptions?.unsubscribeAsync(uri);
    return {};
  }
}

function asRpcError(error: unknown): RpcError {
  if (error instanceof RpcError) return error;
  const message = error instanceof Error ? error.message : String(error);
  return new RpcError("internalError", `Internal error: ${message}`);
}
