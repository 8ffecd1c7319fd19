import { describe, expect, test } from "bun:test";
import type { ClientEffect } from "../../../../src/bridge/client/client-core.ts";
import { encode } from "../../../../src/protocol/codec.ts";
import { ClientWorld, exampleSession } from "./client-world.ts";

const failures = (effects: readonly ClientEffect[]) =>
  effects.map((effect) =>
    effect.type === "failed"
      ? { callId: effect.callId, code: effect.error.code, outcome: effect.error.outcome }
      : effect.type,
  );

describe("the client", () => {
  test("gives each call its own answer, once", () => {
    const world = new ClientWorld().ready();
    world.call("a");
    world.call("b");
    const ends = [
      ...world.answer("b", "scriptComplete", { success: true }),
      ...world.answer("b", "scriptComplete", { success: false }),
      ...world.answer("a", "error", { code: "BUSY", message: "full", outcome: "not_started" }),
      ...world.answer("unknown-call", "scriptComplete", { success: true }),
    ];
    expect(
      ends.map((effect) => ("callId" in effect ? `${effect.type} ${effect.callId}` : effect.type)),
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
      { type: "reply", callId: "a", envelope: { payload: { success: true, error: "é" } } },
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
    expect(failures(effects)).toEqual([{ callId: "a", code: "INVALID_PAYLOAD", outcome: "ran_reply_lost" }]);
  });

  test("gives up on a host that no longer answers", () => {
    const world = new ClientWorld().ready();
    world.call("a", 1_000);
    expect(failures(world.pass(1_249))).toEqual([]);
    expect(failures(world.pass(1))).toEqual([{ callId: "a", code: "TIMEOUT", outcome: "unknown" }]);
    expect(world.answer("a", "scriptComplete", { success: true })).toEqual([]);
  });

  test("that cancels gets what really happened: the result, or the plugin's answer to the cancelling", () => {
    const world = new ClientWorld().ready();
    world.call("done");
    world.call("queued");
    const sent = [
      ...world.do({ type: "abort", callId: "done" }),
      ...world.do({ type: "abort", callId: "done" }),
    ];
    expect(
      sent.map((effect) => (effect.type === "send" ? JSON.parse(effect.text).payload.action : effect)),
    ).toEqual([{ type: "cancel", payload: {} }]);
    world.do({ type: "abort", callId: "queued" });
    const refusal = { code: "CANCELLED", message: "Cancelled before it started.", outcome: "not_started" };
    expect(
      failures([
        ...world.answer("done", "scriptComplete", { success: true }),
        ...world.answer("queued", "error", refusal),
      ]),
    ).toEqual(["reply", { callId: "queued", code: "CANCELLED", outcome: "not_started" }]);
  });

  test("that cancels a script which never yields does not wait for ever", () => {
    const world = new ClientWorld().ready();
    world.call("a", 120_000);
    world.do({ type: "abort", callId: "a" });
    expect(failures(world.pass(1_499))).toEqual([]);
    expect(failures(world.pass(1))).toEqual([{ callId: "a", code: "CANCELLED", outcome: "unknown" }]);
  });

  test("that finds no other host ends every call, and later ones as not started", () => {
    const world = new ClientWorld().ready();
    world.call("a");
    world.do({ type: "detached" });
    world.call("b");
    expect(failures([...world.do({ type: "lost" }), ...world.call("c")])).toEqual([
      { callId: "a", code: "HOST_UNREACHABLE", outcome: "unknown" },
      { callId: "b", code: "HOST_UNREACHABLE", outcome: "not_started" },
      { callId: "c", code: "HOST_UNREACHABLE", outcome: "not_started" },
    ]);
  });
});

/** The actions sent in `host-envelope` frames, with their ids. */
const asked = (effects: readonly ClientEffect[]) =>
  effects.flatMap((effect) => {
    if (effect.type !== "send") return [];
    const { type, payload } = JSON.parse(effect.text);
    return type === "host-envelope" ? [{ id: payload.requestId, ...payload.action }] : [];
  });

describe("at the next host, the client", () => {
  test("asks about scripts, asks questions anew, and sends what had no host", () => {
    const world = new ClientWorld().ready();
    world.call("script");
    world.answer("script", "output", { messages: [{ level: "Print", body: "0" }], seq: 0 });
    world.query("question");
    world.nowMs = 300;
    world.do({ type: "detached" });
    world.call("late");
    world.nowMs = 400;
    const sent = world.do({ type: "attached" });
    expect(sent[0]).toEqual({
      type: "send",
      text: encode({ type: "host-ready", sessionId: "", payload: { sessionIds: ["s"] } }),
    });
    expect(asked(sent)).toEqual([
      { id: "script", type: "await", payload: { fromSeq: 1, ageMs: 400 } },
      { id: "fresh-2", type: "queryState", payload: {} },
    ]);
    // It must not overtake the script before it, which may have to be sent again.
    expect(asked(world.answer("script", "running", {}))).toEqual([
      { id: "late", type: "execute", payload: { script: "late" } },
    ]);
    const ends = [
      ...world.answer("fresh-2", "stateResult", {}),
      ...world.answer("script", "scriptComplete", { success: true }),
      ...world.answer("late", "scriptComplete", { success: true }),
    ].map((effect) => (effect.type === "reply" ? effect.callId : effect.type));
    expect(ends).toEqual(["question", "script", "late"]);
  });

  test("sends a script again only when its plugin never got it, with what is left of its time", () => {
    const world = new ClientWorld().ready();
    world.call("a", 1_000);
    world.do({ type: "detached" });
    world.do({ type: "attached" });
    world.nowMs = 400;
    const lost = { code: "NOT_RECEIVED", message: "", outcome: "not_started" };
    const [sent] = world.answer("a", "error", lost);
    expect(sent?.type === "send" ? JSON.parse(sent.text).payload : sent).toEqual({
      requestId: "a",
      targetSessionId: "s",
      timeoutMs: 600,
      action: { type: "execute", payload: { script: "a" } },
    });
  });

  test.each<[string, object, string]>([
    ["its plugin has forgotten", { code: "UNKNOWN_REQUEST", outcome: "unknown" }, "HOST_UNREACHABLE"],
    [
      "an older host cannot ask about",
      { code: "UNKNOWN_REQUEST", outcome: "not_started" },
      "HOST_UNREACHABLE",
    ],
    [
      "a full host does not ask about",
      { code: "TOO_MANY_REQUESTS", outcome: "not_started" },
      "HOST_UNREACHABLE",
    ],
    ["whose session is gone", { code: "SESSION_GONE", outcome: "unknown" }, "SESSION_GONE"],
  ])("never sends a script again that %s, and reports the outcome as unknown", (_, error, code) => {
    const world = new ClientWorld().ready();
    world.call("a");
    world.do({ type: "detached" });
    world.do({ type: "attached" });
    const ends = failures(world.answer("a", "error", { message: "", ...error }));
    expect<unknown>(ends).toEqual([{ callId: "a", code, outcome: "unknown" }]);
  });

  test("gives up at the call's own deadline, also when no host is found", () => {
    const world = new ClientWorld().ready();
    world.call("sent");
    world.do({ type: "detached" });
    world.call("kept");
    expect(failures(world.pass(1_249))).toEqual([]);
    expect(failures(world.pass(1))).toEqual([
      { callId: "sent", code: "TIMEOUT", outcome: "unknown" },
      { callId: "kept", code: "TIMEOUT", outcome: "not_started" },
    ]);
  });

  test("sends the next host the calls that the leaving host refused", () => {
    const world = new ClientWorld().ready();
    world.call("crossing");
    world.hear("host-transfer", { reason: "moving" });
    expect(world.call("held")).toEqual([]);
    const closing = { code: "HOST_CLOSING", message: "", outcome: "not_started" };
    expect(world.answer("crossing", "error", closing)).toEqual([]);
    world.do({ type: "detached" });
    expect(asked(world.do({ type: "attached" })).map(({ id, type }) => `${type} ${id}`)).toEqual([
      "execute crossing",
      "execute held",
    ]);
  });

  test("does not subscribe again only to unsubscribe", () => {
    const world = new ClientWorld().ready();
    const payload = { events: ["logPush"] };
    const call = { sessionId: "s", payload, timeoutMs: 1_000 } as const;
    world.do({ type: "call", call: { ...call, callId: "on", action: "subscribe" } });
    world.answer("on", "subscribeResult", payload);
    world.do({ type: "call", call: { ...call, callId: "off", action: "unsubscribe" } });
    expect(failures(world.do({ type: "detached" }))).toEqual([
      { callId: "off", code: "HOST_UNREACHABLE", outcome: "not_started" },
    ]);
    expect(asked(world.do({ type: "attached" }))).toEqual([]);
  });

  test("subscribes again, and reports how many lines it missed", () => {
    const world = new ClientWorld().ready();
    const payload = { events: ["logPush"] };
    const call = { callId: "sub", sessionId: "s", action: "subscribe", payload, timeoutMs: 1_000 } as const;
    world.do({ type: "call", call });
    world.answer("sub", "subscribeResult", payload);
    const push = (seq: number, count: number) =>
      world.hear("session-push", {
        sessionId: "s",
        frame: { type: "logPush", payload: { seq, entries: Array.from({ length: count }, () => ({})) } },
      });
    push(10, 2);
    world.do({ type: "detached" });
    expect(asked(world.do({ type: "attached" }))).toEqual([{ id: "fresh-1", type: "subscribe", payload }]);
    const told = [...push(17, 1), ...push(18, 1)].map((effect) =>
      effect.type === "dropped" ? effect.count : effect.type,
    );
    expect(told).toEqual([5, "push", "push"]);
    // The plugin's own link may break too, and a client is not told about that.
    expect(push(22, 1).map(({ type }) => type)).toEqual(["dropped", "push"]);
    // Lines that the host has reported as dropped are not counted again from their numbers.
    expect(world.hear("push-dropped", { sessionId: "s", dropped: 4 }).map(({ type }) => type)).toEqual([
      "dropped",
    ]);
    expect(push(27, 1).map(({ type }) => type)).toEqual(["push"]);
  });

  test("subscribes again when a Studio comes back after every waiting call has given up", () => {
    const world = new ClientWorld().ready();
    const payload = { events: ["logPush"] };
    const call = { callId: "sub", sessionId: "s", action: "subscribe", payload, timeoutMs: 1_000 } as const;
    world.do({ type: "call", call });
    world.answer("sub", "subscribeResult", payload);
    world.do({ type: "detached" });
    world.do({ type: "attached" });
    const back = () => world.hear("session-event", { event: "connected", session: exampleSession });
    expect(asked(back())).toEqual([]);
    world.answer("fresh-1", "error", { code: "SESSION_GONE", message: "", outcome: "not_started" });
    expect(asked(back())).toEqual([{ id: "fresh-3", type: "subscribe", payload }]);
  });
});
