/** Sessions at the host: what clients learn about them, when they are stale or gone, and when an idle host leaves. */
import { describe, expect, test } from "bun:test";
import { CoreWorld, errorOf, sessionEvents, simpleWorld, UUID_V4 } from "./core-world.ts";

describe("a session", () => {
  test("is listed with all that the plugin told and what the host knows", () => {
    const world = new CoreWorld({ buildId: "build-2" });
    const client = world.proven("client");
    const plugin = world.proven("plugin");
    const sessionId = world.register(plugin, {
      buildId: "build-1",
      launchId: "headless-7",
      capabilities: ["execute", "fromTheFuture"],
      placeFile: "game.rbxl",
      studioVersion: "0.700",
      player: { name: "Player1", index: 1 },
      context: "client",
      state: "Client",
    });
    world.frames(client);
    world.pass(1_500);
    world.say(client, "list-sessions", {}, { requestId: "l" });
    expect(sessionId).toMatch(UUID_V4);
    expect(world.frames(client)[0]?.payload).toEqual({
      requestId: "l",
      unpaired: [],
      refusals: {},
      sessions: [
        {
          sessionId,
          instanceId: "window-1",
          context: "client",
          player: { name: "Player1", index: 1 },
          placeName: "Baseplate",
          placeFile: "game.rbxl",
          placeId: 0,
          gameId: 0,
          state: "Client",
          origin: "headless",
          launchId: "headless-7",
          health: "ok",
          capabilities: ["execute"],
          pluginVersion: "1.2.3",
          pluginUpdateAvailable: true,
          studioVersion: "0.700",
          connectedAt: "1970-01-01T00:00:01.000Z",
          uptimeMs: 1_500,
        },
      ],
    });
  });

  test("is told to a client with the welcome, just as in the list", () => {
    const { world, sessionId } = simpleWorld();
    world.pass(500);
    const client = world.proven("client");
    world.say(client, "list-sessions", {}, { requestId: "l" });
    const [list] = world.frames(client);
    const told = world.welcomes.get(client)?.payload["sessions"];
    expect<unknown>(told).toEqual(list?.payload["sessions"]);
    expect(told).toMatchObject([{ sessionId, uptimeMs: 500 }]);
  });

  test("tells what its person allows, and when a Yes has come too late for its request", () => {
    const { world, plugin, sessionId } = simpleWorld();
    const client = world.proven("client");
    const beat = { uptimeMs: 1, state: "Edit", pendingRequests: 0, permission: "ask" };
    for (const lateYesAt of [undefined, 5, 5, 6]) {
      const facts = lateYesAt === undefined ? beat : { ...beat, lateYesAt };
      world.say(plugin, "heartbeat", facts, { sessionId });
    }
    const told = world.frames(client).map(({ payload }) => Object(payload["session"]).lateYesAt);
    expect(told).toEqual([undefined, 5, 6]);
  });

  test("tells every client when it comes, changes and goes", () => {
    const world = new CoreWorld();
    const clients = [world.proven("client"), world.proven("client")];
    const plugin = world.proven("plugin");
    const sessionId = world.register(plugin);
    const header = { sessionId };
    world.say(plugin, "heartbeat", { uptimeMs: 1, state: "Edit", pendingRequests: 0 }, header);
    world.say(plugin, "heartbeat", { uptimeMs: 1, state: "Play", pendingRequests: 0 }, header);
    world.say(plugin, "stateChange", { previousState: "Play", newState: "Paused", timestamp: 1 }, header);
    world.say(plugin, "unregister", {}, header);
    const expected = [
      { event: "connected", sessionId, state: "Edit", health: "ok" },
      { event: "state-changed", sessionId, state: "Play", health: "ok" },
      { event: "state-changed", sessionId, state: "Paused", health: "ok" },
      { event: "disconnected", sessionId, state: "Paused", health: "ok" },
    ];
    expect(clients.map((client) => sessionEvents(world.frames(client)))).toEqual([expected, expected]);
  });

  test("registers once: the same window and context again replaces it", () => {
    const { world, client, plugin, sessionId } = simpleWorld();
    const again = world.register(plugin);
    expect(again).not.toBe(sessionId);
    expect(sessionEvents(world.frames(client)).map(({ event, sessionId: id }) => ({ event, id }))).toEqual([
      { event: "disconnected", id: sessionId },
      { event: "connected", id: again },
    ]);
  });

  test("of each player of a window is its own", () => {
    const { world, plugin } = simpleWorld();
    const ids = [1, 2].map((index) =>
      world.register(plugin, { context: "client", player: { name: `Player${index}`, index } }),
    );
    expect(new Set(ids).size).toBe(2);
    expect(world.host.sessions.size).toBe(3);
  });

  test("beyond 256 is refused with the reason", () => {
    const world = new CoreWorld();
    const plugin = world.proven("plugin");
    for (let index = 0; index < 256; index += 1) world.register(plugin, { instanceId: `w${index}` });
    expect(() => world.register(plugin, { instanceId: "one more" })).toThrow("not registered");
    expect(world.host.sessions.size).toBe(256);
  });

  test("that the plugin does not own cannot be touched by it", () => {
    const { world, sessionId } = simpleWorld();
    const other = world.proven("plugin");
    world.say(other, "unregister", {}, { sessionId });
    expect(errorOf(world.frames(other)[0]).code).toBe("SESSION_MISMATCH");
    expect(world.host.sessions.has(sessionId)).toBe(true);
  });
});

describe("a silent plugin", () => {
  test("is pinged, stale after 15 s, fine again when it speaks, gone after 60 s", () => {
    const { world, client, plugin, sessionId } = simpleWorld();
    world.pass(14_999);
    expect(world.frames(plugin).map(({ type }) => type)).toEqual(["ping", "ping"]);
    expect(sessionEvents(world.frames(client))).toEqual([]);
    world.pass(1);
    const change = { event: "state-changed", sessionId, state: "Edit" };
    expect(sessionEvents(world.frames(client))).toEqual([{ ...change, health: "stale" }]);
    world.say(plugin, "pong", {});
    expect(sessionEvents(world.frames(client))).toEqual([{ ...change, health: "ok" }]);
    world.pass(65_000);
    expect(sessionEvents(world.frames(client)).at(-1)?.event).toBe("disconnected");
    expect(world.others).toEqual([{ type: "close", linkId: plugin, code: 4408, reason: "silent" }]);
  });

  test("is not gone while a script of its runs", () => {
    const { world, client, sessionId } = simpleWorld();
    world.request(client, "r1", sessionId, "execute", { script: "x" }, 120_000);
    world.pass(119_000);
    expect(world.host.sessions.has(sessionId)).toBe(true);
    world.pass(10_000);
    expect(world.host.sessions.has(sessionId)).toBe(false);
  });

  test("is forgiven when it was the host that slept", () => {
    const { world, plugin, sessionId } = simpleWorld();
    world.pass(10_000);
    world.standStill(300_000);
    world.say(plugin, "pong", {});
    world.pass(10_000);
    expect(world.host.sessions.has(sessionId)).toBe(true);
    expect(world.others).toEqual([]);
  });
});

describe("an idle host", () => {
  test("leaves after its time, counted from the last client or session", () => {
    const world = new CoreWorld({ idleExitMs: 10_000 });
    world.pass(9_000);
    const client = world.proven("client");
    world.pass(20_000);
    world.do({ type: "closed", linkId: client, isWanted: true });
    world.pass(9_999);
    expect(world.others).toEqual([]);
    world.pass(1);
    expect(world.others).toEqual([{ type: "exit", reason: "idle" }]);
  });

  test("ends soon when the command that started it never joins, unless it was started to stay", () => {
    const vain = new CoreWorld({ idleExitMs: 900_000 });
    vain.pass(9_999);
    expect(vain.others).toEqual([]);
    vain.pass(1);
    expect(vain.others).toEqual([{ type: "exit", reason: "idle" }]);
    const permanent = new CoreWorld({ idleExitMs: Infinity });
    permanent.pass(1_000_000);
    const used = new CoreWorld({ idleExitMs: 900_000 });
    used.do({ type: "closed", linkId: used.proven("client"), isWanted: true });
    used.pass(899_999);
    expect([permanent.others, used.others]).toEqual([[], []]);
  });

  test("stays while a session is there", () => {
    const world = new CoreWorld({ idleExitMs: 10_000 });
    const plugin = world.proven("plugin");
    const sessionId = world.register(plugin);
    for (let seconds = 0; seconds < 60; seconds += 5) {
      world.pass(5_000);
      world.say(plugin, "pong", {});
    }
    expect(world.others).toEqual([]);
    world.say(plugin, "unregister", {}, { sessionId });
    world.pass(10_000);
    expect(world.others.at(-1)).toEqual({ type: "exit", reason: "idle" });
  });
});
