/**
 * Carries one client's messages into the SDK's `Server` and its answers out again. The SDK gives no answer to a request that
 * its schemas refuse, as they do with ids and progress tokens that are fractions or too large for JavaScript. So each
 * request gets a small number as its id and token inside the SDK, and the client gets its own values back.
 */
import type { Transport, TransportSendOptions } from "@modelcontextprotocol/sdk/shared/transport.js";
import {
  isJSONRPCErrorResponse,
  isJSONRPCNotification,
  isJSONRPCResultResponse,
  JSONRPCRequestSchema,
} from "@modelcontextprotocol/sdk/types.js";
import type { JSONRPCMessage } from "@modelcontextprotocol/sdk/types.js";
import type { ClientIdentity } from "../server/client-identity.ts";
import type { Answer, Outgoing, Send } from "../wire/answers.ts";
import type { HandshakeVersion } from "../wire/dialects.ts";
import { isObject } from "../wire/json.ts";
import type { JsonObject } from "../wire/json.ts";
import type { RequestId } from "../wire/mcp-types.ts";
import { isRequestId } from "../wire/messages.ts";
import type { Response } from "../wire/messages.ts";
import { schemaFault } from "./schema-fault.ts";

/** One request of the client inside the SDK. */
export interface Exchange {
  readonly id: RequestId;
  readonly method: string;
  readonly params: JsonObject;
  readonly dialect: HandshakeVersion;
  readonly client: ClientIdentity;
  /** Takes what concerns this request; null where the client has no way to hear it. */
  readonly send: Send | null;
  /** Fires when the client cancels the request or has left. */
  readonly signal: AbortSignal;
  /** A tool may put a question to the client before it answers. */
  readonly mayAsk: boolean;
}

interface OpenExchange extends Exchange {
  readonly progressToken: unknown;
  readonly settle: (answer: Answer | undefined) => void;
  /** Its work has ended, and the SDK is about to answer. The SDK's own methods never say so. */
  hasEnded: boolean;
}

const answeredBySdk = ["initialize", "ping"];

export class SdkTransport implements Transport {
  onmessage?: NonNullable<Transport["onmessage"]>;
  onclose?: () => void;
  readonly #open = new Map<RequestId, OpenExchange>();
  readonly #send: Send;
  #lastId = 0;

  /** `send` takes what concerns no request. */
  constructor(send: Send) {
    this.#send = send;
  }

  async start(): Promise<void> {}

  async close(): Promise<void> {
    this.onclose?.();
  }

  /** The answer; undefined once the request was cancelled. Throws RpcError for what the SDK's schema of requests refuses. */
  async answerAsync(exchange: Exchange): Promise<Answer | undefined> {
    this.#lastId += 1;
    const requestId = this.#lastId;
    const { method, signal } = exchange;
    const { params, progressToken } = withToken(exchange.params, requestId);
    const request = { jsonrpc: "2.0" as const, id: requestId, method, params };
    // Of what can come here, the schema refuses some forms of `_meta` only, and each look at it takes time.
    const parsed = "_meta" in params ? JSONRPCRequestSchema.safeParse(request) : undefined;
    if (parsed?.success === false) throw schemaFault(parsed.error);
    const { promise, resolve } = Promise.withResolvers<Answer | undefined>();
    const open = { ...exchange, progressToken, settle: resolve, hasEnded: answeredBySdk.includes(method) };
    this.#open.set(requestId, open);
    const cancel = () => {
      this.onmessage?.({ jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId } });
      if (open.hasEnded) resolve(undefined);
    };
    signal.addEventListener("abort", cancel, { once: true });
    this.onmessage?.(request);
    if (signal.aborted) cancel();
    try {
      return await promise;
    } finally {
      signal.removeEventListener("abort", cancel);
      this.#open.delete(requestId);
    }
  }

  /** The exchange that the SDK knows under this id. */
  exchangeOf(requestId: RequestId): Exchange | undefined {
    return this.#open.get(requestId);
  }

  /** To be called when the work for a request has ended. The SDK says nothing of one that is cancelled, then or later. */
  end(requestId: RequestId): void {
    const open = this.#open.get(requestId);
    if (open === undefined) return;
    open.hasEnded = true;
    if (open.signal.aborted) open.settle(undefined);
  }

  /** Hands an answer of the client to the question that waits for it. */
  hear({ id, result, error }: Response): void {
    if (typeof id !== "number" && typeof id !== "string") return;
    const response = { jsonrpc: "2.0", id, ...(error === undefined ? { result } : { error }) };
    if (isJSONRPCResultResponse(response) || isJSONRPCErrorResponse(response)) this.onmessage?.(response);
    // The SDK would drop it, and the question would wait for ever. An empty result is refused as an answer.
    else this.onmessage?.({ jsonrpc: "2.0", id, result: {} });
  }

  /** What the SDK sends. */
  async send(message: JSONRPCMessage, options?: TransportSendOptions): Promise<void> {
    if ("result" in message || "error" in message) {
      const exchange = this.#open.get(message.id ?? "");
      exchange?.settle(answerOf(exchange.id, message));
      return;
    }
    const exchange = this.#open.get(options?.relatedRequestId ?? "");
    if (exchange === undefined) this.#send(message);
    else exchange.send?.(isJSONRPCNotification(message) ? told(message, exchange) : message);
  }
}

/** Puts the number of the request where the client's progress token stands. */
function withToken(params: JsonObject, requestId: number) {
  const meta = params["_meta"];
  if (!isObject(meta) || !("progressToken" in meta)) return { params, progressToken: undefined };
  const { progressToken, ...rest } = meta;
  // A value that cannot be a token counts as none.
  const token = isRequestId(progressToken) ? { progressToken: requestId } : {};
  return { params: { ...params, _meta: { ...rest, ...token } }, progressToken };
}

/** A notification with the client's own progress token. */
function told(message: Outgoing, { progressToken }: OpenExchange): Outgoing {
  if (message.method !== "notifications/progress") return message;
  return { ...message, params: { ...message.params, progressToken } };
}

function answerOf(
  id: RequestId,
  message: Extract<JSONRPCMessage, { result: unknown } | { error: unknown }>,
): Answer {
  return "result" in message
    ? { jsonrpc: "2.0", id, result: message.result }
    : { jsonrpc: "2.0", id, error: message.error };
}
