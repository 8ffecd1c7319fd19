/**
 * A plugin that comes back, loaded again or over another link: whether it keeps its session, and what becomes of its
 * requests.
 */
import { describe, expect, test } from "bun:test";
import type { Register } from "../../../../src/protocol/events.ts";
import { exampleRegister } from "../../../peers/scripted-plugin.ts";
import { CoreWorld, sessionEvents, simpleWorld, UUID_V4 } from "./core-world.ts";

describe("a plugin that is loaded anew", () => {
  /** After its goodbye and a pause. */
  const reloaded = (pauseMs: number, details: Partial<Register> = {}) => {
    const { world, client, plugin, sessionId } = simpleWorld();
    world.say(plugin, "unregister", {}, { sessionId });
    const told = sessionEvents(world.frames(client)).map(({ event }) => event);
    expect(told).toEqual(["disconnected"]);
    world.pass(pauseMs);
    return {
      sessionId,
      again: world.register(world.proven("plugin"), { previousSessionId: sessionId, ...details }),
    };
  };

  test("keeps its session within the grace; meanwhile no client is shown a session that has ended", () => {
    const { sessionId, again } = reloaded(1_999);
    expect(again).toBe(sessionId);
  });

  test("keeps its session although the machine stood still for longer than the grace", () => {
    const { world, plugin, sessionId } = simpleWorld();
    world.do({ type: "closed", linkId: plugin, isWanted: true });
    world.pass(100);
    world.standStill(5_000);
    world.pass(1_000);
    expect(world.register(world.proven("plugin"), { previousSessionId: sessionId })).toBe(sessionId);
  });

  test.each<[string, number, Partial<Register>]>([
    ["that takes too long", 2_000, {}],
    ["in another window", 10, { instanceId: "window-2" }],
    ["in another context", 10, { context: "server" }],
  ])("%s is another session", (_, pauseMs, details) => {
    const { sessionId, again } = reloaded(pauseMs, details);
    expect(again).not.toBe(sessionId);
  });
});

describe("a plugin that comes back", () => {
  test("within the grace keeps its id; scripts are asked about, queries sent again, what waited is delivered", () => {
    const { world, client, plugin, sessionId } = simpleWorld();
    world.request(client, "ran", sessionId, "execute", { script: "x" });
    world.request(client, "asked", sessionId, "queryState");
    const output = {
      messages: [
        { level: "Print", body: "a" },
        { level: "Print", body: "b" },
      ],
      seq: 0,
    };
    world.say(plugin, "output", output, { sessionId, requestId: "ran" });
    world.do({ type: "closed", linkId: plugin, isWanted: true });
    world.request(client, "waits", sessionId, "execute", { script: "y" });
    world.pass(1_900);
    const back = world.proven("plugin");
    world.say(
      back,
      "register",
      { ...exampleRegister, previousSessionId: sessionId, capabilities: ["execute", "queryState"] },
      { requestId: "g" },
    );
    expect(
      world
        .frames(back)
        .map(({ type, requestId, sessionId: id, payload }) => ({ type, requestId, id, payload })),
    ).toEqual([
      {
        type: "registered",
        requestId: "g",
        id: sessionId,
        payload: { sessionId, capabilities: ["queryState", "execute"] },
      },
      { type: "await", requestId: "ran", id: sessionId, payload: { fromSeq: 2, ageMs: 1_900 } },
      { type: "queryState", requestId: "asked", id: sessionId, payload: {} },
    ]);
    // A script waits until it is known that the one before it need not be sent again.
    world.say(back, "running", {}, { sessionId, requestId: "ran" });
    expect(world.frames(back)).toMatchObject([{ type: "execute", requestId: "waits" }]);
    world.say(back, "scriptComplete", { success: true }, { sessionId, requestId: "ran" });
    expect(world.answers(client).map(({ type, requestId }) => `${type} ${requestId}`)).toEqual([
      "output ran",
      "running ran",
      "scriptComplete ran",
    ]);
  });

  test("gets a script again, in its place, when it never got it the first time", () => {
    const { world, client, plugin, sessionId } = simpleWorld();
    world.request(client, "first", sessionId, "execute", { script: "1" });
    world.request(client, "second", sessionId, "execute", { script: "2" });
    world.do({ type: "closed", linkId: plugin, isWanted: false });
    const back = world.proven("plugin");
    world.register(back, { previousSessionId: sessionId });
    const lost = { code: "NOT_RECEIVED", message: "", outcome: "not_started" };
    world.say(back, "error", lost, { sessionId, requestId: "first" });
    world.say(back, "error", lost, { sessionId, requestId: "second" });
    expect(world.frames(back).map(({ type, requestId, payload }) => ({ type, requestId, payload }))).toEqual([
      { type: "execute", requestId: "first", payload: { script: "1" } },
      { type: "execute", requestId: "second", payload: { script: "2" } },
    ]);
    expect(world.answers(client)).toEqual([]);
  });

  test("too late is a new session, and its requests have ended with what is known of them", () => {
    const { world, client, plugin, sessionId } = simpleWorld();
    world.request(client, "ran", sessionId, "execute", { script: "x" });
    world.do({ type: "closed", linkId: plugin, isWanted: true });
    world.request(client, "waits", sessionId, "execute", { script: "y" });
    world.frames(client);
    world.pass(2_000);
    const frames = world.frames(client);
    expect(frames.map(({ type }) => type)).toEqual(["host-response", "host-response", "session-event"]);
    expect(frames.slice(0, 2).map(({ payload }) => Object(payload["result"]).payload.outcome)).toEqual([
      "unknown",
      "not_started",
    ]);
    const again = world.register(world.proven("plugin"), { previousSessionId: sessionId });
    expect(again).not.toBe(sessionId);
  });

  test("from another window does not get the id", () => {
    const { world, plugin, sessionId } = simpleWorld();
    world.do({ type: "closed", linkId: plugin, isWanted: true });
    const other = world.register(world.proven("plugin"), {
      instanceId: "other",
      previousSessionId: sessionId,
    });
    expect(other).not.toBe(sessionId);
  });

  test("to a new host brings its id along", () => {
    const world = new CoreWorld();
    const previous = "6f1c2a34-0000-4000-9000-00000000abcd";
    expect(world.register(world.proven("plugin"), { previousSessionId: previous })).toBe(previous);
    const forged = world.register(world.proven("plugin"), {
      instanceId: "w2",
      previousSessionId: "not a uuid",
    });
    expect(forged).toMatch(UUID_V4);
  });
});
