import { expect, test } from "bun:test";
import {
  admit,
  BridgePeer,
  challengeFor,
  fieldOf,
  peerProof,
  PORT,
  SESSION_ID,
  welcome,
} from "../bridge-peer.ts";
import { PLACE_NAME } from "../plugin-studio.ts";

test("proves itself, then registers its one edit session", async () => {
  using peer = await BridgePeer.startAsync({ settings: { "StudioBridge.LaunchId": '"headless-1"' } });
  const hello = await peer.nextAsync("hello");
  const auth = await peer.nextAsync("auth");
  const register = await peer.nextAsync("register");

  expect(peer.requests).toEqual([`http://127.0.0.1:${PORT}/health`]);
  expect(hello.protocolVersion).toBe(2);
  expect(auth.payload).toEqual({ proof: peerProof(fieldOf(hello, "nonceA")) });
  expect(register.payload).toEqual({
    pluginVersion: "0.0.0-test",
    buildId: expect.stringMatching(/^[0-9a-f]{12}$/),
    instanceId: expect.stringMatching(/^[0-9a-fA-F-]{36}$/),
    context: "edit",
    launchId: "headless-1",
    placeName: PLACE_NAME,
    placeId: 0,
    gameId: 0,
    state: "Edit",
    permission: "everything",
    capabilities: [
      "applyPatch",
      "captureScreenshot",
      "checkSources",
      "complete",
      "endStudio",
      "execute",
      "exportModel",
      "findInstances",
      "findModels",
      "input",
      "insertModel",
      "listSteps",
      "nameRevision",
      "othersChanges",
      "provideInput",
      "queryCaveats",
      "queryDataModel",
      "queryLogs",
      "queryPlaceFile",
      "queryState",
      "readInterface",
      "readItems",
      "readScript",
      "readScripts",
      "readTree",
      "runInGame",
      "savePlace",
      "select",
      "setViewport",
      "startTest",
      "stopTest",
      "subscribe",
      "syncOpen",
      "tryScript",
      "undo",
      "unsubscribe",
      "wait",
      "watchTree",
    ],
    studioVersion: expect.any(String),
  });
  expect(peer.faults).toEqual([]);
});

test("uses a fresh nonce for every connection", async () => {
  using peer = await BridgePeer.connectAsync();
  peer.dropSocket();
  const first = await peer.nextAsync("hello");
  peer.dropSocket();
  const second = await peer.nextAsync("hello");
  expect(fieldOf(first, "nonceA")).not.toBe(fieldOf(second, "nonceA"));
});

test("leaves a host that cannot prove itself, without an answer", async () => {
  using peer = await BridgePeer.startAsync({
    respond: (host, frame) => {
      if (frame.type === "hello") host.send("challenge", challengeFor(frame, PORT + 1), undefined, "");
    },
  });
  await peer.untilAsync(() => peer.closedSockets.length > 0, "closed socket");
  expect(peer.inbox.filter(({ type }) => type !== "hello")).toEqual([]);
});

test("does not obey a host that skips the proof", async () => {
  using peer = await BridgePeer.startAsync({
    respond: (host, frame) => {
      if (frame.type !== "hello") return;
      welcome(host);
      host.send("execute", { script: "print('obeyed')" }, "r1", "");
    },
  });
  await peer.untilAsync(() => peer.closedSockets.length > 0, "closed socket");
  expect(peer.inbox.filter(({ type }) => type !== "hello")).toEqual([]);
  expect(peer.log.filter((line) => line.includes("obeyed"))).toEqual([]);
});

test("without a key says hello without one, tries every port, and goes when told UNPAIRED", async () => {
  using peer = await BridgePeer.startAsync({
    paired: false,
    health: () => (peer.requests.length < 4 ? undefined : { status: 200, body: '{"name":"studio-bridge"}' }),
    respond: (host, frame) => {
      if (frame.type === "hello") host.send("error", { code: "UNPAIRED", message: "no" }, undefined, "");
    },
  });
  const hello = await peer.nextAsync("hello");
  await peer.untilAsync(() => peer.closedSockets.length > 0, "closed socket");
  expect(hello.payload).toEqual({
    role: "plugin",
    pluginVersion: "0.0.0-test",
    buildId: expect.stringMatching(/^[0-9a-f]{12}$/),
  });
  expect(peer.requests).toEqual(
    [38741, 38742, 38743, 38744].map((port) => `http://127.0.0.1:${port}/health`),
  );
});

test("asks a holder of the port that is no bridge host for no socket", async () => {
  using peer = await BridgePeer.startAsync({ health: () => ({ status: 200, body: '{"name":"other"}' }) });
  await peer.untilAsync(() => peer.requests.length >= 2, "second probe");
  expect(peer.socketsOpened).toBe(0);
});

test("comes back after a lost link and asks for its old session", async () => {
  using peer = await BridgePeer.connectAsync();
  peer.dropSocket();
  const register = await peer.nextAsync("register");
  expect(fieldOf(register, "previousSessionId")).toBe(SESSION_ID);
  expect(peer.socketsOpened).toBe(2);
});

test("looks for the next host at once after shutdown", async () => {
  using peer = await BridgePeer.connectAsync();
  const requestsBefore = peer.requests.length;
  peer.send("shutdown", { reason: "moving" });
  await peer.untilAsync(() => peer.requests.length > requestsBefore, "probe");
  expect(peer.closedSockets).toHaveLength(1);
});

test("answers pings, and frames for sessions it does not have", async () => {
  using peer = await BridgePeer.connectAsync();
  peer.send("ping", {});
  expect((await peer.nextAsync("pong")).sessionId).toBe(SESSION_ID);
  peer.send("queryState", {}, "r1", "another");
  expect(await peer.nextAsync("error")).toMatchObject({
    requestId: "r1",
    payload: { code: "SESSION_MISMATCH" },
  });
});

test("ignores what it does not know and names what is malformed", async () => {
  using peer = await BridgePeer.connectAsync();
  peer.send("surprise", { anything: 1 });
  peer.sendRaw("not json");
  expect((await peer.nextAsync("error")).payload).toMatchObject({ code: "INVALID_PAYLOAD" });
  peer.send("surprise", {}, "r1");
  expect(await peer.nextAsync("error")).toMatchObject({
    requestId: "r1",
    payload: { code: "UNKNOWN_REQUEST", outcome: "not_started" },
  });
  peer.send("queryLogs", { count: 0 }, "r2");
  expect(await peer.nextAsync("error")).toMatchObject({
    requestId: "r2",
    payload: {
      code: "INVALID_PAYLOAD",
      message: "queryLogs: payload.count: expected a whole number of at least 1",
    },
  });
  expect(peer.faults).toEqual([]);
});

test("prints nothing of its own", async () => {
  using peer = await BridgePeer.connectAsync({ respond: admit });
  peer.dropSocket();
  await peer.nextAsync("register");
  expect(peer.log).toEqual([]);
});

/** Turns the engine's clock by hand, a second at a time, so that timers fire in their order. */
function advance(peer: BridgePeer, seconds: number): void {
  const clock = 'local Clock = engine("./Kernel/Clock") Clock.useManual()';
  for (let second = 0; second < seconds; second += 1)
    peer.studio.runSource("=Clock", `${clock} Clock.advance(1)`);
}

test("beats every fifteen seconds while the host is heard", async () => {
  using peer = await BridgePeer.connectAsync();
  for (let round = 0; round < 6; round += 1) {
    advance(peer, 16);
    peer.send("ping", {});
  }
  const beats = peer.inbox.filter(({ type }) => type === "heartbeat");
  expect(beats).toHaveLength(6);
  expect(beats[0]?.payload).toEqual({
    uptimeMs: expect.any(Number),
    state: "Edit",
    pendingRequests: 0,
    permission: "everything",
  });
  expect(peer.closedSockets).toEqual([]);
});

test("drops a host that has been silent for a minute", async () => {
  using peer = await BridgePeer.connectAsync();
  advance(peer, 59);
  expect(peer.closedSockets).toEqual([]);
  advance(peer, 10);
  expect(peer.closedSockets).toHaveLength(1);
});

test("does not blame the host for the time that a script held the VM", async () => {
  using peer = await BridgePeer.connectAsync();
  advance(peer, 1);
  peer.studio.runSource("=Clock", 'engine("./Kernel/Clock").advance(90)');
  advance(peer, 5);
  expect(peer.closedSockets).toEqual([]);
});

test("says goodbye when it is loaded anew, and asks for its old session as the same instance", async () => {
  using peer = await BridgePeer.startAsync();
  const instanceOf = async () => fieldOf(await peer.nextAsync("register"), "instanceId");
  const before = await instanceOf();
  await peer.untilAsync(() => peer.registrations > 0, "registration");
  peer.reload();
  expect((await peer.nextAsync("unregister")).sessionId).toBe(SESSION_ID);
  const register = await peer.nextAsync("register");
  expect(fieldOf(register, "previousSessionId")).toBe(SESSION_ID);
  expect(fieldOf(register, "instanceId")).toBe(before);
  await peer.untilAsync(() => peer.registrations > 1, "second registration");
  expect((await peer.executeAsync("return 1")).reply.payload).toMatchObject({ returnValues: [1] });
  expect(peer.faults).toEqual([]);
});
