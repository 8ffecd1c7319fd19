/**
 * One client over HTTP of a revision that begins with a handshake: the SDK's Streamable HTTP in front of a connection.
 * Messages and requests that the SDK's transport would refuse in its own words are answered with plain JSON.
 */
import { WebStandardStreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js";
import { isInitializeRequest, JSONRPCMessageSchema } from "@modelcontextprotocol/sdk/types.js";
import type { JSONRPCMessage, MessageExtraInfo } from "@modelcontextprotocol/sdk/types.js";
import { withOpeningComment } from "../http/event-stream.ts";
import type { HttpSession } from "../http/http-session.ts";
import { plainAnswerAsync } from "../http/responses.ts";
import type { Post } from "../http/responses.ts";
import { McpConnection } from "../server/connection.ts";
import type { ServerOptions } from "../server/open-request.ts";
import type { Outgoing } from "../wire/answers.ts";
import { handshakeVersions, negotiate, plainVersion } from "../wire/dialects.ts";
import type { JsonObject } from "../wire/json.ts";
import type { RequestId } from "../wire/mcp-types.ts";
import { withHandshakeDefaults } from "./handshake-defaults.ts";

export class SdkHttpSession implements HttpSession {
  readonly id = crypto.randomUUID();
  readonly versions = handshakeVersions;
  readonly connection: McpConnection;
  readonly #transport = new WebStandardStreamableHTTPServerTransport({ sessionIdGenerator: () => this.id });

  constructor(options: ServerOptions) {
    this.connection = new McpConnection({ ...options, send: (outgoing) => this.#send(outgoing) });
    this.#transport.onmessage = (message, extra) => void this.#answerAsync(message, extra);
  }

  async answerAsync(post: Post): Promise<Response> {
    const parsedBody = withHandshakeDefaults(post.value);
    if (!this.#isForTransport(parsedBody, post.request.headers))
      return plainAnswerAsync(this.connection, post);
    return withOpeningComment(await this.#transport.handleRequest(post.request, { parsedBody }));
  }

  /** A newer stream takes the place of the older one, whose client may have lost it. */
  async listenAsync(request: Request): Promise<Response> {
    if (!accepts(request.headers, "text/event-stream")) return new Response(null, { status: 406 });
    if (this.#transport.sessionId === undefined) return new Response(null, { status: 405 });
    this.#transport.closeStandaloneSSEStream();
    return withOpeningComment(await this.#transport.handleRequest(request));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.connection[Symbol.asyncDispose]();
    await this.#transport.close();
  }

  /** The transport serves a session whose `initialize` it has seen. */
  #isForTransport(body: unknown, headers: Headers): boolean {
    if (!accepts(headers, "application/json") || !accepts(headers, "text/event-stream")) return false;
    if (this.#transport.sessionId === undefined) return isInitializeRequest(body) && isAgreeable(body.params);
    if (!Array.isArray(body)) return isMessage(body);
    return this.connection.dialect === "2025-03-26" && body.length > 0 && body.every(isMessage);
  }

  async #answerAsync(message: JSONRPCMessage, extra: MessageExtraInfo | undefined): Promise<void> {
    const id = "method" in message && "id" in message ? message.id : undefined;
    const related = id === undefined ? undefined : { relatedRequestId: id };
    const send = (outgoing: Outgoing) => this.#send(outgoing, related);
    const answer = await this.connection.answerAsync(message, bytesOf(message, extra), send);
    if (answer !== undefined && !Array.isArray(answer)) this.#send(answer);
    // The SDK would leave the stream of a cancelled request open.
    else if (id !== undefined) this.#transport.closeSSEStream(id);
  }

  /** What a client that has hung up would have heard is lost. */
  #send(message: object, related: { readonly relatedRequestId: RequestId } | undefined = undefined): void {
    const parsed = JSONRPCMessageSchema.parse(message);
    void this.#transport.send(parsed, related).catch(() => undefined);
  }
}

function isMessage(value: unknown): boolean {
  return JSONRPCMessageSchema.safeParse(value).success && !isInitializeRequest(value);
}

function isAgreeable(params: JsonObject): boolean {
  try {
    return negotiate(params) !== plainVersion;
  } catch {
    return false;
  }
}

function accepts(headers: Headers, type: string): boolean {
  return headers.get("accept")?.includes(type) === true;
}

/** The size of the body that the message came in. */
function bytesOf(message: JSONRPCMessage, extra: MessageExtraInfo | undefined): number {
  const length = extra?.requestInfo?.headers["content-length"];
  return typeof length === "string" ? Number(length) : Buffer.byteLength(JSON.stringify(message));
}
