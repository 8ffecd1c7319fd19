/**
 * Serves one client of the revisions that begin with a handshake, with the SDK's `Server`: the handshake, pings,
 * cancelling, questions and notices are the SDK's; what a method answers is in `server/methods.ts`, as for every dialect.
 */
// Before the SDK's first use of zod: a compiled parser per schema costs the handshake 3 ms and pays off much later.
import "../../protocol/zod.ts";
import { Server } from "@modelcontextprotocol/sdk/server/index.js";
import { InitializeRequestSchema } from "@modelcontextprotocol/sdk/types.js";
import type { Result } from "@modelcontextprotocol/sdk/types.js";
import { capabilitiesOf, perform, uriIn } from "../server/methods.ts";
import type { Notify, ServerOptions } from "../server/open-request.ts";
import { Subscriptions } from "../server/subscriptions.ts";
import { errorBody } from "../wire/answers.ts";
import type { Answer, ErrorBody, Send } from "../wire/answers.ts";
import type { JsonObject } from "../wire/json.ts";
import type { Response } from "../wire/messages.ts";
import { asRpcError } from "../wire/rpc-error.ts";
import { handshakeParams } from "./handshake-defaults.ts";
import { schemaFault } from "./schema-fault.ts";
import { sdkAsker } from "./sdk-asker.ts";
import type { HandlerExtra } from "./sdk-asker.ts";
import { clientRootsAsync } from "./client-roots.ts";
import { SdkTransport } from "./sdk-transport.ts";
import type { Exchange } from "./sdk-transport.ts";

/** In the place of Ajv, which the SDK would set up for `elicitInput`. Questions go through `sdkAsker`, which checks answers. */
const noValidator = {
  getValidator: (): never => {
    throw new Error("The SDK has no validator here; ask through sdkAsker.");
  },
};

export class SdkServer implements AsyncDisposable {
  readonly #options: ServerOptions;
  readonly #server: Server;
  readonly #transport: SdkTransport;
  #subscriptions: Subscriptions | undefined;

  /** `send` takes what concerns no request. */
  static async openAsync(options: ServerOptions, send: Send): Promise<SdkServer> {
    const opened = new SdkServer(options, send);
    await opened.#server.connect(opened.#transport);
    return opened;
  }

  private constructor(options: ServerOptions, send: Send) {
    this.#options = options;
    this.#transport = new SdkTransport(send);
    const { info, instructions } = options.features;
    this.#server = new Server(info, {
      capabilities: capabilitiesOf(options.features),
      ...(instructions === undefined ? {} : { instructions }),
      jsonSchemaValidator: noValidator,
    });
    // One handler for all methods. With the SDK's handlers for single methods a request that lacks a parameter is an
    // internal error (−32603) in the words of its schema library (golden case leg-11).
    this.#server.fallbackRequestHandler = (_request, extra) => this.#handleAsync(extra);
  }

  /** Throws RpcError for a handshake that the schema of the revisions refuses. */
  async initializeAsync(exchange: Exchange): Promise<Answer | undefined> {
    const params = { ...handshakeParams(exchange.params), protocolVersion: exchange.dialect };
    const parsed = InitializeRequestSchema.safeParse({ method: "initialize", params });
    if (!parsed.success) throw schemaFault(parsed.error);
    this.#subscriptions ??= new Subscriptions(this.#options.features, this.#notify);
    return this.#transport.answerAsync({ ...exchange, params });
  }

  /** Undefined once the request was cancelled. */
  answerAsync(exchange: Exchange): Promise<Answer | undefined> {
    return this.#transport.answerAsync(exchange);
  }

  hear(response: Response): void {
    this.#transport.hear(response);
  }

  /** The client speaks a dialect now that has no notices; requests that run are still answered. */
  async stopNoticesAsync(): Promise<void> {
    const former = this.#subscriptions;
    this.#subscriptions = undefined;
    await former?.[Symbol.asyncDispose]();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.stopNoticesAsync();
    await this.#server.close();
  }

  /** A notice after the end of the connection has no reader. */
  readonly #notify: Notify = (notice) => void this.#server.notification(notice).catch(() => undefined);

  /** What it throws is sent as it stands. */
  async #handleAsync(extra: HandlerExtra): Promise<JsonObject & Result> {
    const { requestId } = extra;
    const exchange = this.#transport.exchangeOf(requestId);
    if (exchange === undefined) throw new Error(`no request ${requestId} is open`);
    try {
      return { ...(await this.#resultAsync(exchange, extra)) };
    } catch (error) {
      throw new AnsweredError(errorBody(asRpcError(error), exchange.dialect));
    } finally {
      this.#transport.end(requestId);
    }
  }

  #resultAsync(exchange: Exchange, extra: HandlerExtra): JsonObject | Promise<JsonObject> {
    const { id, method, params, dialect, client, mayAsk } = exchange;
    switch (method) {
      case "resources/subscribe":
        return this.#subscribeAsync(uriIn(params));
      case "resources/unsubscribe":
        return this.#unsubscribeAsync(uriIn(params));
      default:
        return perform({
          ...this.#options,
          id,
          method,
          params,
          dialect,
          client,
          signal: extra.signal,
          asker: mayAsk ? sdkAsker(extra, dialect) : undefined,
          rootsAsync: this.#tellsRoots(exchange) ? () => clientRootsAsync(extra) : undefined,
          notify: (notice) => void extra.sendNotification(notice).catch(() => undefined),
        });
    }
  }

  #tellsRoots({ send }: Exchange): boolean {
    return send !== null && this.#server.getClientCapabilities()?.roots !== undefined;
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

/** The SDK sends code, message and data of an error; its own `McpError` would repeat the code in the message. */
class AnsweredError extends Error {
  readonly code: number;
  readonly data: unknown;

  constructor({ code, message, data }: ErrorBody) {
    super(message);
    this.code = code;
    this.data = data;
  }
}
