/** The host core in a world without sockets: time is turned by hand, randomness counts up, frames are read as sent. */
import { createProver } from "../../../../src/auth/index.ts";
import type { Role } from "../../../../src/auth/index.ts";
import { createHostState, nextDueAt, step } from "../../../../src/bridge/host/host-core.ts";
import type { HostConfig, HostEffect, HostEvent, HostState } from "../../../../src/bridge/host/host-core.ts";
import { decodeEnvelope, encode, wrappedFrameLevels } from "../../../../src/protocol/codec.ts";
import type { Envelope } from "../../../../src/protocol/envelope.ts";
import type { Register } from "../../../../src/protocol/events.ts";
import { exampleRegister } from "../../../peers/scripted-plugin.ts";

export const port = 45_000;
export const prover = createProver(new Uint8Array(32).fill(7));
export const nonceA = "a1".repeat(32);

export interface Frame {
  readonly type: string;
  readonly requestId?: string;
  readonly sessionId: string;
  readonly payload: Record<string, unknown>;
}

export class CoreWorld {
  nowMs = 1_000;
  readonly host: HostState;
  /** Effects that are no frames, in order. */
  readonly others: HostEffect[] = [];
  /** `count` of every push, in order. */
  readonly pushCounts: number[] = [];
  /** What `proven` links were welcomed with. */
  readonly welcomes = new Map<number, Frame>();
  readonly #sent = new Map<number, string[]>();
  #nextLinkId = 1;
  #counter = 0;

  constructor(config: Partial<HostConfig> = {}) {
    this.host = createHostState(
      {
        hostId: "host-1",
        port,
        version: "9.9.9",
        allowUnpaired: false,
        idleExitMs: 900_000,
        makesRoom: true,
        epochMs: 0,
        prover,
        randomHex: (sizeBytes) => (++this.#counter).toString(16).padStart(sizeBytes * 2, "0"),
        randomUuid: () => `00000000-0000-4000-8000-${(++this.#counter).toString(16).padStart(12, "0")}`,
        ...config,
      },
      this.nowMs,
    );
  }

  do(event: HostEvent): void {
    for (const effect of step(this.host, event, this.nowMs)) {
      if (effect.type === "push") this.pushCounts.push(effect.count);
      if (effect.type === "send" || effect.type === "push")
        this.#sent.set(effect.linkId, [...(this.#sent.get(effect.linkId) ?? []), effect.text]);
      else this.others.push(effect);
    }
  }

  /** Lets time pass, ticking whenever the core wants to. */
  pass(durationMs: number): void {
    const until = this.nowMs + durationMs;
    while (nextDueAt(this.host) <= until) {
      this.nowMs = Math.max(this.nowMs, nextDueAt(this.host));
      this.do({ type: "tick" });
    }
    this.nowMs = until;
  }

  /** The whole machine stands still: the host's tick comes that much later. */
  standStill(durationMs: number): void {
    this.nowMs += durationMs;
    if (nextDueAt(this.host) <= this.nowMs) this.do({ type: "tick" });
  }

  open(role: Role): number {
    const linkId = this.#nextLinkId++;
    this.do({ type: "open", linkId, role });
    return linkId;
  }

  say(linkId: number, type: string, payload: unknown, header: Partial<Envelope> = {}): void {
    this.do({ type: "frame", linkId, text: encode({ type, sessionId: "", ...header, payload }) });
  }

  raw(linkId: number, text: string): void {
    this.do({ type: "frame", linkId, text });
  }

  /** The frames sent to a link since the last look, as text. */
  texts(linkId: number): string[] {
    const texts = this.#sent.get(linkId) ?? [];
    this.#sent.delete(linkId);
    return texts;
  }

  frames(linkId: number): Frame[] {
    return this.texts(linkId).map(readFrame);
  }

  hello(linkId: number, role: Role): void {
    this.say(linkId, "hello", { role, nonceA, keyId: prover.keyId(role) }, { protocolVersion: 2 });
  }

  /** A proven link; what was sent on the way is taken. */
  proven(role: Role): number {
    const linkId = this.open(role);
    this.hello(linkId, role);
    const nonceB = String(this.frames(linkId)[0]?.payload["nonceB"]);
    const proof = prover.prove({ side: "peer", role, port, nonceA, nonceB, hostId: "host-1" });
    this.say(linkId, "auth", { proof });
    const [welcome] = this.frames(linkId);
    if (welcome?.type !== "welcome") throw new Error("the link was not welcomed");
    this.welcomes.set(linkId, welcome);
    return linkId;
  }

  /** Registers a session on a proven plugin link and gives its id. */
  register(linkId: number, details: Partial<Register> = {}): string {
    this.say(linkId, "register", { ...exampleRegister, ...details }, { requestId: "register" });
    const registered = this.frames(linkId).find(({ type }) => type === "registered");
    if (registered === undefined) throw new Error("the session was not registered");
    return registered.sessionId;
  }

  request(
    linkId: number,
    requestId: string,
    targetSessionId: string,
    type: string,
    payload: unknown = {},
    timeoutMs?: number,
  ): void {
    const body = { requestId, targetSessionId, timeoutMs, action: { type, payload } };
    this.say(linkId, "host-envelope", body, { requestId });
  }

  /** What a client was answered, without the wrapping. */
  answers(linkId: number): Frame[] {
    return this.frames(linkId)
      .filter(({ type }) => type === "host-response")
      .map(({ payload }) => readFrame(JSON.stringify(payload["result"])));
  }
}

/** A client, a plugin, and one session between them. */
export function simpleWorld(config: Partial<HostConfig> = {}) {
  const world = new CoreWorld(config);
  const client = world.proven("client");
  const plugin = world.proven("plugin");
  const sessionId = world.register(plugin);
  world.frames(client);
  return { world, client, plugin, sessionId };
}

export function errorOf(frame: Frame | undefined) {
  return { type: frame?.type, code: frame?.payload["code"], outcome: frame?.payload["outcome"] };
}

function readFrame(text: string): Frame {
  const decoded = decodeEnvelope(text, wrappedFrameLevels);
  if (!decoded.ok) throw new Error(`the host wrote nonsense: ${decoded.fault.message}`);
  return { ...decoded.value, payload: Object(decoded.value.payload) };
}

/** What a client was told about sessions. */
export const sessionEvents = (frames: readonly Frame[]) =>
  frames
    .filter(({ type }) => type === "session-event")
    .map(({ payload }) => {
      const session = Object(payload["session"]);
      return {
        event: payload["event"],
        sessionId: session.sessionId,
        state: session.state,
        health: session.health,
      };
    });

/** As the host gives ids to sessions. */
export const UUID_V4 = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
