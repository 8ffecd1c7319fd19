import { describe, expect, test } from "bun:test";
import { createClientState, nextDueAt, step } from "../../../src/bridge/internal/client-core.ts";
import type { ClientEffect, ClientEvent } from "../../../src/bridge/internal/client-core.ts";
import { encode } from "../../../src/protocol/codec.ts";
import { nonceA, port, prover } from "./core-world.ts";

const nonceB = "b2".repeat(32);
const hostId = "host-1";

class ClientWorld {
  nowMs = 0;
  readonly client;

  constructor(allowUnpaired = false) {
    this.client = createClientState({ prover, port, nonceA, allowUnpaired }, 0);
  }

  do(event: ClientEvent): ClientEffect[] {
    return step(this.client, event, this.nowMs);
  }

  hear(type: string, payload: unknown, header: { requestId?: string } = {}): ClientEffect[] {
    return this.do({ type: "frame", text: encode({ type, sessionId: "", ...header, payload }) });
  }

  challenge(claim: { port?: number; side?: "host" | "peer" } = {}): ClientEffect[] {
    const proof = prover.prove({ side: "host", role: "client", port, nonceA, nonceB, hostId, ...claim });
    return this.hear("challenge", { nonceB, hostId, proof });
  }

  ready(): this {
    this.do({ type: "opened" });
    this.challenge();
    this.hear("welcome", { serverVersion: "1", protocolVersion: 2 });
    return this;
  }

  call(requestId: string, timeoutMs = 1_000): ClientEffect[] {
    const call = {
      requestId,
      sessionId: "s",
      action: "execute",
      payload: { script: "x" },
      timeoutMs,
    } as const;
    return this.do({ type: "call", call });
  }

  answer(requestId: string, type: string, payload: unknown): ClientEffect[] {
    return this.hear("host-response", { requestId, result: { type, sessionId: "s", requestId, payload } });
  }

  pass(durationMs: number): ClientEffect[] {
    const until = this.nowMs + durationMs;
    const effects: ClientEffect[] = [];
    while (nextDueAt(this.client) <= until) {
      this.nowMs = Math.max(this.nowMs, nextDueAt(this.client));
      effects.push(...this.do({ type: "tick" }));
    }
    this.nowMs = until;
    return effects;
  }
}

const failures = (effects: readonly ClientEffect[]) =>
  effects.map((effect) =>
    effect.type === "failed"
      ? { requestId: effect.requestId, code: effect.error.code, outcome: effect.error.outcome }
      : effect.type,
  );

describe("the client", () => {
  test("proves itself only to a host that has proven itself first", () => {
    const world = new ClientWorld();
    const [hello] = world.do({ type: "opened" });
    expect(hello).toEqual({
      type: "send",
      text: encode({
        type: "hello",
        sessionId: "",
        protocolVersion: 2,
        payload: { role: "client", nonceA, keyId: prover.keyId("client") },
      }),
    });
    const proof = prover.prove({ side: "peer", role: "client", port, nonceA, nonceB, hostId });
    expect(world.challenge()).toEqual([
      { type: "send", text: encode({ type: "auth", sessionId: "", payload: { proof } }) },
    ]);
    expect(world.hear("welcome", { serverVersion: "1", protocolVersion: 2 })).toEqual([
      { type: "ready", hostId },
    ]);
  });

  test.each([
    ["a relay on another port", (world: ClientWorld) => world.challenge({ port: port + 1 })],
    ["an echo of our own side", (world: ClientWorld) => world.challenge({ side: "peer" })],
    [
      "a welcome without a proof",
      (world: ClientWorld) => world.hear("welcome", { serverVersion: "1", protocolVersion: 2 }),
    ],
    ["our own words", (world: ClientWorld) => world.hear("hello", { role: "client", nonceA })],
    ["UNPAIRED", (world: ClientWorld) => world.hear("error", { code: "UNPAIRED", message: "" })],
    ["noise", (world: ClientWorld) => world.do({ type: "frame", text: "220 ready" })],
  ])("hangs up on %s and tells it nothing", (_, hear) => {
    const world = new ClientWorld();
    world.do({ type: "opened" });
    expect(hear(world)).toEqual([{ type: "untrusted" }, { type: "close" }]);
  });

  test("takes a host without a proof only when it is told to", () => {
    const world = new ClientWorld(true);
    world.do({ type: "opened" });
    expect(world.hear("welcome", { serverVersion: "1", protocolVersion: 2 })).toEqual([
      { type: "ready", hostId: "" },
    ]);
  });

  test("gives each call its own answer, once", () => {
    const world = new ClientWorld().ready();
    world.call("a");
    world.call("b");
    const ends = [
      ...world.answer("b", "scriptComplete", { success: true }),
      ...world.answer("b", "scriptComplete", { success: false }),
      ...world.answer("a", "error", { code: "BUSY", message: "full", outcome: "not_started" }),
      ...world.answer("nobody", "scriptComplete", { success: true }),
    ];
    expect(
      ends.map((effect) => ("requestId" in effect ? `${effect.type} ${effect.requestId}` : effect.type)),
    ).toEqual(["reply b", "failed a"]);
  });

  test("passes output on once, even when a plugin that came back repeats it", () => {
    const world = new ClientWorld().ready();
    world.call("a");
    const line = (body: string) => ({ level: "Print", body });
    const bodies = [
      ...world.answer("a", "output", { messages: [line("0"), line("1")], seq: 0 }),
      ...world.answer("a", "output", { messages: [line("1"), line("2")], seq: 1 }),
      ...world.answer("a", "output", { messages: [line("2")], seq: 2 }),
    ].map((effect) => (effect.type === "output" ? effect.messages.map(({ body }) => body) : effect.type));
    expect(bodies).toEqual([["0", "1"], ["2"]]);
  });

  test("puts a reply together from chunks, also when it starts over in the middle", () => {
    const world = new ClientWorld().ready();
    world.call("a");
    const text = encode({
      type: "scriptComplete",
      sessionId: "s",
      requestId: "a",
      payload: { success: true, error: "é" },
    });
    const pieces = [text.slice(0, 20), text.slice(20, 50), text.slice(50)];
    const chunk = (seq: number) => world.answer("a", "chunk", { seq, total: 3, data: pieces[seq] });
    expect([...chunk(0), ...chunk(1), ...chunk(0), ...chunk(1)]).toEqual([]);
    expect(chunk(2)).toMatchObject([
      { type: "reply", requestId: "a", envelope: { payload: { success: true, error: "é" } } },
    ]);
  });

  test.each([
    [
      "a missing chunk",
      [
        { seq: 0, total: 3, data: "{" },
        { seq: 2, total: 3, data: "}" },
      ],
    ],
    ["a last chunk of very many", [{ seq: 999_999_998, total: 999_999_999, data: "}" }]],
    ["chunks that are no frame", [{ seq: 0, total: 1, data: "{}" }]],
    ["chunks in chunks", [{ seq: 0, total: 1, data: '{"type":"chunk","payload":{}}' }]],
  ])("says so about %s", (_, chunks) => {
    const world = new ClientWorld().ready();
    world.call("a");
    const effects = chunks.flatMap((chunk) => world.answer("a", "chunk", chunk));
    expect(failures(effects)).toEqual([
      { requestId: "a", code: "INVALID_PAYLOAD", outcome: "ran_reply_lost" },
    ]);
  });

  test("gives up on a host that no longer answers", () => {
    const world = new ClientWorld().ready();
    world.call("a", 1_000);
    expect(failures(world.pass(1_249))).toEqual([]);
    expect(failures(world.pass(1))).toEqual([{ requestId: "a", code: "TIMEOUT", outcome: "unknown" }]);
    expect(world.answer("a", "scriptComplete", { success: true })).toEqual([]);
  });

  test("that cancels takes what really happened: the result, or the word of the plugin", () => {
    const world = new ClientWorld().ready();
    world.call("done");
    world.call("queued");
    const sent = [
      ...world.do({ type: "abort", requestId: "done" }),
      ...world.do({ type: "abort", requestId: "done" }),
    ];
    expect(
      sent.map((effect) => (effect.type === "send" ? JSON.parse(effect.text).payload.action : effect)),
    ).toEqual([{ type: "cancel", payload: {} }]);
    world.do({ type: "abort", requestId: "queued" });
    const refusal = { code: "CANCELLED", message: "Cancelled before it started.", outcome: "not_started" };
    expect(
      failures([
        ...world.answer("done", "scriptComplete", { success: true }),
        ...world.answer("queued", "error", refusal),
      ]),
    ).toEqual(["reply", { requestId: "queued", code: "CANCELLED", outcome: "not_started" }]);
  });

  test("that cancels a script which cannot hear does not wait for ever", () => {
    const world = new ClientWorld().ready();
    world.call("a", 120_000);
    world.do({ type: "abort", requestId: "a" });
    expect(failures(world.pass(1_499))).toEqual([]);
    expect(failures(world.pass(1))).toEqual([{ requestId: "a", code: "CANCELLED", outcome: "unknown" }]);
  });

  test("that loses the host ends every call, and later ones as not started", () => {
    const world = new ClientWorld().ready();
    world.call("a");
    expect(failures([...world.do({ type: "closed" }), ...world.call("b")])).toEqual([
      { requestId: "a", code: "HOST_UNREACHABLE", outcome: "unknown" },
      { requestId: "b", code: "HOST_UNREACHABLE", outcome: "not_started" },
    ]);
  });
});
