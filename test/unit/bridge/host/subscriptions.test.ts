import { describe, expect, test } from "bun:test";
import { PUSH_BACKLOG_BYTES, PushGate } from "../../../../src/bridge/host/push-gate.ts";
import { exampleRegister } from "../../../peers/scripted-plugin.ts";
import { simpleWorld } from "./core-world.ts";

function twoReaders() {
  const { world, client, plugin, sessionId } = simpleWorld();
  return { world, first: client, second: world.proven("client"), plugin, sessionId };
}

const entry = { level: "Print", body: "x", timestamp: 1 };

describe("subscriptions", () => {
  test("ask the plugin with the first reader and stop it with the last", () => {
    const { world, first, second, plugin, sessionId } = twoReaders();
    const events = ["logPush"];
    world.request(first, "s1", sessionId, "subscribe", { events });
    world.say(plugin, "subscribeResult", { events }, { sessionId, requestId: "s1" });
    world.request(second, "s2", sessionId, "subscribe", { events });
    world.request(first, "u1", sessionId, "unsubscribe", { events });
    expect(world.frames(plugin).map(({ type, payload }) => ({ type, payload }))).toEqual([
      { type: "subscribe", payload: { events } },
    ]);
    expect([...world.answers(first), ...world.answers(second)].map(({ type }) => type)).toEqual([
      "subscribeResult",
      "unsubscribeResult",
      "subscribeResult",
    ]);
    world.do({ type: "closed", linkId: second, isWanted: true });
    expect(world.frames(plugin).map(({ type, payload }) => ({ type, payload }))).toEqual([
      { type: "unsubscribe", payload: { events } },
    ]);
  });

  test("route a push, as it was written, to its subscribers only", () => {
    const { world, first, second, plugin, sessionId } = twoReaders();
    world.request(first, "s1", sessionId, "subscribe", { events: ["logPush"] });
    world.request(second, "s2", sessionId, "subscribe", { events: ["stateChange"] });
    world.frames(first);
    world.frames(second);
    const push = `{"sessionId":"${sessionId}", "type":"logPush","payload":{"entries":[{"level":"Print","body":"x","timestamp":1.0}]}}`;
    world.raw(plugin, push);
    expect({ first: world.texts(first), second: world.texts(second) }).toEqual({
      first: [
        `{"type":"session-push","sessionId":"","payload":{"sessionId":"${sessionId}","frame":${push}}}`,
      ],
      second: [],
    });
  });

  test("that the plugin refuses are taken back", () => {
    const { world, first, plugin, sessionId } = twoReaders();
    world.request(first, "s1", sessionId, "subscribe", { events: ["logPush"] });
    world.say(plugin, "error", { code: "INTERNAL_ERROR", message: "no" }, { sessionId, requestId: "s1" });
    world.frames(first);
    world.say(plugin, "logPush", { entries: [entry] }, { sessionId });
    expect(world.frames(first)).toEqual([]);
  });

  test("are renewed when the plugin comes back", () => {
    const { world, first, plugin, sessionId } = twoReaders();
    world.request(first, "s1", sessionId, "subscribe", { events: ["logPush"] });
    world.say(plugin, "subscribeResult", { events: ["logPush"] }, { sessionId, requestId: "s1" });
    world.do({ type: "closed", linkId: plugin, isWanted: true });
    const back = world.proven("plugin");
    world.say(back, "register", { ...exampleRegister, previousSessionId: sessionId }, { requestId: "g" });
    expect(world.frames(back).map(({ type }) => type)).toEqual(["registered", "subscribe"]);
  });
});

describe("a slow reader", () => {
  test("is told per session exactly how many it missed, once", () => {
    const gate = new PushGate();
    const admitted = [
      gate.admit("a", 1, 0),
      gate.admit("a", 3, PUSH_BACKLOG_BYTES),
      gate.admit("b", 1, PUSH_BACKLOG_BYTES),
      gate.admit("a", 4, PUSH_BACKLOG_BYTES + 1),
    ];
    const settled = gate.settle().map((text) => JSON.parse(text).payload);
    expect({ admitted, settled, again: gate.settle() }).toEqual({
      admitted: [true, false, false, false],
      settled: [
        { sessionId: "a", dropped: 7 },
        { sessionId: "b", dropped: 1 },
      ],
      again: [],
    });
  });

  test("misses lines, not frames, and those that the plugin itself had to drop", () => {
    const { world, client, plugin, sessionId } = simpleWorld();
    world.request(client, "s1", sessionId, "subscribe", { events: ["logPush", "stateChange"] });
    const counts = [
      { type: "logPush", payload: { entries: [entry, entry], dropped: 5 } },
      { type: "stateChange", payload: { previousState: "Edit", newState: "Play", timestamp: 1 } },
    ].map(({ type, payload }) => {
      world.pushCounts.length = 0;
      world.say(plugin, type, payload, { sessionId });
      return [...world.pushCounts];
    });
    expect(counts).toEqual([[7], [1]]);
  });
});
