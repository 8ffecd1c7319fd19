/** The session of an HTTP client that began with `initialize`, and its implementation for 1.0; the SDK has the other. */
import { McpConnection } from "../server/connection.ts";
import type { ServerOptions } from "../server/open-request.ts";
import { plainAnswerAsync } from "./responses.ts";
import type { Post } from "./responses.ts";

export interface HttpSession extends AsyncDisposable {
  readonly id: string;
  readonly connection: McpConnection;
  /** The values that the header MCP-Protocol-Version may have. */
  readonly versions: readonly string[];
  answerAsync(post: Post): Promise<Response>;
  /** The answer to GET. */
  listenAsync(request: Request): Promise<Response>;
}

/** A client of 1.0, which has no notices: every answer is plain JSON. */
export function plainSession(options: ServerOptions, versions: readonly string[]): HttpSession {
  const connection = new McpConnection({ ...options, send: () => undefined });
  return {
    id: crypto.randomUUID(),
    connection,
    versions,
    answerAsync: (post) => plainAnswerAsync(connection, post),
    listenAsync: async () => new Response(null, { status: 405, headers: { Allow: "POST, DELETE" } }),
    [Symbol.asyncDispose]: () => connection[Symbol.asyncDispose](),
  };
}
