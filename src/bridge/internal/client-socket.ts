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
  /** A host that cannot take us right now, or is leaving: try again. */
  | { readonly kind: "busy" }
  | { readonly kind: "stranger" }
  | { readonly kind: "hung" }
  /** Our host says why it does not take us in. */
  | { readonly kind: "refused"; readonly error: StudioBridgeError };

/** `cut`: hung up before it had proven anything. */
type Outcome = { readonly kind: "host" } | { readonly kind: "cut" } | NoHost;

/** Everything about a silent holder must be known within two seconds. */
const DIAL_MS = 1_500;
/** A host that hangs up because it has just died is not there the next time; a stranger keeps hanging up. */
const CUT_PATIENCE_MS = 200;

export function localAddress(port: number): Address {
  return { hostname: "127.0.0.1", port, provenPort: port };
}

/** Never rejects, and knows within two seconds. */
export async function dialAsync(address: Address, options: DialOptions): Promise<Dialled> {
  const patientUntil = performance.now() + CUT_PATIENCE_MS;
  for (;;) {
    const socket = new ClientSocket(address, options);
    const timeout = setTimeout(() => socket.abandon(), DIAL_MS);
    const outcome = await socket.dialled;
    clearTimeout(timeout);
    if (outcome.kind === "host") return { kind: "host", socket };
    if (outcome.kind === "hung") return isFree(address) ? { kind: "free" } : outcome;
    if (outcome.kind !== "cut") return outcome;
    if (performance.now() > patientUntil) return { kind: "stranger" };
    await Bun.sleep(5);
  }
}

/** Some systems let a refused connection run into the timeout; binding tells for certain. */
function isFree({ hostname, port }: Address): boolean {
  return hostname === "127.0.0.1" && canBind(port);
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
  readonly dialled: Promise<Outcome>;
  readonly #settleDial: (outcome: Outcome) => void;
  readonly #socket: WebSocket;
  readonly #core: ClientState;
  readonly #alarm = new Alarm(() => this.dispatch({ type: "tick" }));
  #listener: (effect: ClientEffect) => void = () => {};
  #onClosed: () => void = () => {};

  constructor(address: Address, options: DialOptions) {
    const { promise, resolve } = Promise.withResolvers<Outcome>();
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
    this.#settleDial({ kind: closedKind(code) });
    this.dispatch({ type: "closed" });
    this.#alarm[Symbol.dispose]();
    this.#onClosed();
  }
}

function closedKind(code: number): "busy" | "stranger" | "cut" {
  if (code === closeCodes.crowded || code === closeCodes.hostStopped) return "busy";
  return code === closeCodes.refused || code === closeCodes.unpaired ? "stranger" : "cut";
}

/** Bun gives the system's code where there was no connection, and none when the answer was no WebSocket. */
function failureKind(event: Event): "free" | "cut" | "stranger" {
  const code = "error" in event ? systemCodeOf(event.error) : undefined;
  if (code === "ECONNREFUSED") return "free";
  return code === "ECONNRESET" ? "cut" : "stranger";
}
