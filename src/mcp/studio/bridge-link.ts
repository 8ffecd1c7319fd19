/** The one connection of an MCP server to the bridge. When its host has gone, the next call makes another. */
import type { BridgeConnection, SessionEvent } from "../../bridge/index.ts";
import { StudioBridgeError } from "../../protocol/errors.ts";
import { RpcError } from "../wire/rpc-error.ts";
import { withHint } from "./failure-facts.ts";

/** Connecting waits this long, so that it does not hold up the handshake with the client. */
const HEAD_START_MS = 100;

export class BridgeLink implements AsyncDisposable {
  readonly #connectAsync: () => Promise<BridgeConnection>;
  readonly #listeners = new Set<(event: SessionEvent) => void>();
  #bridge: Promise<BridgeConnection> | undefined;
  #opened: BridgeConnection | undefined;
  #soon: Timer | undefined;

  constructor(connectAsync: () => Promise<BridgeConnection>) {
    this.#connectAsync = connectAsync;
  }

  /** Connects before the first call, so that Studios find the host of this process. A failure is told to that call. */
  connectSoon(): void {
    this.#soon = setTimeout(() => void this.bridgeAsync().catch(() => {}), HEAD_START_MS);
  }

  /** Throws RpcError. */
  async bridgeAsync(): Promise<BridgeConnection> {
    this.#bridge ??= this.#openAsync();
    try {
      return await this.#bridge;
    } catch (error) {
      this.#bridge = undefined;
      throw unreachable(error);
    }
  }

  /** Hears of sessions while there is a connection, without making one. Call the result to stop. */
  onSessionEvent(listener: (event: SessionEvent) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    clearTimeout(this.#soon);
    // A connection that is still being made must not hold up the end of the process.
    await this.#opened?.[Symbol.asyncDispose]();
  }

  async #openAsync(): Promise<BridgeConnection> {
    const bridge = await this.#connectAsync();
    this.#opened = bridge;
    bridge.onSessionEvent((event) => {
      for (const listener of this.#listeners) listener(event);
    });
    void bridge.closed.then(() => {
      this.#bridge = undefined;
    });
    return bridge;
  }
}

function unreachable(error: unknown): RpcError {
  const reason = error instanceof Error ? error.message : String(error);
  const isKnown = error instanceof StudioBridgeError;
  const message = `Cannot connect to studio-bridge. Is the bridge host running? ${isKnown ? withHint(error) : reason}`;
  const facts = isKnown ? { code: error.code, hint: error.hint } : {};
  return new RpcError("internalError", message, { reason, ...facts });
}
