/** A host at its port: what it answers to whom, and how it stops. */
import { describe, expect, test } from "bun:test";
import * as fs from "node:fs";
import { join } from "node:path";
import { BridgeConnection, BridgeHost } from "../../../../src/bridge/index.ts";
import { HostServer } from "../../../../src/bridge/host/host-server.ts";
import { healthSchema } from "../../../../src/protocol/network.ts";
import { freePort } from "../../../harness.ts";
import { ScriptedPlugin } from "../../../peers/scripted-plugin.ts";
import { failureAsync, hostOptions } from "../real-world.ts";
import { PortHolders } from "../finding/port-holders.ts";

const holders = new PortHolders();
const { later, hostAsync } = holders;

async function connectAsync(port: number): Promise<BridgeConnection> {
  return later(await BridgeConnection.connectAsync({ port }), (connection) =>
    connection[Symbol.asyncDispose](),
  );
}

describe("a host", () => {
  test("answers /health without paths and pids, and nothing else", async () => {
    const host = await hostAsync();
    const at = (path: string, headers: { [name: string]: string } = {}) =>
      fetch(`http://127.0.0.1:${host.port}${path}`, { headers });
    const health: unknown = await (await at("/health")).json();
    expect(healthSchema().strict().parse(health)).toMatchObject({
      status: "ok",
      port: host.port,
      sessions: 0,
    });
    const answers = await Promise.all([
      at("/health", { origin: "https://evil.example" }),
      at("/health", { host: "evil.example" }),
      at("/plugin", { "sec-fetch-mode": "websocket" }),
      at("/"),
      at("/plugin"),
    ]);
    expect(answers.map(({ status }) => status)).toEqual([403, 403, 403, 404, 426]);
    const { refusals } = await (await connectAsync(host.port)).listSessionsAsync();
    expect(refusals).toEqual({ origin: 1, host: 1, browser: 1, path: 1 });
    expect(
      answers.flatMap(({ headers }) => [...headers.keys()]).filter((name) => name.startsWith("access-")),
    ).toEqual([]);
  });

  test("lists a plugin without its key to clients and hangs up on it", async () => {
    const host = await hostAsync();
    const plugin = new ScriptedPlugin(host.port);
    await plugin.openAsync();
    plugin.send(
      "hello",
      { role: "plugin", nonceA: "a1".repeat(32), keyId: "0".repeat(16) },
      { protocolVersion: 2 },
    );
    expect(Object((await plugin.nextAsync("error")).payload).code).toBe("UNPAIRED");
    expect(await plugin.closed).toBe(4401);
    const { unpaired } = await (await connectAsync(host.port)).listSessionsAsync();
    expect(unpaired.map(({ keyId }) => keyId)).toEqual(["0".repeat(16)]);
  });

  test("that stops tells plugins and clients and frees the port at once", async () => {
    const host = await BridgeHost.startAsync({ port: freePort(), version: "9.9.9" });
    const { plugin } = await ScriptedPlugin.connectAsync(host.port, holders.world.prover);
    const connection = await connectAsync(host.port);
    await host.stopAsync("stopped");
    expect(await host.closed).toEqual({ reason: "stopped" });
    expect((await plugin.nextAsync("shutdown")).payload).toEqual({ reason: "stopped" });
    await connection.closed;
    await plugin.closed;
    await hostAsync(host.port);
  }, 120_000);

  test("closes a request whose body never comes, and keeps a silent link", async () => {
    const server = new HostServer({ ...hostOptions(holders.world), port: 0, requestTimeoutS: 1 });
    holders.later(server, () => server.stop("over"));
    const { plugin, sessionId } = await ScriptedPlugin.connectAsync(server.port, holders.world.prover);
    expect(sessionId).toBeString();
    let isPluginClosed = false;
    void plugin.closed.then(() => (isPluginClosed = true));
    const closed = Promise.withResolvers<void>();
    const socket = await Bun.connect({
      hostname: "127.0.0.1",
      port: server.port,
      socket: { data() {}, close: () => closed.resolve() },
    });
    socket.write(`POST / HTTP/1.1\r\nHost: 127.0.0.1:${server.port}\r\nContent-Length: 100\r\n\r\n{`);
    await closed.promise;
    expect(isPluginClosed).toBe(false);
  }, 120_000);

  test("tells a plugin that its frame is too large, and the link lives", async () => {
    const host = await hostAsync();
    const { plugin } = await ScriptedPlugin.connectAsync(host.port, holders.world.prover);
    plugin.sendRaw(`{"type":"pong","payload":{"x":"${"y".repeat(17 * 1024 * 1024)}"}}`);
    expect(Object((await plugin.nextAsync("error")).payload).code).toBe("PAYLOAD_TOO_LARGE");
    expect(await plugin.registerAsync({ context: "server" })).toBeString();
  });

  test("that cannot keep a key names the folder", async () => {
    const blocked = join(holders.world.stateHome, "file");
    fs.writeFileSync(blocked, "");
    process.env["XDG_STATE_HOME"] = blocked;
    const error = await failureAsync(BridgeHost.startAsync({ port: 0, version: "9.9.9" }));
    expect({ code: error.code, namesFolder: error.message.includes(blocked) }).toEqual({
      code: "KEY_ERROR",
      namesFolder: true,
    });
  });
});
