/** One connection to the bridge for as long as the server lives; when the host goes, the next call makes it anew. */
import type { BridgeConnection, SessionEvent } from "../../bridge/index.ts";
import { StudioBridgeError } from "../../protocol/errors.ts";
import { RpcError } from "../wire/rpc-error.ts";

/** The handshake comes first. */
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

  /** Studios find the host of this process before anybody asks for them; what goes wrong is told to whoever does. */
  connectSoon(): void {
    this.#soon = setTimeout(() => void this.bridgeAsync().catch(() => {}), HEAD_START_MS);
  }

  /** Throws RpcError with the sentence of spec 1 §7.2. */
  async bridgeAsync(): Promise<BridgeConnection> {
    this.#bridge ??= this.#openAsync();
    try {
      return await this.#bridge;
    } catch (error) {
      this.#bridge = undefined;
      throw unreachable(error);
    }
  }

  /** Hears of sessions while there is a connection; this makes none. Call the result to stop. */
  onSessionEvent(listener: (event: SessionEvent) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    clearTimeout(this.#soon);
    // One that is still being made must not hold up the end.
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
  const facts = error instanceof StudioBridgeError ? { code: error.code, hint: error.hint } : {};
  const message = "Cannot connect to studio-bridge. Is the bridge host running?";
  return new RpcError("internalError", message, { reason, ...facts });
}
