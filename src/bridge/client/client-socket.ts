/**
 * A client's link on a real WebSocket, from dialling to its end. Dialling tells apart who holds a port: our host,
 * nobody, a stranger, or something that does not answer.
 */
import type { Prover } from "../../auth/index.ts";
import type { StudioBridgeError } from "../../protocol/errors.ts";
import { CLIENT_PATH } from "../../protocol/limits.ts";
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
  /** Nobody listens there. */
  | { readonly kind: "free" }
  /** A host that cannot take us right now, or is leaving: try again. */
  | { readonly kind: "busy" }
  | { readonly kind: "stranger" }
  | { readonly kind: "hung" }
  /** Our host says why it does not take us in. */
  | { readonly kind: "refused"; readonly error: StudioBridgeError };

/** `cut`: hung up before it had proven anything. */
type Outcome = { readonly kind: "host"; readonly welcome: Welcome } | { readonly kind: "cut" } | NoHost;

/** Everything about a silent holder must be known within two seconds. */
const DIAL_MS = 1_500;
/** A host that hangs up because it has just died is not there the next time; a stranger keeps hanging up. */
const CUT_PATIENCE_MS = 200;

export function localAddress(port: number): Address {
  return { hostname: "127.0.0.1", port, provenPort: port };
}

/** Never rejects, and knows within two seconds. */
export async function dialAsync(address: Address, options: DialOptions): Promise<Dialled> {
  let patientUntil = Infinity;
  for (;;) {
    const socket = new ClientSocket(address, options);
    const timeout = setTimeout(() => socket.abandon(), DIAL_MS);
    const outcome = await socket.dialled;
    clearTimeout(timeout);
    if (outcome.kind === "host") return { ...outcome, socket };
    if (outcome.kind === "hung") return isFree(address) ? { kind: "free" } : outcome;
    if (outcome.kind !== "cut") return outcome;
    // From the first time on: on a slow machine, already that may have taken long.
    patientUntil = Math.min(patientUntil, performance.now() + CUT_PATIENCE_MS);
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

class ClientSocket implements ClientLink {
  readonly dialled: Promise<Outcome>;
  readonly #settleDial: (outcome: Outcome) => void;
  readonly #socket: WebSocket;
  readonly #greeting: Greeting;
  /** Frames that came before anybody listened. */
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

  /** The holder of the port has been silent for too long. */
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
  if (code === closeCodes.crowded || code === closeCodes.hostStopped) return "busy";
  return code === closeCodes.refused || code === closeCodes.unpaired ? "stranger" : "cut";
}

/** Bun gives the system's code where there was no connection, and none when the answer was no WebSocket. */
function failureKind(event: Event): "free" | "cut" | "stranger" {
  const code = "error" in event ? systemCodeOf(event.error) : undefined;
  if (code === "ECONNREFUSED") return "free";
  return code === "ECONNRESET" ? "cut" : "stranger";
}
