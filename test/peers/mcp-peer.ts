/** A client over stdio that sends exactly what a test says, for what no client library would send or wait for. */
import { binaryPath } from "../../build.ts";
import type { JsonObject } from "../../src/mcp/wire/json.ts";
import { isObject } from "../../src/mcp/wire/json.ts";
import { PATIENCE_MS } from "../harness.ts";
import type { Sandbox } from "../harness.ts";

export const initializeLine = (protocolVersion: string, clientInfo = { name: "peer", version: "1" }) =>
  JSON.stringify({
    jsonrpc: "2.0",
    id: "init",
    method: "initialize",
    params: { protocolVersion, capabilities: {}, clientInfo },
  });

export class StdioPeer implements AsyncDisposable {
  /** Everything the server said, in order. */
  readonly messages: JsonObject[] = [];
  readonly exited: Promise<number>;
  readonly #child;
  readonly #waiting = new Map<number | string, PromiseWithResolvers<JsonObject>>();
  #lastId = 0;
  #hasEnded = false;

  constructor(
    argv: readonly string[],
    options: { readonly cwd: string; readonly env: { [name: string]: string } },
  ) {
    this.#child = Bun.spawn([...argv], {
      ...options,
      stdin: "pipe",
      stdout: "pipe",
      stderr: "pipe",
    });
    this.exited = this.#child.exited;
    void this.#readAsync();
  }

  get pid(): number {
    return this.#child.pid;
  }

  kill(signal: NodeJS.Signals): void {
    this.#child.kill(signal);
  }

  get stderr(): ReadableStream<Uint8Array> {
    return this.#child.stderr;
  }

  /** Writes one line. */
  send(line: string | Uint8Array): void {
    this.#child.stdin.write(line);
    this.#child.stdin.write("\n");
    this.#child.stdin.flush();
  }

  notify(method: string, params: object): void {
    this.send(JSON.stringify({ jsonrpc: "2.0", method, params }));
  }

  /** Sends a request and gives its id, without waiting. */
  ask(method: string, params: object = {}): number {
    this.#lastId += 1;
    this.send(JSON.stringify({ jsonrpc: "2.0", id: this.#lastId, method, params }));
    return this.#lastId;
  }

  /** Fails with the id where no answer comes, and at once where none can come because the server has ended. */
  async answerAsync(id: number | string): Promise<JsonObject> {
    const come = this.messages.find((each) => each["id"] === id);
    if (come !== undefined) return come;
    if (this.#hasEnded) throw await this.#unansweredAsync(id);
    const waiting = Promise.withResolvers<JsonObject>();
    const timer = setTimeout(() => waiting.reject(new Error(`request ${id} is not answered`)), PATIENCE_MS);
    this.#waiting.set(id, waiting);
    return waiting.promise.finally(() => clearTimeout(timer));
  }

  async requestAsync(method: string, params: object = {}): Promise<JsonObject> {
    return this.answerAsync(this.ask(method, params));
  }

  async initializeAsync(
    protocolVersion = "2025-11-25",
    clientInfo?: { readonly name: string; readonly version: string },
  ): Promise<JsonObject> {
    this.send(initializeLine(protocolVersion, clientInfo));
    return this.answerAsync("init");
  }

  /** A tool's result; its text is JSON. */
  async toolAsync(name: string, args: object = {}): Promise<JsonObject> {
    const { result, error } = await this.requestAsync("tools/call", { name, arguments: args });
    if (!isObject(result)) throw new Error(`${name} was refused: ${JSON.stringify(error)}`);
    return result;
  }

  /** Closes stdin; the exit code and how long the exit took, in milliseconds. */
  async endAsync(): Promise<{ readonly exitCode: number; readonly tookMs: number }> {
    const startedAt = performance.now();
    await this.#child.stdin.end();
    return { exitCode: await this.#child.exited, tookMs: performance.now() - startedAt };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#child.kill();
    await this.#child.exited;
  }

  async #readAsync(): Promise<void> {
    const decoder = new TextDecoder("utf-8", { fatal: true });
    let held = "";
    for await (const part of this.#child.stdout) {
      const lines = (held + decoder.decode(part, { stream: true })).split("\n");
      held = lines.pop() ?? "";
      // A line that is no JSON is a fault of the server: it ends the test.
      for (const line of lines) this.#take(JSON.parse(line));
    }
    this.#hasEnded = true;
    for (const [id, { reject }] of this.#waiting) reject(await this.#unansweredAsync(id));
  }

  async #unansweredAsync(id: number | string): Promise<Error> {
    return new Error(`request ${id} is not answered: the server ended with exit code ${await this.exited}`);
  }

  #take(message: JsonObject): void {
    this.messages.push(message);
    const { id } = message;
    if (typeof id !== "string" && typeof id !== "number") return;
    this.#waiting.get(id)?.resolve(message);
    this.#waiting.delete(id);
  }
}

/** A client of the compiled `sb mcp`. */
export class McpPeer extends StdioPeer {
  constructor(
    box: Sandbox,
    flags: readonly string[] = [],
    host = ["--port", String(box.port)],
    command = "mcp",
  ) {
    super([binaryPath, command, ...host, ...flags], { cwd: box.folder, env: box.env() });
  }
}
