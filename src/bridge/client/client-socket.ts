/**
 * A client's link on a real WebSocket, from dialling to its end. Dialling tells which holder a port has: our host, no
 * program, a stranger, or a program that does not answer.
 */
import type { Prover } from "../../auth/index.ts";
import type { StudioBridgeError } from "../../protocol/errors.ts";
import { CLIENT_PATH } from "../../protocol/limits.ts";
import { AwakeTimer } from "../../util/awake-timer.ts";
import { randomHex } from "../../util/random-hex.ts";
import { systemCodeOf } from "../../util/system-error.ts";
import { Greeting } from "./client-greeting.ts";
import type { GreetingStep, Welcome } from "./client-greeting.ts";
import { closeCodes } from "../wire/close-codes.ts";
import type { ClientLink, LinkListener } from "./client-link.ts";

interface Address {
  readonly hostname: string;
  readonly port: number;
  /** The port that the host listens on, where a forwarded one differs. */
  readonly provenPort: number;
}

export interface DialOptions {
  readonly prover: Prover;
  readonly allowUnpaired: boolean;
}

export type Dialled =
  { readonly kind: "host"; readonly socket: ClientSocket; readonly welcome: Welcome } | NoHost;

type NoHost =
  /** No program listens on the port. */
  | { readonly kind: "free" }
  /** The host cannot accept this client now, or is about to end: try again. */
  | { readonly kind: "busy" }
  | { readonly kind: "stranger" }
  | { readonly kind: "hung" }
  /** Our host, which refuses this client and says why. */
  | { readonly kind: "refused"; readonly error: StudioBridgeError };

/** `cut`: the holder hung up before it had proven anything. */
type Outcome = { readonly kind: "host"; readonly welcome: Welcome } | { readonly kind: "cut" } | NoHost;

/** Dialling and binding together must find out about a silent holder within two seconds. */
const DIAL_MS = 1_500;
/**
 * How often a holder that hangs up is dialled. A host that has just died is gone a moment later; a stranger keeps
 * hanging up. Dials are counted and not time, because a slow machine may need long for each.
 */
const CUT_DIALS = 20;
const CUT_PAUSE_MS = 10;

export function localAddress(port: number): Address {
  return { hostname: "127.0.0.1", port, provenPort: port };
}

/** Never rejects; resolves within two seconds of the time in which this process runs. */
export async function dialAsync(address: Address, options: DialOptions): Promise<Dialled> {
  for (let dials = 1; ; dials += 1) {
    const socket = new ClientSocket(address, options);
    const outcome = await patientlyAsync(socket);
    if (outcome.kind === "host") return { ...outcome, socket };
    if (outcome.kind === "hung") return isFree(address) ? { kind: "free" } : outcome;
    if (outcome.kind !== "cut") return outcome;
    if (dials === CUT_DIALS) return { kind: "stranger" };
    await Bun.sleep(CUT_PAUSE_MS);
  }
}

async function patientlyAsync(socket: ClientSocket): Promise<Outcome> {
  using _patience = new AwakeTimer(DIAL_MS, () => socket.abandon());
  return await socket.dialled;
}

/** Some systems let a refused connection run into the timeout, so binding the port finds out whether it is free. */
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

class ClientSocket implements ClientLink {
  readonly dialled: Promise<Outcome>;
  readonly #settleDial: (outcome: Outcome) => void;
  readonly #socket: WebSocket;
  readonly #greeting: Greeting;
  /** Frames that came before a listener was attached. */
  readonly #early: string[] = [];
  #isProven = false;
  #listener: LinkListener | undefined;

  constructor(address: Address, options: DialOptions) {
    const { promise, resolve } = Promise.withResolvers<Outcome>();
    this.dialled = promise;
    this.#settleDial = resolve;
    const { prover, allowUnpaired } = options;
    this.#greeting = new Greeting({
      prover,
      allowUnpaired,
      port: address.provenPort,
      nonceA: randomHex(32),
    });
    const hostname = address.hostname.includes(":") ? `[${address.hostname}]` : address.hostname;
    this.#socket = new WebSocket(`ws://${hostname}:${address.port}${CLIENT_PATH}`, {
      perMessageDeflate: false,
    });
    this.#socket.onopen = () => this.send(this.#greeting.hello());
    this.#socket.onmessage = ({ data }) => this.#receive(String(data));
    this.#socket.onerror = (event) => this.#settleDial({ kind: failureKind(event) });
    this.#socket.onclose = ({ code }) => {
      this.#settleDial({ kind: closedKind(code) });
      this.#listener?.closed();
    };
  }

  attach(listener: LinkListener): void {
    this.#listener = listener;
    for (const text of this.#early.splice(0)) listener.frame(text);
    if (this.#socket.readyState >= WebSocket.CLOSING) listener.closed();
  }

  send(text: string): void {
    this.#socket.send(text);
  }

  /** Ends the dialling, because the holder of the port has been silent for too long. */
  abandon(): void {
    this.#settleDial({ kind: "hung" });
    this.#socket.terminate();
  }

  [Symbol.dispose](): void {
    this.#socket.close();
  }

  #receive(text: string): void {
    if (!this.#isProven) this.#perform(this.#greeting.receive(text));
    else if (this.#listener === undefined) this.#early.push(text);
    else this.#listener.frame(text);
  }

  #perform(step: GreetingStep): void {
    switch (step.type) {
      case "send":
        return this.send(step.text);
      case "ready":
        this.#isProven = true;
        return this.#settleDial({ kind: "host", welcome: step.welcome });
      case "untrusted":
        this.#settleDial({ kind: "stranger" });
        return this.#socket.close();
      case "refused":
        this.#settleDial({ kind: "refused", error: step.error });
        return this.#socket.close();
    }
  }
}

function closedKind(code: number): "busy" | "stranger" | "cut" {
  if (code === closeCodes.crowded || code === closeCodes.gone || code === closeCodes.hostStopped)
    return "busy";
  return code === closeCodes.refused || code === closeCodes.unpaired ? "stranger" : "cut";
}

/**
 * Bun's event has the system's error code if there was no connection, and no code if the answer was not a WebSocket's.
 */
function failureKind(event: Event): "free" | "cut" | "stranger" {
  const code = "error" in event ? systemCodeOf(event.error) : undefined;
  if (code === "ECONNREFUSED") return "free";
  return code === "ECONNRESET" ? "cut" : "stranger";
}
