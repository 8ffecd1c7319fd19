/**
 * The first frames of a client's link, without a socket. The client makes the host prove itself before it sends its own
 * proof, so that a stranger on the port learns nothing (docs/protocol.md has the frames). client-core.ts handles
 * everything after the welcome.
 */
import { isSameProof } from "../../auth/index.ts";
import type { Prover } from "../../auth/index.ts";
import { decodeEnvelope, decodePayload } from "../../protocol/codec.ts";
import type { Envelope } from "../../protocol/envelope.ts";
import type { StudioBridgeError } from "../../protocol/errors.ts";
import { events, handshake } from "../../protocol/events.ts";
import { PROTOCOL_VERSION } from "../../protocol/limits.ts";
import { errorFromWire } from "../../protocol/messages.ts";
import type { SessionInfo } from "../../protocol/network.ts";
import { frame } from "../wire/frames.ts";

interface GreetingConfig {
  readonly prover: Prover;
  /** The port that was dialled, or the port that a forwarded host names. */
  readonly port: number;
  readonly nonceA: string;
  /** Accepts a host that welcomes without a proof. */
  readonly allowUnpaired: boolean;
}

/** What a host says about itself. */
export interface Welcome {
  readonly hostId: string;
  readonly serverVersion: string;
  /** Undefined if the welcome has no list; the client then asks for it. */
  readonly sessions: readonly SessionInfo[] | undefined;
  /** The host is still looking for another host, and would make room for it. */
  readonly isSettling: boolean;
}

export type GreetingStep =
  | { readonly type: "send"; readonly text: string }
  /** The host has proven itself and accepted this client. */
  | { readonly type: "ready"; readonly welcome: Welcome }
  /** The program on the port is not a host with our key. */
  | { readonly type: "untrusted" }
  /** Our host, which refuses this client and says why. */
  | { readonly type: "refused"; readonly error: StudioBridgeError };

export class Greeting {
  readonly #config: GreetingConfig;
  #phase: "hello" | "auth" = "hello";
  #hostId = "";

  constructor(config: GreetingConfig) {
    this.#config = config;
  }

  hello(): string {
    const { prover, nonceA } = this.#config;
    const payload = { role: "client", nonceA, keyId: prover.keyId("client") } as const;
    return frame("hello", payload, { protocolVersion: PROTOCOL_VERSION });
  }

  /** What to do about a frame. After any result but `send` the greeting is over. */
  receive(text: string): GreetingStep {
    const decoded = decodeEnvelope(text);
    if (!decoded.ok) return { type: "untrusted" };
    const envelope = decoded.value;
    if (this.#phase === "hello" && envelope.type === "challenge") return this.#checkHost(envelope);
    if (this.#phase === "auth" && envelope.type === "error") return refusal(envelope);
    const isExpected = this.#phase === "auth" || this.#config.allowUnpaired;
    const welcome =
      envelope.type === "welcome" ? decodePayload(handshake.welcome.payload, envelope) : undefined;
    if (welcome?.ok !== true || !isExpected) return { type: "untrusted" };
    const { serverVersion, sessions, isSettling = false } = welcome.value;
    return { type: "ready", welcome: { hostId: this.#hostId, serverVersion, sessions, isSettling } };
  }

  #checkHost(envelope: Envelope): GreetingStep {
    const decoded = decodePayload(handshake.challenge.payload, envelope);
    if (!decoded.ok) return { type: "untrusted" };
    const { nonceB, hostId, proof } = decoded.value;
    const { prover, port, nonceA } = this.#config;
    const claim = { role: "client", port, nonceA, nonceB, hostId } as const;
    if (!isSameProof(prover.prove({ side: "host", ...claim }), proof)) return { type: "untrusted" };
    this.#phase = "auth";
    this.#hostId = hostId;
    return { type: "send", text: frame("auth", { proof: prover.prove({ side: "peer", ...claim }) }) };
  }
}

function refusal(envelope: Envelope): GreetingStep {
  const decoded = decodePayload(events.error.payload, envelope);
  return decoded.ok ? { type: "refused", error: errorFromWire(decoded.value) } : { type: "untrusted" };
}
