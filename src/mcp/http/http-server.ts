/**
 * Streamable HTTP on 127.0.0.1: one endpoint for every dialect. `initialize` begins a session; a request with the
 * envelope of 2026-07-28 needs no session.
 */
import { StudioBridgeError } from "../../protocol/errors.ts";
import { systemReason } from "../../util/system-error.ts";
import { unnamedClient } from "../server/client-identity.ts";
import { McpConnection } from "../server/connection.ts";
import type { ServerOptions } from "../server/open-request.ts";
import { checkEnvelope, hasEnvelope, plainVersion } from "../wire/dialects.ts";
import { isObject, objectIn, stringIn } from "../wire/json.ts";
import type { JsonObject } from "../wire/json.ts";
import { parseJson, readMessage } from "../wire/messages.ts";
import { RpcError } from "../wire/rpc-error.ts";
import { refusalStatus } from "./gate.ts";
import { plainSession } from "./http-session.ts";
import type { HttpSession } from "./http-session.ts";
import { checkHeaders } from "./request-headers.ts";
import { answerAsync, refused } from "./responses.ts";
import type { Post } from "./responses.ts";

export const ENDPOINT = "/mcp";
const SESSION_HEADER = "Mcp-Session-Id";
const BODY_LIMIT_BYTES = 64 * 1024 * 1024;
const SESSIONS_LIMIT = 64;
/** How long a client may take to send the body that its headers announce. */
const BODY_TIMEOUT_S = 30;
/** Two ticks of the clock by which Bun ends connections, because the first may be over at once. */
const TICKS_S = 8;

interface HttpOptions extends ServerOptions {
  /** 0: any free port. */
  readonly port: number;
  /** The bearer token that clients must present. Absent: they need none. */
  readonly token?: string;
  /** Whole seconds, for tests. */
  readonly bodyTimeoutS?: number;
}

interface OpenSession {
  readonly session: HttpSession;
  /** Performance clock; the session that was idle for the longest time makes room. */
  lastUsedAt: number;
}

const MISSING_TOKEN =
  "Requests need the bearer token that `sb mcp --http` printed when it started, or that STUDIO_BRIDGE_MCP_TOKEN set.";

/** Clients show the text of a refusal to the person who has to fix their settings. */
function refusal(
  status: number,
  sentence: string,
  headers: { readonly [name: string]: string } = {},
): Response {
  return new Response(`${sentence}\n`, {
    status,
    headers: { "Content-Type": "text/plain; charset=utf-8", ...headers },
  });
}

export class HttpServer implements AsyncDisposable {
  readonly port: number;
  readonly #options: HttpOptions;
  /** Requests that stand for themselves have no session by which their client could be known. */
  readonly #stateless = unnamedClient();
  readonly #sessions = new Map<string, OpenSession>();
  readonly #bodyTimeoutS: number;
  readonly #server: Bun.Server<undefined>;

  constructor(options: HttpOptions) {
    this.#options = options;
    this.#bodyTimeoutS = options.bodyTimeoutS ?? BODY_TIMEOUT_S;
    this.#server = serve(options.port, (request, server) => {
      // A connection that is refused before its body has come ends after this time.
      server.timeout(request, this.#bodyTimeoutS);
      return this.#respondAsync(request);
    });
    this.port = this.#server.port ?? options.port;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const { session } of this.#sessions.values()) await session[Symbol.asyncDispose]();
    await this.#server.stop(true);
  }

  async #respondAsync(request: Request): Promise<Response> {
    const status = refusalStatus(request.headers, this.#options.token);
    if (status === 401) return refusal(401, MISSING_TOKEN, { "WWW-Authenticate": "Bearer" });
    // A web page that reaches this port under a name of its own reads the answer, so it says nothing.
    if (status === 403) return new Response(null, { status });
    if (new URL(request.url).pathname !== ENDPOINT) return refusal(404, `The endpoint is ${ENDPOINT}.`);
    switch (request.method) {
      case "POST":
        return this.#postAsync(request);
      case "GET":
        return this.#listenAsync(request);
      case "DELETE":
        return this.#deleteAsync(request);
      default:
        return refusal(405, "The methods are GET, POST and DELETE.", { Allow: "GET, POST, DELETE" });
    }
  }

  async #postAsync(request: Request): Promise<Response> {
    if (!/^application\/json\s*(;|$)/i.test(request.headers.get("content-type") ?? ""))
      return refusal(415, "The body of a POST must be application/json.", { Accept: "application/json" });
    const body = await this.#bodyAsync(request);
    if (body === undefined) return refusal(408, "The body did not come in time.", { Connection: "close" });
    const parsed = parseBody(body);
    const bytes = body.byteLength;
    if (parsed instanceof RpcError) return this.#refuse({ value: null, bytes, request }, parsed);
    const { value } = parsed;
    const post = { value, bytes, request };
    if (isObject(value) && hasEnvelope(objectIn(value, "params"))) return this.#statelessAsync(post, value);
    if (isObject(value) && value["method"] === "initialize") return this.#initializeAsync(post);
    if (!request.headers.has(SESSION_HEADER)) return this.#withoutSession(post);
    const session = this.#sessionOf(request);
    if (session === undefined)
      return this.#refuse(post, new RpcError("invalidRequest", "There is no such session."), 404);
    const version = request.headers.get("MCP-Protocol-Version");
    if (version !== null && !session.versions.includes(version))
      return this.#refuse(
        post,
        new RpcError("invalidRequest", `Protocol version ${version} is not spoken in this session.`),
      );
    return session.answerAsync(post);
  }

  /** Undefined if the body does not come in time. */
  async #bodyAsync(request: Request): Promise<Uint8Array | undefined> {
    const late = Bun.sleep(this.#bodyTimeoutS * 1_000).then(() => undefined);
    // The connection has the time of the body and a little more, so that this answer comes before its end.
    this.#server.timeout(request, this.#bodyTimeoutS + TICKS_S);
    const body = await Promise.race([request.bytes(), late]);
    // From here on a silent connection is no sign of trouble: a tool may work for minutes.
    if (body !== undefined) this.#server.timeout(request, 0);
    return body;
  }

  /** Every request is a client of its own; hanging up cancels it. */
  async #statelessAsync(post: Post, message: JsonObject): Promise<Response> {
    try {
      checkHeaders(message, post.request.headers);
      checkEnvelope(objectIn(message, "params"));
    } catch (error) {
      if (error instanceof RpcError) return this.#refuse(post, error);
      throw error;
    }
    const connection = new McpConnection({
      ...this.#options,
      client: this.#stateless,
      send: () => undefined,
    });
    post.request.signal.addEventListener("abort", () => void connection[Symbol.asyncDispose](), {
      once: true,
    });
    return answerAsync(connection, post);
  }

  async #initializeAsync(post: Post): Promise<Response> {
    const session = await this.#newSessionAsync(post);
    const response = await session.answerAsync(post);
    if (session.connection.dialect === "none") return response;
    this.#sessions.set(session.id, { session, lastUsedAt: performance.now() });
    await this.#makeRoomAsync();
    response.headers.set(SESSION_HEADER, session.id);
    return response;
  }

  /** The SDK is loaded by the first client that needs it. */
  async #newSessionAsync({ value }: Post): Promise<HttpSession> {
    if (stringIn(objectIn(value, "params"), "protocolVersion") === plainVersion)
      return plainSession(this.#options, [plainVersion]);
    const { SdkHttpSession } = await import("../sdk/sdk-http-session.ts");
    return new SdkHttpSession(this.#options);
  }

  #withoutSession(post: Post): Response {
    const message = readMessage(post.value);
    if (message.kind === "fault") return this.#refuse(post, message.error);
    // This header belongs to 2026-07-28, whose requests have an envelope.
    const isStateless = post.request.headers.has("Mcp-Method");
    const error = isStateless
      ? new RpcError("invalidParams", "params._meta is missing the protocol version.")
      : new RpcError("invalidRequest", `Send initialize first, then ${SESSION_HEADER} with every request.`);
    return this.#refuse(post, error);
  }

  #refuse(post: Post, error: RpcError, status?: number): Response {
    return refused(post, error, this.#options.telemetry, status);
  }

  /** Only sessions have a stream of their own. */
  async #listenAsync(request: Request): Promise<Response> {
    const session = this.#sessionOf(request);
    if (session !== undefined) {
      this.#server.timeout(request, 0);
      return session.listenAsync(request);
    }
    if (request.headers.has(SESSION_HEADER)) return new Response(null, { status: 404 });
    return new Response(null, { status: 405, headers: { Allow: "POST" } });
  }

  async #deleteAsync(request: Request): Promise<Response> {
    const session = this.#sessionOf(request);
    if (session === undefined) return new Response(null, { status: 404 });
    this.#sessions.delete(session.id);
    await session[Symbol.asyncDispose]();
    return new Response(null, { status: 204 });
  }

  #sessionOf({ headers }: Request): HttpSession | undefined {
    const open = this.#sessions.get(headers.get(SESSION_HEADER) ?? "");
    if (open !== undefined) open.lastUsedAt = performance.now();
    return open?.session;
  }

  /** Clients that end without DELETE leave their sessions behind. */
  async #makeRoomAsync(): Promise<void> {
    if (this.#sessions.size <= SESSIONS_LIMIT) return;
    const [oldest] = [...this.#sessions.values()].toSorted((a, b) => a.lastUsedAt - b.lastUsedAt);
    if (oldest === undefined) return;
    this.#sessions.delete(oldest.session.id);
    await oldest.session[Symbol.asyncDispose]();
  }
}

/** Throws PORT_UNAVAILABLE. */
function serve(
  port: number,
  fetch: (request: Request, server: Bun.Server<undefined>) => Promise<Response>,
): Bun.Server<undefined> {
  try {
    return Bun.serve({
      hostname: "127.0.0.1",
      port,
      idleTimeout: BODY_TIMEOUT_S,
      maxRequestBodySize: BODY_LIMIT_BYTES,
      fetch,
      error: () => new Response(null, { status: 500 }),
    });
  } catch (error) {
    const message = `Port ${port} cannot be used for HTTP: ${systemReason(error)}.`;
    throw new StudioBridgeError("PORT_UNAVAILABLE", message, {
      hint: "Choose another: --http PORT.",
      cause: error,
    });
  }
}

function parseBody(body: Uint8Array) {
  try {
    return parseJson(new TextDecoder("utf-8", { fatal: true }).decode(body));
  } catch {
    return new RpcError("parseError", "the body is not valid UTF-8");
  }
}
