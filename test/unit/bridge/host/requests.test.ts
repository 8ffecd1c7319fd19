import { describe, expect, test } from "bun:test";
import { limits } from "../../../../src/protocol/limits.ts";
import { errorOf, simpleWorld } from "./core-world.ts";

const types = (frames: readonly { readonly type: string }[]) => frames.map(({ type }) => type);

describe("a request", () => {
  test("reaches the plugin with its body untouched, and the reply comes back as it was written", () => {
    const { world, client, plugin, sessionId } = simpleWorld();
    const body = '{ "script" : "print(\\u0031)", "future": [1.0, 1e2] }';
    world.raw(
      client,
      `{"type":"host-envelope","requestId":"r1","payload":{"requestId":"r1","targetSessionId":"${sessionId}","action":{"type":"execute","payload":${body}}}}`,
    );
    expect(world.texts(plugin)).toEqual([
      `{"type":"execute","sessionId":"${sessionId}","requestId":"r1","payload":${body}}`,
    ]);
    const reply = `{"payload":{"success":true, "returnValues":[1.50]},"requestId":"r1","type":"scriptComplete","sessionId":"${sessionId}"}`;
    world.raw(plugin, reply);
    expect(world.texts(client)).toEqual([
      `{"type":"host-response","sessionId":"","requestId":"r1","payload":{"requestId":"r1","result":${reply}}}`,
    ]);
  });

  test("takes who asks and what for along, before the body and as the client says it", () => {
    const { world, client, plugin, sessionId } = simpleWorld();
    const caller = { id: "c1", name: 'says "Claude"', version: "2", pid: 7 };
    const action = { type: "queryState", payload: {} };
    const request = {
      requestId: "r1",
      targetSessionId: sessionId,
      caller,
      summary: "state </script>",
      action,
    };
    world.say(client, "host-envelope", request, { requestId: "r1" });
    expect(world.texts(plugin)).toEqual([
      `{"type":"queryState","sessionId":"${sessionId}","requestId":"r1","caller":{"id":"c1","name":"says \\"Claude\\"","version":"2","pid":7},"summary":"state </script>","payload":{}}`,
    ]);
  });

  test("with a summary that is too long is refused", () => {
    const { world, client, plugin, sessionId } = simpleWorld();
    const action = { type: "queryState", payload: {} };
    const request = { requestId: "r1", targetSessionId: sessionId, summary: "x".repeat(201), action };
    world.say(client, "host-envelope", request, { requestId: "r1" });
    expect(world.texts(plugin)).toEqual([]);
    expect(errorOf(world.answers(client)[0])).toEqual({
      type: "error",
      code: "INVALID_PAYLOAD",
      outcome: "not_started",
    });
  });

  test("gets its output and its chunks in order, and exactly one end", () => {
    const { world, client, plugin, sessionId } = simpleWorld();
    world.request(client, "r1", sessionId, "execute", { script: "x" });
    const header = { sessionId, requestId: "r1" };
    world.say(plugin, "output", { messages: [{ level: "Print", body: "a" }], seq: 0 }, header);
    world.say(plugin, "chunk", { seq: 0, total: 2, data: "{" }, header);
    world.say(plugin, "chunk", { seq: 1, total: 2, data: "}" }, header);
    world.say(plugin, "scriptComplete", { success: true }, header);
    world.say(plugin, "error", { code: "TIMEOUT", message: "late" }, header);
    expect(types(world.answers(client))).toEqual(["output", "chunk", "chunk"]);
    expect(world.host.pending.size).toBe(0);
  });

  test("goes to its own session when several share a socket", () => {
    const { world, client, plugin, sessionId } = simpleWorld();
    const server = world.register(plugin, { context: "server", state: "Server" });
    world.frames(client);
    world.request(client, "r1", server, "queryState");
    world.request(client, "r2", sessionId, "queryState");
    expect(world.frames(plugin).map(({ requestId, sessionId: id }) => ({ requestId, id }))).toEqual([
      { requestId: "r1", id: server },
      { requestId: "r2", id: sessionId },
    ]);
    const state = { state: "Edit", placeName: "", placeId: 0, gameId: 0 };
    world.say(plugin, "stateResult", state, { sessionId, requestId: "r2" });
    world.say(plugin, "stateResult", state, { sessionId: server, requestId: "r1" });
    expect(world.answers(client).map(({ requestId }) => requestId)).toEqual(["r2", "r1"]);
  });

  test("is not answered by another plugin", () => {
    const { world, client, plugin, sessionId } = simpleWorld();
    const other = world.proven("plugin");
    const otherSession = world.register(other, { instanceId: "window-2" });
    world.frames(client);
    world.request(client, "r1", sessionId, "execute", { script: "x" });
    world.say(other, "scriptComplete", { success: true }, { sessionId: otherSession, requestId: "r1" });
    world.say(plugin, "scriptComplete", { success: false }, { sessionId: otherSession, requestId: "r1" });
    expect([world.frames(other), world.frames(plugin)].map((frames) => errorOf(frames.at(-1)).code)).toEqual([
      "SESSION_MISMATCH",
      "SESSION_MISMATCH",
    ]);
    world.say(other, "scriptComplete", { success: true }, { sessionId, requestId: "r1" });
    world.say(other, "scriptComplete", { success: true }, { requestId: "r1" });
    expect(world.frames(other).map((frame) => errorOf(frame).code)).toEqual([
      "SESSION_MISMATCH",
      "SESSION_MISMATCH",
    ]);
    expect(world.answers(client)).toEqual([]);
  });

  test("with an id in use is refused, and the first keeps its one answer", () => {
    const { world, client, plugin, sessionId } = simpleWorld();
    const other = world.proven("client");
    world.request(client, "r1", sessionId, "queryState");
    world.request(client, "r1", sessionId, "queryState");
    world.request(other, "r1", sessionId, "queryState");
    expect(types(world.frames(plugin))).toEqual(["queryState"]);
    const [told] = world.frames(client);
    expect({ ...errorOf(told), requestId: told?.requestId, details: told?.payload["details"] }).toEqual({
      type: "error",
      code: "INVALID_PAYLOAD",
      outcome: "not_started",
      requestId: undefined,
      details: { requestId: "r1" },
    });
    expect(world.answers(other).map(errorOf)).toEqual([
      { type: "error", code: "INVALID_PAYLOAD", outcome: "not_started" },
    ]);
  });

  test.each([
    ["to an unknown session", "no-session", "queryState", "SESSION_NOT_FOUND"],
    ["of an unknown kind", undefined, "selfDestruct", "UNKNOWN_REQUEST"],
    ["the session cannot do", undefined, "queryLogs", "CAPABILITY_NOT_SUPPORTED"],
    ["named like a member of every object", undefined, "constructor", "UNKNOWN_REQUEST"],
  ])("%s is refused", (_, session, action, code) => {
    const { world, client, plugin } = simpleWorld();
    const sessionId = world.register(plugin, {
      context: "server",
      capabilities: ["queryState", "unheardOf"],
    });
    world.frames(client);
    world.request(client, "r1", session ?? sessionId, action);
    expect(world.answers(client).map(errorOf)).toEqual([{ type: "error", code, outcome: "not_started" }]);
    expect(world.frames(plugin)).toEqual([]);
  });

  test("beyond 64 of one client is refused; the next may go when one has ended", () => {
    const { world, client, plugin, sessionId } = simpleWorld();
    for (let index = 0; index < limits.inFlightPerClient; index += 1)
      world.request(client, `r${index}`, sessionId, "execute", { script: "x" });
    world.request(client, "over", sessionId, "execute", { script: "x" });
    expect(world.answers(client).map(errorOf)).toEqual([
      { type: "error", code: "TOO_MANY_REQUESTS", outcome: "not_started" },
    ]);
    world.say(plugin, "scriptComplete", { success: true }, { sessionId, requestId: "r7" });
    world.request(client, "again", sessionId, "execute", { script: "x" });
    expect(types(world.answers(client))).toEqual(["scriptComplete"]);
    expect(world.host.pending.has("again")).toBe(true);
  });

  test("that is malformed is answered with the place of the fault", () => {
    const { world, client } = simpleWorld();
    world.say(client, "host-envelope", { requestId: "r1", action: 5 }, { requestId: "r1" });
    const [answer] = world.answers(client);
    expect(answer?.payload).toMatchObject({ code: "INVALID_PAYLOAD", outcome: "not_started" });
    expect(String(answer?.payload["message"])).toContain("payload.");
  });

  test("ends when the plugin's reply is nested too deeply to be read", () => {
    const { world, client, plugin, sessionId } = simpleWorld();
    world.request(client, "r1", sessionId, "execute", { script: "x" });
    const deep = `${"[".repeat(200)}${"]".repeat(200)}`;
    world.raw(
      plugin,
      `{"type":"scriptComplete","sessionId":"${sessionId}","requestId":"r1","payload":{"success":true,"returnValues":${deep}}}`,
    );
    expect(world.answers(client).map(errorOf)).toEqual([
      { type: "error", code: "INVALID_PAYLOAD", outcome: "ran_reply_lost" },
    ]);
  });
});

describe("a deadline", () => {
  test("ends a query with exactly one TIMEOUT, and the late reply is dropped", () => {
    const { world, client, plugin, sessionId } = simpleWorld();
    world.request(client, "r1", sessionId, "queryState", {}, 1_000);
    world.pass(999);
    expect(world.answers(client)).toEqual([]);
    world.pass(1);
    const answers = world.answers(client);
    expect(answers.map(errorOf)).toEqual([{ type: "error", code: "TIMEOUT", outcome: "unknown" }]);
    expect(answers[0]?.payload["message"]).toBe("State query timed out after 1 second.");
    const state = { state: "Edit", placeName: "", placeId: 0, gameId: 0 };
    world.say(plugin, "stateResult", state, { sessionId, requestId: "r1" });
    world.pass(10_000);
    expect(world.answers(client)).toEqual([]);
  });

  test("lets the plugin's own TIMEOUT come first for a script, then cancels the script", () => {
    const { world, client, plugin, sessionId } = simpleWorld();
    world.request(client, "r1", sessionId, "execute", { script: "x" }, 1_000);
    world.frames(plugin);
    world.pass(1_000);
    expect(world.answers(client)).toEqual([]);
    world.pass(250);
    expect(world.answers(client).map(errorOf)).toEqual([
      { type: "error", code: "TIMEOUT", outcome: "unknown" },
    ]);
    expect(world.frames(plugin)).toMatchObject([{ type: "cancel", sessionId, requestId: "r1" }]);
  });
});

describe("cancel", () => {
  test("is passed on, and the plugin's answer about the outcome ends the call", () => {
    const { world, client, plugin, sessionId } = simpleWorld();
    world.request(client, "r1", sessionId, "execute", { script: "x" });
    world.request(client, "r1", sessionId, "cancel");
    expect(types(world.frames(plugin))).toEqual(["execute", "cancel"]);
    const error = { code: "CANCELLED", message: "Cancelled.", outcome: "not_started" };
    world.say(plugin, "error", error, { sessionId, requestId: "r1" });
    expect(world.answers(client).map(({ payload }) => payload)).toEqual([error]);
  });

  test("by another client, or of nothing, does nothing", () => {
    const { world, client, plugin, sessionId } = simpleWorld();
    const other = world.proven("client");
    world.request(client, "r1", sessionId, "execute", { script: "x" });
    world.frames(plugin);
    world.request(other, "r1", sessionId, "cancel");
    world.request(client, "r2", sessionId, "cancel");
    expect({
      plugin: world.frames(plugin),
      other: world.frames(other),
      client: world.frames(client),
    }).toEqual({
      plugin: [],
      other: [],
      client: [],
    });
  });

  test("of a request that waits for its plugin ends it as not started", () => {
    const { world, client, plugin, sessionId } = simpleWorld();
    world.do({ type: "closed", linkId: plugin, isWanted: true });
    world.frames(client);
    world.request(client, "r1", sessionId, "execute", { script: "x" });
    world.request(client, "r1", sessionId, "cancel");
    expect(world.answers(client).map(errorOf)).toEqual([
      { type: "error", code: "CANCELLED", outcome: "not_started" },
    ]);
  });

  test("is sent for the running scripts of a client that is gone, and no answer is sent", () => {
    const { world, client, plugin, sessionId } = simpleWorld();
    world.request(client, "r1", sessionId, "execute", { script: "x" });
    world.request(client, "r2", sessionId, "queryState");
    world.frames(plugin);
    world.do({ type: "closed", linkId: client, isWanted: true });
    expect(world.frames(plugin)).toMatchObject([{ type: "cancel", requestId: "r1" }]);
    world.say(plugin, "scriptComplete", { success: false }, { sessionId, requestId: "r1" });
    expect({ frames: world.frames(client), pending: world.host.pending.size }).toEqual({
      frames: [],
      pending: 0,
    });
  });
});

describe("a host that stops", () => {
  test("lets requests end, refuses new ones, says goodbye and leaves", () => {
    const { world, client, plugin, sessionId } = simpleWorld();
    world.request(client, "r1", sessionId, "execute", { script: "x" });
    world.frames(plugin);
    world.do({ type: "stop", reason: "stopped" });
    world.request(client, "r2", sessionId, "execute", { script: "y" });
    expect(world.frames(client).map(({ type }) => type)).toEqual(["host-transfer", "host-response"]);
    expect(world.others).toEqual([]);
    world.say(plugin, "scriptComplete", { success: true }, { sessionId, requestId: "r1" });
    expect(types(world.answers(client))).toEqual(["scriptComplete"]);
    expect(world.frames(plugin)).toMatchObject([{ type: "shutdown", payload: { reason: "stopped" } }]);
    expect(world.others.at(-1)).toEqual({ type: "exit", reason: "stopped" });
  });

  test("does not wait for what takes longer, which the next host can ask about", () => {
    const { world, client, sessionId } = simpleWorld();
    world.request(client, "r1", sessionId, "execute", { script: "x" });
    world.do({ type: "stop", reason: "stopped" });
    world.pass(50);
    expect(world.answers(client).map(errorOf)).toEqual([
      { type: "error", code: "HOST_CLOSING", outcome: "unknown" },
    ]);
    expect(world.others.at(-1)).toEqual({ type: "exit", reason: "stopped" });
  });
});

describe("a host asked to make room for a newer one", () => {
  test.each([
    ["does so when it started by itself and is idle", "9.10.0", true, false, true],
    ["stays when the other is not newer", "9.9.9", true, false, false],
    ["stays when it was started on purpose", "10.0.0", false, false, false],
    ["stays when a client waits for an answer", "10.0.0", true, true, false],
  ] as const)("%s", (_, version, makesRoom, isBusy, leaves) => {
    const { world, client, sessionId } = simpleWorld({ makesRoom });
    const newer = world.proven("client");
    if (isBusy) world.request(client, "r1", sessionId, "execute", { script: "x" });
    world.say(newer, "host-retire", { version });
    expect(world.others.some(({ type }) => type === "exit")).toBe(leaves);
  });
});
