/**
 * A WebSocket peer at the host's plugin door that says exactly what a test scripts, for faults and timings that the real
 * plugin does not have. It sends only payloads that the wire's schemas accept, or text marked raw.
 */
import type { Prover } from "../../src/auth/index.ts";
import { decodeEnvelope, encode, messageSchemas } from "../../src/protocol/codec.ts";
import type { Envelope } from "../../src/protocol/envelope.ts";
import type { Register } from "../../src/protocol/events.ts";
import { PLUGIN_PATH, PROTOCOL_VERSION } from "../../src/protocol/limits.ts";
import { randomHex } from "../../src/util/random-hex.ts";

export interface Received extends Envelope {
  /** The frame as it came. */
  readonly text: string;
}

type Header = { sessionId?: string; requestId?: string; protocolVersion?: number };

const schemas = messageSchemas();

export const exampleRegister: Register = {
  pluginVersion: "1.2.3",
  instanceId: "window-1",
  context: "edit",
  placeName: "Baseplate",
  placeId: 0,
  gameId: 0,
  state: "Edit",
  capabilities: ["queryState", "queryLogs", "queryDataModel", "execute", "subscribe", "unsubscribe"],
};

export class ScriptedPlugin implements Disposable {
  /** Everything that came and was not taken by `nextAsync` yet. */
  readonly inbox: Received[] = [];
  /** Resolves with the close code when the host hangs up. */
  readonly closed: Promise<number>;
  readonly #socket: WebSocket;
  readonly #opened: Promise<void>;
  readonly #handlers = new Map<string, (received: Received) => void>();
  #waiting: ({ type: string } & PromiseWithResolvers<Received>)[] = [];

  constructor(port: number, path: string = PLUGIN_PATH) {
    this.#socket = new WebSocket(`ws://127.0.0.1:${port}${path}`);
    this.#opened = new Promise((resolve, reject) => {
      this.#socket.onopen = () => resolve();
      this.#socket.onerror = () => reject(new Error(`no WebSocket at port ${port}`));
    });
    this.closed = new Promise((resolve) => {
      this.#socket.onclose = ({ code }) => {
        resolve(code);
        for (const { type, reject } of this.#waiting)
          reject(new Error(`no ${type}: the host hung up with code ${code}`));
      };
    });
    this.#socket.onmessage = ({ data }) => this.#receive(String(data));
  }

  /** A proven link with one session. */
  static async connectAsync(
    port: number,
    prover: Prover,
    details: Partial<Register> = {},
  ): Promise<{ plugin: ScriptedPlugin; sessionId: string }> {
    const plugin = new ScriptedPlugin(port);
    await plugin.proveAsync(port, prover);
    return { plugin, sessionId: await plugin.registerAsync(details) };
  }

  /** The whole handshake; `provenPort` is the port that the proof speaks of. */
  async proveAsync(provenPort: number, prover: Prover, role: "plugin" | "client" = "plugin"): Promise<void> {
    await this.openAsync();
    const nonceA = randomHex(32);
    const hello = { role, nonceA, keyId: prover.keyId(role) };
    this.send("hello", hello, { protocolVersion: PROTOCOL_VERSION });
    const { payload } = await this.nextAsync("challenge");
    const { nonceB, hostId, proof } = Object(payload);
    const claim = { role, port: provenPort, nonceA, nonceB, hostId };
    if (prover.prove({ side: "host", ...claim }) !== proof) throw new Error("the host did not prove itself");
    this.send("auth", { proof: prover.prove({ side: "peer", ...claim }) });
    await this.nextAsync("welcome");
  }

  async registerAsync(details: Partial<Register> = {}): Promise<string> {
    this.send("register", { ...exampleRegister, ...details }, { requestId: randomHex(16) });
    return (await this.nextAsync("registered")).sessionId;
  }

  openAsync(): Promise<void> {
    return this.#opened;
  }

  send(type: string, payload: unknown, header: Header = {}): void {
    const schema = schemas.get(type);
    if (schema === undefined) throw new Error(`${type} is no message of the protocol`);
    schema().parse(payload);
    this.sendRaw(encode({ type, sessionId: "", ...header, payload }));
  }

  sendRaw(text: string): void {
    this.#socket.send(text);
  }

  /** Answers `request` with a reply of this type. */
  reply(request: Received, type: string, payload: unknown): void {
    const { sessionId, requestId } = request;
    this.send(type, payload, { sessionId, ...(requestId === undefined ? {} : { requestId }) });
  }

  /** Handles every message of a type from now on, in place of `nextAsync`. */
  on(type: string, handler: (received: Received) => void): void {
    this.#handlers.set(type, handler);
  }

  /** The oldest message of this type, now or when it comes. Fails when the host hangs up instead. */
  nextAsync(type: string): Promise<Received> {
    const at = this.inbox.findIndex((received) => received.type === type);
    const [present] = at === -1 ? [] : this.inbox.splice(at, 1);
    if (present !== undefined) return Promise.resolve(present);
    const waiting = { type, ...Promise.withResolvers<Received>() };
    // A test may end without waiting for it any more.
    waiting.promise.catch(() => undefined);
    this.#waiting.push(waiting);
    return waiting.promise;
  }

  /** Cuts the connection without a goodbye. */
  cut(): void {
    this.#socket.terminate();
  }

  [Symbol.dispose](): void {
    this.#socket.close();
  }

  #receive(text: string): void {
    const decoded = decodeEnvelope(text);
    if (!decoded.ok) throw new Error(`the host sent nonsense: ${decoded.fault.message}`);
    schemas.get(decoded.value.type)?.().parse(decoded.value.payload);
    const received = { ...decoded.value, text };
    const handler = this.#handlers.get(received.type);
    if (handler !== undefined) return handler(received);
    const waiting = this.#waiting.find(({ type }) => type === received.type);
    if (waiting === undefined) {
      this.inbox.push(received);
      return;
    }
    this.#waiting = this.#waiting.filter((other) => other !== waiting);
    waiting.resolve(received);
  }
}
