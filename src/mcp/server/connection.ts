/**
 * One client's conversation: which dialect was agreed on, which requests run, and one answer for every request. Knows no
 * transport: messages come in as JSON values, answers are returned, and other messages go to a callback. The SDK serves
 * the revisions that begin with a handshake (`sdk/`); the other dialects are served here.
 */
import type { SdkServer } from "../sdk/sdk-server.ts";
import { errorAnswer, errorBody, notification, resultAnswer } from "../wire/answers.ts";
import type { Answer, Send } from "../wire/answers.ts";
import {
  checkEnvelope,
  hasEnvelope,
  hasMethod,
  isHandshakeVersion,
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
import { asRpcError, invalidParams, RpcError } from "../wire/rpc-error.ts";
import { stampResult } from "../wire/shape.ts";
import { statelessAsker, takesForms } from "./asking.ts";
import { clientOfEnvelope, introduced, unnamedClient } from "./client-identity.ts";
import type { ClientIdentity } from "./client-identity.ts";
import { offers, perform, plainHandshakeResult } from "./methods.ts";
import type { ServerOptions } from "./open-request.ts";
import type { Outcome } from "./telemetry.ts";

export interface ConnectionOptions extends ServerOptions {
  /** Whose requests these are, where other connections are of the same client. */
  readonly client?: ClientIdentity;
  /** Takes what concerns no request. */
  readonly send: Send;
}

/** A request whose method is known and whose parameters are an object. */
interface CheckedRequest {
  readonly id: RequestId;
  readonly method: string;
  readonly params: JsonObject;
  readonly dialect: Dialect;
  readonly client: ClientIdentity;
  readonly signal: AbortSignal;
  /** Takes what concerns this request; null where the client has no way to hear it. */
  readonly send: Send | null;
}

const NOT_INITIALIZED =
  'Send initialize first, or put protocol version and client capabilities into params._meta ("io.modelcontextprotocol/…").';

export class McpConnection implements AsyncDisposable {
  readonly #options: ConnectionOptions;
  readonly #running = new Map<ReturnType<typeof idKey>, AbortController>();
  #dialect: Dialect = "none";
  #client: ClientIdentity;
  #sdk: Promise<SdkServer> | undefined;
  /** The client that began with a handshake can show forms. */
  #takesForms = false;

  constructor(options: ConnectionOptions) {
    this.#options = options;
    this.#client = options.client ?? unnamedClient();
  }

  get dialect(): Dialect {
    return this.#dialect;
  }

  /** Requests without an answer yet. */
  get runningCount(): number {
    return this.#running.size;
  }

  /**
   * Takes one message, or a batch. The dialect that `initialize` sets holds from the moment of the call. Undefined:
   * there is nothing to answer. `send` takes what concerns this very message; null: the client cannot hear any of it.
   */
  async answerAsync(
    value: unknown,
    bytes: number,
    send: Send | null = this.#options.send,
  ): Promise<Answer | readonly Answer[] | undefined> {
    if (!Array.isArray(value) || this.#dialect !== "2025-03-26" || value.length === 0)
      return this.#answerOneAsync(readMessage(value), bytes, send);
    const answers = value.map((item) => this.#answerOneAsync(readMessage(item), bytes, send));
    const given = (await Promise.all(answers)).filter((answer) => answer !== undefined);
    return given.length === 0 ? undefined : given;
  }

  /** The answer to a message that could not be read. */
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

  /** Resolves when all code is loaded that running requests need: the SDK, if the client needs it, and the tools. */
  async loadedAsync(): Promise<void> {
    await this.#sdk;
    // A failure is the answer of the request that needs the tools.
    if (this.#running.size > 0) await this.#options.features.toolsAsync().catch(() => undefined);
  }

  /** Cancels every request that runs; none of them is answered. */
  async [Symbol.asyncDispose](): Promise<void> {
    for (const controller of this.#running.values()) controller.abort();
    const sdk = await this.#sdk?.catch(() => undefined);
    await sdk?.[Symbol.asyncDispose]();
  }

  async #answerOneAsync(message: Message, bytes: number, send: Send | null): Promise<Answer | undefined> {
    switch (message.kind) {
      case "fault":
        return this.refusal(message.error, message.id);
      case "response":
        // Only the SDK asks clients anything.
        (await this.#sdk)?.hear(message);
        return undefined;
      case "notification":
        return this.#hear(message);
      case "request":
        return this.#answerRequestAsync(message, bytes, send);
    }
  }

  #hear({ method, params = {} }: Notification): undefined {
    this.#options.telemetry({ event: "notification.received", method });
    if (method !== "notifications/cancelled") return;
    const { requestId } = params;
    if (isRequestId(requestId)) this.#running.get(idKey(requestId))?.abort();
  }

  async #answerRequestAsync(request: Request, bytes: number, send: Send | null): Promise<Answer | undefined> {
    const { id, method } = request;
    const { telemetry } = this.#options;
    const dialect = hasEnvelope(request.params) ? statelessVersion : this.#dialect;
    const startedAt = performance.now();
    const controller = new AbortController();
    const { signal } = controller;
    telemetry({ event: "request.received", method, id, dialect, bytes });
    const key = idKey(id);
    this.#running.set(key, controller);
    const answer = await this.#servedAsync(request, dialect, signal, send);
    if (this.#running.get(key) === controller) this.#running.delete(key);
    const isCancelled = signal.aborted || answer === undefined;
    const code = !isCancelled && "error" in answer ? { code: answer.error.code } : {};
    const outcome: Outcome = isCancelled ? "cancelled" : "code" in code ? "error" : "success";
    telemetry({
      event: "request.completed",
      method,
      id,
      durationMs: performance.now() - startedAt,
      outcome,
      ...code,
    });
    return isCancelled ? undefined : answer;
  }

  async #servedAsync(
    request: Request,
    dialect: Dialect,
    signal: AbortSignal,
    send: Send | null,
  ): Promise<Answer | undefined> {
    try {
      const checked = this.#checked(request, dialect);
      const client =
        dialect === statelessVersion ? clientOfEnvelope(this.#client, checked.params) : this.#client;
      return await this.#serveAsync({ ...checked, dialect, client, signal, send });
    } catch (error) {
      return errorAnswer(request.id, errorBody(asRpcError(error), dialect), dialect);
    }
  }

  /** The order of the checks: the method, whether there was a handshake, the parameters. */
  #checked({ id, method, params }: Request, dialect: Dialect) {
    if (!hasMethod(dialect, method) || !offers(this.#options, method))
      throw new RpcError("methodNotFound", `There is no method ${method}.`);
    if (dialect === statelessVersion) checkEnvelope(params);
    if (dialect === "none" && method !== "initialize" && method !== "ping")
      throw new RpcError("notInitialized", NOT_INITIALIZED);
    if (params === undefined) throw invalidParams("Invalid params: params must be an object, not a list");
    return { id, method, params };
  }

  async #serveAsync(request: CheckedRequest): Promise<Answer | undefined> {
    const { id, method, params, dialect, send } = request;
    if (method === "initialize") return this.#initializeAsync(request);
    if (isHandshakeVersion(dialect)) {
      const mayAsk = send !== null && this.#takesForms;
      return (await this.#sdkAsync()).answerAsync({ ...request, dialect, mayAsk });
    }
    const result = await perform({
      ...this.#options,
      ...request,
      asker: dialect === statelessVersion ? statelessAsker(params) : undefined,
      notify: (notice) => send?.(notification(notice)),
    });
    return resultAnswer(id, stampResult(method, result, dialect, this.#options.features.info));
  }

  /** May come at any time, and again; the newest agreement holds. */
  async #initializeAsync(request: CheckedRequest): Promise<Answer | undefined> {
    const { id, params } = request;
    const version = negotiate(params);
    const former = { dialect: this.#dialect, takesForms: this.#takesForms };
    this.#dialect = version;
    this.#client = introduced(this.#client, params);
    this.#takesForms = isSince(version, "2025-06-18") && takesForms(objectIn(params, "capabilities"));
    if (version === plainVersion) {
      await (await this.#sdk)?.stopNoticesAsync();
      return resultAnswer(id, plainHandshakeResult(this.#options.features, version));
    }
    try {
      const sdk = await this.#sdkAsync();
      return await sdk.initializeAsync({ ...request, dialect: version, mayAsk: false });
    } catch (error) {
      this.#dialect = former.dialect;
      this.#takesForms = former.takesForms;
      throw error;
    }
  }

  /** The SDK is loaded by the first client that needs it. */
  #sdkAsync(): Promise<SdkServer> {
    const { send } = this.#options;
    this.#sdk ??= import("../sdk/sdk-server.ts").then(({ SdkServer }) =>
      SdkServer.openAsync(this.#options, send),
    );
    return this.#sdk;
  }
}
