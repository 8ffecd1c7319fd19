/** A host in the process of one of its clients. */
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { join } from "node:path";
import { BridgeConnection, BridgeHost } from "../../../../src/bridge/index.ts";
import type { ConnectOptions } from "../../../../src/bridge/index.ts";
import { stateFolder } from "../../../../src/util/state-folder.ts";
import { freePort, untilAsync, withinAsync } from "../../../harness.ts";
import { ScriptedPlugin } from "../../../peers/scripted-plugin.ts";
import { realWorldAsync } from "../real-world.ts";
import type { RealWorld } from "../real-world.ts";

let world: RealWorld;
beforeEach(async () => {
  world = await realWorldAsync();
});
afterEach(() => world[Symbol.dispose]());

const host = { version: "9.9.9", buildId: "own" };
const missing = ["/nonexistent/sb"];

async function ownAsync(options: Partial<ConnectOptions> = {}) {
  const port = freePort();
  const connection = await BridgeConnection.connectAsync({ port, host, stays: true, ...options });
  return { port, connection };
}

describe("a process that stays", () => {
  test("is the host itself where there is none, and starts no other", async () => {
    const { port, connection } = await ownAsync({ hostCommand: missing });
    await using _ = connection;
    expect(connection.host).toMatchObject({ port, version: "9.9.9", isOwn: true });
    expect(await connection.sessionsAsync()).toEqual([]);
    await using other = await BridgeConnection.connectAsync({ port });
    expect(other.host).toMatchObject({ hostId: connection.hostId, isOwn: false });
  });

  test("calls without a socket: answers, output, pushes and changes all come", async () => {
    const { port, connection } = await ownAsync();
    await using _ = connection;
    const come = connection.waitForSessionAsync(() => true, { timeoutMs: 30_000 });
    const { plugin, sessionId } = await ScriptedPlugin.connectAsync(port, world.prover);
    expect((await come)?.sessionId).toBe(sessionId);
    const session = connection.session(sessionId);
    plugin.on("subscribe", (request) => plugin.reply(request, "subscribeResult", request.payload));
    const pushed = Promise.withResolvers<string>();
    await session.subscribeAsync(["logPush"], ({ event }) => pushed.resolve(event));
    plugin.send("logPush", { entries: [{ level: "Print", body: "x", timestamp: 1 }] }, { sessionId });
    expect(await pushed.promise).toBe("logPush");
    const lines: string[] = [];
    const onOutput = (messages: readonly { body: string }[]) =>
      lines.push(...messages.map(({ body }) => body));
    const scripts = ["1", "2", "3"];
    const calls = scripts.map((script) => session.callAsync("execute", { script }, { onOutput }));
    for (const script of scripts) {
      const request = await plugin.nextAsync("execute");
      expect(Object(request.payload).script).toBe(script);
      plugin.reply(request, "output", { messages: [{ level: "Print", body: script }], seq: 0 });
      plugin.reply(request, "scriptComplete", { success: true, returnValues: [script] });
    }
    expect((await Promise.all(calls)).map(({ returnValues }) => returnValues[0])).toEqual(scripts);
    expect(lines).toEqual(scripts);
    const gone = Promise.withResolvers<void>();
    connection.onSessionEvent(({ event }) => event === "disconnected" && gone.resolve());
    plugin.send("unregister", {}, { sessionId });
    await gone.promise;
    expect(await connection.sessionsAsync()).toEqual([]);
    plugin[Symbol.dispose]();
  });

  test("leaves a free port behind, and needs no successor when no other process uses the host", async () => {
    const { port, connection } = await ownAsync({ successorCommand: missing });
    await connection[Symbol.asyncDispose]();
    await using next = await BridgeHost.startAsync({ port, version: "9.9.9" });
    expect(next.port).toBe(port);
  });

  test("leaves its Studios and clients to a successor that has waited for them", async () => {
    const serveHost = join(import.meta.dir, "../../../peers/serve-host.ts");
    const port = freePort();
    const successorCommand = [process.execPath, serveHost, `${port}`, "5000", "test", "--join"];
    const connection = await BridgeConnection.connectAsync({ port, host, stays: true, successorCommand });
    const { plugin, sessionId } = await ScriptedPlugin.connectAsync(port, world.prover);
    const other = await BridgeConnection.connectAsync({ port });
    const moved = new Promise<string>((resolve) => other.onHostChange(({ hostId }) => resolve(hostId)));
    await connection[Symbol.asyncDispose]();
    expect((await plugin.nextAsync("shutdown")).payload).toEqual({ reason: "its process ends" });
    expect(await moved).not.toBe(connection.hostId);
    const asked = other.sessionsAsync();
    const back = await ScriptedPlugin.connectAsync(port, world.prover, { previousSessionId: sessionId });
    expect(back.sessionId).toBe(sessionId);
    expect((await asked).map((each) => each.sessionId)).toEqual([sessionId]);
    back.plugin[Symbol.dispose]();
    await other[Symbol.asyncDispose]();
  }, 120_000);
});

describe("a process that is the host, when a newer sb comes", () => {
  const newer = { version: "10.0.0", buildId: "newer" };
  const newerAsync = (port: number) =>
    BridgeConnection.connectAsync({ port, host: newer, stays: true, version: newer.version });
  const untilHostIsAsync = (connection: BridgeConnection, version: string) =>
    untilAsync(`the host is ${version}`, () => connection.host.version === version || undefined);

  test("makes room while it has nothing to do, goes on as its client, and is the next host after it", async () => {
    const { port, connection } = await ownAsync();
    await using _ = connection;
    const before = await ScriptedPlugin.connectAsync(port, world.prover);
    const other = await newerAsync(port);
    await untilHostIsAsync(other, newer.version);
    expect(other.host.isOwn).toBe(true);
    const { sessionId } = before;
    const after = await ScriptedPlugin.connectAsync(port, world.prover, { previousSessionId: sessionId });
    await untilHostIsAsync(connection, newer.version);
    expect(connection.host.isOwn).toBe(false);
    expect((await connection.sessionsAsync()).map((session) => session.sessionId)).toEqual([sessionId]);
    after.plugin[Symbol.dispose]();
    await other[Symbol.asyncDispose]();
    await untilHostIsAsync(connection, host.version);
    expect(connection.host.isOwn).toBe(true);
  }, 120_000);

  test("stays while a client waits for an answer", async () => {
    const { port, connection } = await ownAsync();
    await using _ = connection;
    const { plugin, sessionId } = await ScriptedPlugin.connectAsync(port, world.prover);
    const running = connection.session(sessionId).callAsync("execute", { script: "x" });
    const request = await plugin.nextAsync("execute");
    await using other = await newerAsync(port);
    expect((await other.sessionsAsync()).length).toBe(1);
    plugin.reply(request, "scriptComplete", { success: true, returnValues: [1] });
    expect((await running).returnValues).toEqual([1]);
    expect({ own: connection.host.isOwn, version: other.host.version }).toEqual({
      own: true,
      version: host.version,
    });
    plugin[Symbol.dispose]();
  });
});

test("a process that has a host to start becomes it only when one was lost and it waits for something", async () => {
  const port = freePort();
  const first = await BridgeHost.startAsync({ port, version: "9.9.9" });
  await using connection = await BridgeConnection.connectAsync({ port, host, hostCommand: missing });
  expect(connection.host.isOwn).toBe(false);
  await first.stopAsync();
  expect((await connection.listSessionsAsync()).sessions).toEqual([]);
  expect(connection.host).toMatchObject({ port, isOwn: true });
}, 120_000);

test("a successor ends when the host that it should follow stays, and its connection does not keep the host busy", async () => {
  const port = freePort();
  const staying = await BridgeHost.startAsync({ port, version: "9.9.9", idleExitMs: 2_000 });
  expect(await BridgeHost.standByAsync({ port, version: "9.9.9" })).toBe(undefined);
  const connection = await BridgeConnection.connectAsync({ port });
  expect(connection.hostId).toBe(staying.hostId);
  await connection[Symbol.asyncDispose]();
  expect(await staying.closed).toEqual({ reason: "idle" });
}, 120_000);

/** The next host on the port does not answer a request for the sessions before this session is back. */
async function expectPatienceAsync(port: number, previousSessionId: string): Promise<void> {
  await using next = await BridgeHost.startAsync({ port, version: "9.9.9" });
  await using connection = await BridgeConnection.connectAsync({ port: next.port });
  const asked = connection.sessionsAsync();
  const { plugin, sessionId } = await ScriptedPlugin.connectAsync(port, world.prover, {
    previousSessionId,
  });
  expect((await asked).map((session) => session.sessionId)).toEqual([sessionId]);
  plugin[Symbol.dispose]();
}

describe("the host after one that is gone", () => {
  test("lets a command wait that asks before the Studios are back", async () => {
    const port = freePort();
    const first = await BridgeHost.startAsync({ port, version: "9.9.9" });
    const before = await ScriptedPlugin.connectAsync(port, world.prover);
    await first.stopAsync();
    await expectPatienceAsync(port, before.sessionId);
  });

  test("tells the next host which sessions it still waits for", async () => {
    const port = freePort();
    const first = await BridgeHost.startAsync({ port, version: "9.9.9" });
    const before = await ScriptedPlugin.connectAsync(port, world.prover);
    await first.stopAsync();
    await (await BridgeHost.startAsync({ port, version: "9.9.9" })).stopAsync();
    await expectPatienceAsync(port, before.sessionId);
  });

  test.skipIf(process.platform === "win32")("lets it wait after a host that was killed, too", async () => {
    const port = freePort();
    const serveHost = join(import.meta.dir, "../../../peers/serve-host.ts");
    const first = Bun.spawn([process.execPath, serveHost, `${port}`, "60000"], { env: process.env });
    const before = await untilAsync("the host answers", () =>
      ScriptedPlugin.connectAsync(port, world.prover).catch(() => undefined),
    );
    await untilAsync("the note tells of the session", async () => {
      const note = await Bun.file(join(stateFolder(), `host-${port}.json`)).text();
      return note.includes(before.sessionId) || undefined;
    });
    first.kill("SIGKILL");
    await first.exited;
    await expectPatienceAsync(port, before.sessionId);
  });

  test.each([
    ["when that was long ago", { leftAt: Date.now() - 60_000, sessionIds: ["s"] }],
    ["when the note is nonsense", { leftAt: "yesterday" }],
  ])("answers at once %s", async (_, note) => {
    await withinAsync(2_500, async () => {
      const port = freePort();
      const path = join(stateFolder(), `left-${port}.json`);
      await Bun.write(path, JSON.stringify(note));
      await using next = await BridgeHost.startAsync({ port, version: "9.9.9" });
      await using connection = await BridgeConnection.connectAsync({ port: next.port });
      const askedAt = performance.now();
      expect(await connection.sessionsAsync()).toEqual([]);
      return performance.now() - askedAt;
    });
  });
});
