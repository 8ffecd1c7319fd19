/** One client of a dated revision over HTTP: its connection, and the stream for what concerns no request. */
import { McpConnection } from "../server/connection.ts";
import type { ConnectionOptions } from "../server/connection.ts";
import { openEventStream } from "./event-stream.ts";
import type { EventStream } from "./event-stream.ts";

export class HttpSession implements AsyncDisposable {
  readonly id = crypto.randomUUID();
  readonly connection: McpConnection;
  /** Performance clock; decides who makes room. */
  lastUsedAt = performance.now();
  #stream: EventStream | undefined;

  constructor(options: Omit<ConnectionOptions, "notify">) {
    this.connection = new McpConnection({ ...options, notify: (outgoing) => this.#stream?.send(outgoing) });
  }

  /** The answer to GET; a newer stream takes the older one's place. */
  listen(): Response {
    this.#stream?.close();
    const stream = openEventStream(() => {
      if (this.#stream === stream) this.#stream = undefined;
    });
    this.#stream = stream;
    return stream.response;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stream?.close();
    await this.connection[Symbol.asyncDispose]();
  }
}
