/**
 * The client core on a real WebSocket. Dialling tells apart who holds a port: our host, nobody, a stranger, or something
 * that does not answer.
 */
import type { Prover } from "../../auth/index.ts";
import type { StudioBridgeError } from "../../protocol/errors.ts";
import { CLIENT_PATH } from "../../protocol/limits.ts";
import { Alarm } from "../../util/alarm.ts";
import { randomHex } from "../../util/random-hex.ts";
import { systemCodeOf } from "../../util/system-error.ts";
import { createClientState, nextDueAt, step } from "./client-core.ts";
import type { ClientEffect, ClientEvent, ClientState } from "./client-core.ts";
import { closeCodes } from "./close-codes.ts";

export interface Address {
  readonly hostname: string;
  readonly port: number;
  /** The port that the host listens on, where a forwarded one differs. */
  readonly provenPort: number;
}

export interface DialOptions {
  readonly prover: Prover;
  readonly allowUnpaired: boolean;
}

export type Dialled = { readonly kind: "host"; readonly socket: ClientSocket } | NoHost;

type NoHost =
  /** Nobody listens there. */
  | { readonly kind: "free" }
  /** A host that cannot take us right now, or was just leaving: try again. */
  | { readonly kind: "busy" }
  | { readonly kind: "stranger" }
  | { readonly kind: "hung" }
  /** Our host says why it does not take us in. */
  | { readonly kind: "refused"; readonly error: StudioBridgeError };

/** Everything about a silent holder must be known within two seconds. */
const DIAL_MS = 1_500;

export function localAddress(port: number): Address {
  return { hostname: "127.0.0.1", port, provenPort: port };
}

/** Never rejects and never takes longer than DIAL_MS. */
export async function dialAsync(address: Address, options: DialOptions): Promise<Dialled> {
  const socket = new ClientSocket(address, options);
  const timeout = setTimeout(() => socket.abandon(), DIAL_MS);
  const outcome = await socket.dialled;
  clearTimeout(timeout);
  if (outcome.kind === "host") return { kind: "host", socket };
  // Some systems let a refused connection run into the timeout; binding tells for certain.
  if (outcome.kind === "hung" && address.hostname === "127.0.0.1" && canBind(address.port))
    return { kind: "free" };
  return outcome;
}

function canBind(port: number): boolean {
  try {
    Bun.listen({ hostname: "127.0.0.1", port, socket: { data() {} } }).stop(true);
    return true;
  } catch {
    return false;
  }
}

export class ClientSocket implements Disposable {
  readonly dialled: Promise<{ readonly kind: "host" } | NoHost>;
  readonly #settleDial: (outcome: { readonly kind: "host" } | NoHost) => void;
  readonly #socket: WebSocket;
  readonly #core: ClientState;
  readonly #alarm = new Alarm(() => this.dispatch({ type: "tick" }));
  #listener: (effect: ClientEffect) => void = () => {};
  #onClosed: () => void = () => {};

  constructor(address: Address, options: DialOptions) {
    const { promise, resolve } = Promise.withResolvers<{ readonly kind: "host" } | NoHost>();
    this.dialled = promise;
    this.#settleDial = resolve;
    const { prover, allowUnpaired } = options;
    const config = { prover, allowUnpaired, port: address.provenPort, nonceA: randomHex(32) };
    this.#core = createClientState(config, performance.now());
    const hostname = address.hostname.includes(":") ? `[${address.hostname}]` : address.hostname;
    this.#socket = new WebSocket(`ws://${hostname}:${address.port}${CLIENT_PATH}`, {
      perMessageDeflate: false,
    });
    this.#socket.onopen = () => this.dispatch({ type: "opened" });
    this.#socket.onmessage = ({ data }) => this.dispatch({ type: "frame", text: String(data) });
    this.#socket.onerror = (event) => this.#settleDial({ kind: failureKind(event) });
    this.#socket.onclose = ({ code }) => this.#closed(code);
  }

  get hostId(): string {
    return this.#core.hostId;
  }

  /** Takes over what happens from now on; a link that has already broken reports so at once. */
  attach(listener: (effect: ClientEffect) => void, onClosed: () => void): void {
    this.#listener = listener;
    this.#onClosed = onClosed;
    if (this.#socket.readyState >= WebSocket.CLOSING) onClosed();
  }

  dispatch(event: ClientEvent): void {
    for (const effect of step(this.#core, event, performance.now())) this.#perform(effect);
    this.#alarm.wakeBy(nextDueAt(this.#core), performance.now());
  }

  /** The holder of the port has been silent for too long. */
  abandon(): void {
    this.#settleDial({ kind: "hung" });
    this.#socket.terminate();
  }

  [Symbol.dispose](): void {
    this.#socket.close();
    this.#alarm[Symbol.dispose]();
  }

  #perform(effect: ClientEffect): void {
    switch (effect.type) {
      case "send":
        this.#socket.send(effect.text);
        return;
      case "close":
        this.#socket.close();
        return;
      case "ready":
        return this.#settleDial({ kind: "host" });
      case "untrusted":
        return this.#settleDial({ kind: "stranger" });
      case "refused":
        return this.#settleDial({ kind: "refused", error: effect.error });
      default:
        this.#listener(effect);
    }
  }

  #closed(code: number): void {
    const isRefusal = code === closeCodes.refused || code === closeCodes.unpaired;
    this.#settleDial({ kind: isRefusal ? "stranger" : "busy" });
    this.dispatch({ type: "closed" });
    this.#alarm[Symbol.dispose]();
    this.#onClosed();
  }
}

/** Bun gives the system's code where there was no connection, and none when the answer was no WebSocket. */
function failureKind(event: Event): "free" | "busy" | "stranger" {
  const code = "error" in event ? systemCodeOf(event.error) : undefined;
  if (code === "ECONNREFUSED") return "free";
  return code === "ECONNRESET" ? "busy" : "stranger";
}
