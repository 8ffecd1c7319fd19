/** Clients and sessions that come back: to the next host, or to the same one on another link. */
import { describe, expect, test } from "bun:test";
import { CoreWorld, errorOf, simpleWorld } from "./core-world.ts";

const OLD = "5e551000-0000-4000-8000-000000000001";

/** A host that has just replaced another, and a client of that one. */
function successor() {
  const world = new CoreWorld();
  const client = world.proven("client");
  world.say(client, "host-ready", { sessionIds: [OLD] });
  return { world, client };
}

describe("the next host", () => {
  test("answers the list when the sessions are back that a client knew", () => {
    const { world, client } = successor();
    world.say(client, "list-sessions", {}, { requestId: "l" });
    expect(world.frames(client)).toEqual([]);
    const plugin = world.proven("plugin");
    expect(world.register(plugin, { previousSessionId: OLD })).toBe(OLD);
    const [, list] = world.frames(client);
    expect(Object(list?.payload["sessions"])).toMatchObject([{ sessionId: OLD }]);
  });

  test("welcomes without a list until they are back", () => {
    const { world } = successor();
    const sessionsTold = () => world.welcomes.get(world.proven("client"))?.payload["sessions"];
    expect(sessionsTold()).toBeUndefined();
    world.register(world.proven("plugin"), { previousSessionId: OLD });
    expect(sessionsTold()).toMatchObject([{ sessionId: OLD }]);
  });

  test("waits on when the machine stood still for longer than it waits", () => {
    const { world, client } = successor();
    world.say(client, "list-sessions", {}, { requestId: "l" });
    world.pass(100);
    world.standStill(10_000);
    world.pass(1_000);
    expect(world.frames(client)).toEqual([]);
    world.register(world.proven("plugin"), { previousSessionId: OLD });
    expect(world.frames(client).map(({ type }) => type)).toContain("list-sessions-response");
  });

  test("does not wait for ever", () => {
    const { world, client } = successor();
    world.say(client, "list-sessions", {}, { requestId: "l" });
    world.request(client, "r", OLD, "execute", { script: "x" });
    world.pass(3_000);
    expect(world.frames(client).map(({ type }) => type)).toEqual(["host-response", "list-sessions-response"]);
    expect(world.host.pending.size).toBe(0);
  });

  test("keeps what is asked of a session until it is back", () => {
    const { world, client } = successor();
    world.request(client, "new", OLD, "execute", { script: "x" });
    world.request(client, "old", OLD, "await", { fromSeq: 3, ageMs: 500 }, 60_000);
    world.pass(1_000);
    const plugin = world.proven("plugin");
    world.say(
      plugin,
      "register",
      {
        pluginVersion: "1",
        instanceId: "w",
        context: "edit",
        placeName: "",
        placeId: 0,
        gameId: 0,
        state: "Edit",
        capabilities: ["execute"],
        previousSessionId: OLD,
      },
      { requestId: "g" },
    );
    expect(
      world
        .frames(plugin)
        .slice(1)
        .map(({ type, requestId, payload }) => ({ type, requestId, payload })),
    ).toEqual([
      { type: "await", requestId: "old", payload: { fromSeq: 3, ageMs: 1_500 } },
      { type: "execute", requestId: "new", payload: { script: "x" } },
    ]);
  });

  test("passes on the answer to a change that an earlier host has sent", () => {
    const { world, client } = successor();
    world.request(client, "old", OLD, "await", { fromSeq: 0, ageMs: 0, action: "applyPatch" }, 60_000);
    const plugin = world.proven("plugin");
    world.register(plugin, { previousSessionId: OLD });
    const reply = { ok: true, items: [], undo: { recorded: true, name: "sb: edit" } };
    world.say(plugin, "patchResult", reply, { sessionId: OLD, requestId: "old" });
    expect(world.answers(client).map(({ type }) => type)).toEqual(["patchResult"]);
    expect(world.host.pending.size).toBe(0);
  });

  test("waits with a script for a Studio that the script itself keeps busy, until its deadline", () => {
    const { world, client } = successor();
    world.request(client, "old", OLD, "await", { fromSeq: 0, ageMs: 0 }, 30_000);
    world.pass(29_000);
    expect(world.answers(client)).toEqual([]);
    world.pass(2_000);
    expect(world.answers(client).map(errorOf)).toEqual([
      { type: "error", code: "TIMEOUT", outcome: "unknown" },
    ]);
  });

  test("knows nothing of a script in a session that no client has reported", () => {
    const { world, client } = successor();
    world.request(client, "old", "elsewhere", "await", {}, 30_000);
    expect(world.answers(client).map(errorOf)).toEqual([
      { type: "error", code: "SESSION_GONE", outcome: "unknown" },
    ]);
  });

  test("waits no more once it has served for a while", () => {
    const world = new CoreWorld();
    const client = world.proven("client");
    world.pass(11_000);
    world.say(client, "host-ready", { sessionIds: [OLD] });
    world.request(client, "r", OLD, "execute", { script: "x" });
    expect(world.answers(client).map(errorOf)).toEqual([
      { type: "error", code: "SESSION_NOT_FOUND", outcome: "not_started" },
    ]);
  });
});

describe("a client whose link broke", () => {
  const line = (body: string) => ({ level: "Print", body });

  test("finds its script on another link, with the lines that it missed and no others", () => {
    const { world, client, plugin, sessionId } = simpleWorld();
    const header = { sessionId, requestId: "r" };
    world.request(client, "r", sessionId, "execute", { script: "x" });
    world.say(plugin, "output", { messages: [line("0")], seq: 0 }, header);
    world.do({ type: "closed", linkId: client, isWanted: false });
    world.say(plugin, "output", { messages: [line("1")], seq: 1 }, header);
    const back = world.proven("client");
    world.frames(plugin);
    world.request(back, "r", sessionId, "await", { fromSeq: 1, ageMs: 10 }, 60_000);
    expect(world.frames(plugin)).toMatchObject([{ type: "await", payload: { fromSeq: 1 } }]);
    // Sent before the plugin heard of the question: it says all of this again.
    world.say(plugin, "output", { messages: [line("2")], seq: 2 }, header);
    world.say(plugin, "running", {}, header);
    world.say(plugin, "output", { messages: [line("1"), line("2")], seq: 1 }, header);
    world.say(plugin, "scriptComplete", { success: true }, header);
    expect(world.answers(back).map(({ type, payload }) => `${type} ${payload["seq"]}`)).toEqual([
      "running undefined",
      "output 1",
      "scriptComplete undefined",
    ]);
    expect(world.host.links.get(back)?.inFlight).toBe(0);
  });

  test("has two seconds; then its script is cancelled", () => {
    const { world, client, plugin, sessionId } = simpleWorld();
    world.request(client, "r", sessionId, "execute", { script: "x" });
    world.frames(plugin);
    world.do({ type: "closed", linkId: client, isWanted: false });
    world.pass(1_999);
    expect(world.frames(plugin)).toEqual([]);
    world.pass(1);
    expect(world.frames(plugin)).toMatchObject([{ type: "cancel", requestId: "r" }]);
  });

  test("cannot resume what is no script, nor a script of another session", () => {
    const { world, client, plugin, sessionId } = simpleWorld();
    const other = world.register(plugin, { context: "server" });
    world.frames(client);
    world.request(client, "query", sessionId, "queryState");
    world.request(client, "script", sessionId, "execute", { script: "x" });
    const back = world.proven("client");
    world.request(back, "query", sessionId, "await", {}, 1_000);
    world.request(back, "script", other, "await", {}, 1_000);
    expect(world.answers(back).map(errorOf)).toEqual([
      { type: "error", code: "INVALID_PAYLOAD", outcome: "unknown" },
      { type: "error", code: "INVALID_PAYLOAD", outcome: "unknown" },
    ]);
    expect(world.host.pending.size).toBe(2);
  });
});
