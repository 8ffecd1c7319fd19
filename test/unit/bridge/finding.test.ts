import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import * as fs from "node:fs";
import { join } from "node:path";
import { BridgeConnection, BridgeHost } from "../../../src/bridge/index.ts";
import { claimPortAsync } from "../../../src/bridge/internal/claim-port.ts";
import { dialAsync, localAddress } from "../../../src/bridge/internal/client-socket.ts";
import { findHostAsync } from "../../../src/bridge/internal/find-host.ts";
import { HostServer } from "../../../src/bridge/internal/host-server.ts";
import { healthSchema } from "../../../src/protocol/network.ts";
import { freePort, untilAsync, withinAsync } from "../../harness.ts";
import { ScriptedPlugin } from "../../peers/scripted-plugin.ts";
import { failureAsync, realWorldAsync } from "./real-world.ts";
import type { RealWorld } from "./real-world.ts";

let world: RealWorld;
let cleanups: (() => unknown)[] = [];
beforeEach(async () => {
  world = await realWorldAsync();
});
afterEach(async () => {
  for (const cleanup of cleanups.reverse()) await cleanup();
  cleanups = [];
  world[Symbol.dispose]();
});

const serveHost = join(import.meta.dir, "../../peers/serve-host.ts");
const hostCommand = (port: number, idleExitMs: number) => [
  process.execPath,
  serveHost,
  `${port}`,
  `${idleExitMs}`,
];

function later<T>(thing: T, cleanup: (thing: T) => unknown): T {
  cleanups.push(() => cleanup(thing));
  return thing;
}

async function hostAsync(port = 0): Promise<BridgeHost> {
  return later(await BridgeHost.startAsync({ port, version: "9.9.9" }), (host) => host.stopAsync());
}

async function connectAsync(port: number): Promise<BridgeConnection> {
  return later(await BridgeConnection.connectAsync({ port }), (connection) =>
    connection[Symbol.asyncDispose](),
  );
}

/** Programs that hold a port and are not our host. */
const squatters = {
  silent: () => listen(() => {}),
  "an echo": () => listen((socket, data) => socket.write(data)),
  abrupt: () => listen((socket) => socket.end()),
  talkative: () => listen((socket) => socket.write("220 ready\r\n")),
  "a web server": () =>
    later(Bun.serve({ port: 0, hostname: "127.0.0.1", fetch: () => new Response("hi") }), (server) =>
      server.stop(true),
    ).port ?? 0,
};

function listen(data: (socket: Bun.Socket, data: Buffer) => void): number {
  const server = Bun.listen({ hostname: "127.0.0.1", port: 0, socket: { data } });
  return later(server, () => server.stop(true)).port;
}

/** A host of this machine's port with somebody else's key. */
async function foreignHostAsync(): Promise<number> {
  const other = await realWorldAsync();
  const host = await hostAsync();
  other[Symbol.dispose]();
  process.env["XDG_STATE_HOME"] = world.stateHome;
  return host.port;
}

describe("a client", () => {
  test("is told when no host is there and it may not start one", async () => {
    const port = freePort();
    const error = await failureAsync(BridgeConnection.connectAsync({ port }));
    expect({ code: error.code, message: error.message }).toEqual({
      code: "HOST_UNREACHABLE",
      message: `No bridge host answers on port ${port}.`,
    });
  });

  test.each(["an echo", "talkative", "abrupt", "a web server"] as const)(
    "never trusts a holder of its port that is %s",
    async (kind) => {
      const port = squatters[kind]();
      const error = await failureAsync(
        BridgeConnection.connectAsync({ port, hostCommand: ["/nonexistent"] }),
      );
      expect({ code: error.code, message: error.message }).toEqual({
        code: "HOST_UNTRUSTED",
        message: `The program that holds port ${port} does not know this machine's key.`,
      });
    },
  );

  test("never trusts a host with another key", async () => {
    const port = await foreignHostAsync();
    expect((await failureAsync(BridgeConnection.connectAsync({ port }))).code).toBe("HOST_UNTRUSTED");
  });

  test("never trusts a relay in front of the real host", async () => {
    const host = await hostAsync();
    const relay = later(
      Bun.serve<{ upstream: WebSocket; queue: string[] }>({
        port: 0,
        hostname: "127.0.0.1",
        fetch: (request, server) => {
          const upstream = new WebSocket(`ws://127.0.0.1:${host.port}/client`);
          return server.upgrade(request, { data: { upstream, queue: [] } }) ? undefined : new Response("");
        },
        websocket: {
          open: (socket) => {
            const { upstream, queue } = socket.data;
            upstream.onopen = () => queue.splice(0).forEach((text) => upstream.send(text));
            upstream.onmessage = ({ data }) => void socket.send(String(data));
          },
          message: ({ data: { upstream, queue } }, text) => {
            if (upstream.readyState === WebSocket.OPEN) upstream.send(text);
            else queue.push(String(text));
          },
          close: (socket) => socket.data.upstream.close(),
        },
      }),
      (server) => server.stop(true),
    );
    const error = await failureAsync(BridgeConnection.connectAsync({ port: relay.port ?? 0 }));
    expect(error.code).toBe("HOST_UNTRUSTED");
  });

  test("names a holder that does not answer, within two seconds", async () => {
    const port = squatters.silent();
    await withinAsync(2_000, async () => {
      const startedAt = performance.now();
      const error = await failureAsync(
        BridgeConnection.connectAsync({ port, hostCommand: ["/nonexistent"] }),
      );
      const tookMs = performance.now() - startedAt;
      expect({ code: error.code, message: error.message }).toEqual({
        code: "HOST_UNREACHABLE",
        message:
          process.platform === "linux"
            ? `The program (process ${process.pid}) that holds port ${port} does not answer.`
            : expect.stringMatching(/^The program (\(process \d+\) )?that holds port \d+ does not answer\.$/),
      });
      return tookMs;
    });
  });

  test.skipIf(process.platform === "win32")("names the process of a host that was stopped", async () => {
    const port = freePort();
    const child = later(
      Bun.spawn(hostCommand(port, 60_000), { env: process.env, stderr: "inherit" }),
      (process) => process.kill("SIGKILL"),
    );
    await untilAsync("the host answers", async () => {
      const connection = await BridgeConnection.connectAsync({ port }).catch(() => undefined);
      await connection?.[Symbol.asyncDispose]();
      return connection;
    });
    child.kill("SIGSTOP");
    const error = await failureAsync(BridgeConnection.connectAsync({ port }));
    expect({ message: error.message, hint: error.hint, data: error.data }).toEqual({
      message: `The bridge host (process ${child.pid}) that holds port ${port} does not answer.`,
      hint: `End process ${child.pid}, continue it if it is stopped, or choose another port with --port.`,
      data: { port, pid: child.pid },
    });
  });

  test("passes strangers and free ports on the way to its host", async () => {
    const ports = [
      squatters["a web server"](),
      freePort(),
      await foreignHostAsync(),
      (await hostAsync()).port,
    ];
    const found = await findHostAsync({ ports, prover: world.prover, allowUnpaired: false });
    later(found.link, (link) => link[Symbol.dispose]());
    expect(found.port).toBe(ports[3] ?? 0);
  });

  test("says why a host could not be started", async () => {
    const port = freePort();
    const missing = await failureAsync(
      BridgeConnection.connectAsync({ port, hostCommand: ["/nonexistent/sb"] }),
    );
    const failing = await failureAsync(
      BridgeConnection.connectAsync({ port, hostCommand: [process.execPath, "-e", "process.exit(3)"] }),
    );
    expect([missing, failing].map(({ code }) => code)).toEqual(["HOST_START_FAILED", "HOST_START_FAILED"]);
    expect(failing.message).toContain("exit code 3");
  });

  test("reaches a forwarded host by the port that it proves", async () => {
    const host = await hostAsync();
    const forward = later(
      Bun.listen<{ upstream: Promise<Bun.Socket> }>({
        hostname: "127.0.0.1",
        port: 0,
        socket: {
          open: (socket) => {
            const upstream = Bun.connect({
              hostname: "127.0.0.1",
              port: host.port,
              socket: { data: (_, data) => void socket.write(data), close: () => void socket.end() },
            });
            socket.data = { upstream };
          },
          data: ({ data: { upstream } }, data) => void upstream.then((target) => target.write(data)),
          close: ({ data: { upstream } }) => void upstream.then((target) => target.end()),
        },
      }),
      (server) => server.stop(true),
    );
    const remote = { host: "127.0.0.1", port: forward.port };
    await using connection = await BridgeConnection.connectAsync({ remote });
    expect((await connection.listSessionsAsync()).sessions).toEqual([]);
  });

  test("is told when a remote host is not there", async () => {
    const error = await failureAsync(
      BridgeConnection.connectAsync({ remote: { host: "127.0.0.1", port: freePort() } }),
    );
    expect(error.code).toBe("HOST_UNREACHABLE");
  });
});

describe("processes that start at once", () => {
  test("end up with one host, which leaves when nobody needs it", async () => {
    const port = freePort();
    const connections = await Promise.all(
      Array.from({ length: 6 }, () =>
        BridgeConnection.connectAsync({ port, hostCommand: hostCommand(port, 100) }),
      ),
    );
    const hostIds = new Set(connections.map(({ hostId }) => hostId));
    for (const connection of connections) await connection[Symbol.asyncDispose]();
    expect(hostIds.size).toBe(1);
    await untilAsync("the port is free again", async () => {
      const health = await fetch(`http://127.0.0.1:${port}/health`).catch(() => undefined);
      return health === undefined ? true : undefined;
    });
    await untilAsync("its note is gone too", () => {
      const files = fs.readdirSync(join(world.stateHome, "studio-bridge"));
      return files.join() === "key" ? true : undefined;
    });
  });
});

describe("a host", () => {
  test("refuses to be the second one", async () => {
    const first = await hostAsync(freePort());
    const error = await failureAsync(BridgeHost.startAsync({ port: first.port, version: "9.9.9" }));
    expect({ code: error.code, data: error.data }).toEqual({
      code: "HOST_RUNNING",
      data: { port: first.port, pid: process.pid },
    });
  });

  test("refuses to be the second one on another port", async () => {
    const first = await hostAsync();
    const options = {
      prover: world.prover,
      version: "9.9.9",
      allowUnpaired: false,
      isExposed: false,
      idleExitMs: 1_000,
      makesRoom: true,
    };
    expect((await failureAsync(claimPortAsync([freePort(), first.port], options, false))).code).toBe(
      "HOST_RUNNING",
    );
  });

  test("moves on from strangers, but not from the port it was told to take", async () => {
    const stranger = squatters["a web server"]();
    const free = freePort();
    const options = {
      prover: world.prover,
      version: "9.9.9",
      allowUnpaired: false,
      isExposed: false,
      idleExitMs: 1_000,
      makesRoom: true,
    };
    const server = later(await claimPortAsync([stranger, free], options, false), (started) =>
      started.stop("over"),
    );
    const pinned = await failureAsync(BridgeHost.startAsync({ port: stranger, version: "9.9.9" }));
    expect({ port: server.port, pinned: pinned.code }).toEqual({ port: free, pinned: "HOST_UNTRUSTED" });
  });

  test("makes room for one that has settled, and waits for one that settles behind it", async () => {
    const options = {
      prover: world.prover,
      version: "9.9.9",
      allowUnpaired: false,
      isExposed: false,
      idleExitMs: 60_000,
      makesRoom: true,
    };
    const isSettlingAsync = async (port: number) => {
      const dialled = await dialAsync(localAddress(port), options);
      if (dialled.kind !== "host") return dialled.kind;
      dialled.socket[Symbol.dispose]();
      return dialled.welcome.isSettling;
    };
    const start = () =>
      later(new HostServer({ ...options, port: 0, isSettling: true }), (server) => server.stop("over"));
    const [first, second] = [start(), start()];
    const [port, other] = [freePort(), freePort()];
    second.settle();
    expect(await isSettlingAsync(first.port)).toBe(true);
    expect((await failureAsync(claimPortAsync([port, second.port], options, true))).code).toBe(
      "HOST_RUNNING",
    );
    expect(await isSettlingAsync(port)).toBe("free");
    const claimed = claimPortAsync([other, first.port], options, true);
    await untilAsync("it has bound its port and waits", async () =>
      (await isSettlingAsync(other)) === true ? true : undefined,
    );
    first.stop("yielded");
    const server = later(await claimed, (started) => started.stop("over"));
    expect(server.port).toBe(other);
    expect(await isSettlingAsync(other)).toBe(false);
  });

  test("does not move on from a holder that does not answer", async () => {
    const options = {
      prover: world.prover,
      version: "9.9.9",
      allowUnpaired: false,
      isExposed: false,
      idleExitMs: 1_000,
      makesRoom: true,
    };
    const error = await failureAsync(claimPortAsync([squatters.silent(), freePort()], options, false));
    expect(error.code).toBe("PORT_UNAVAILABLE");
  });

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
    const { plugin } = await ScriptedPlugin.connectAsync(host.port, world.prover);
    const connection = await connectAsync(host.port);
    await host.stopAsync("stopped");
    expect(await host.closed).toEqual({ reason: "stopped" });
    expect((await plugin.nextAsync("shutdown")).payload).toEqual({ reason: "stopped" });
    await connection.closed;
    await plugin.closed;
    await hostAsync(host.port);
  }, 120_000);

  test("tells a plugin that its frame is too large, and the link lives", async () => {
    const host = await hostAsync();
    const { plugin } = await ScriptedPlugin.connectAsync(host.port, world.prover);
    plugin.sendRaw(`{"type":"pong","payload":{"x":"${"y".repeat(17 * 1024 * 1024)}"}}`);
    expect(Object((await plugin.nextAsync("error")).payload).code).toBe("PAYLOAD_TOO_LARGE");
    expect(await plugin.registerAsync({ context: "server" })).toBeString();
  });

  test("that cannot keep a key names the folder", async () => {
    const blocked = join(world.stateHome, "file");
    fs.writeFileSync(blocked, "");
    process.env["XDG_STATE_HOME"] = blocked;
    const error = await failureAsync(BridgeHost.startAsync({ port: 0, version: "9.9.9" }));
    expect({ code: error.code, namesFolder: error.message.includes(blocked) }).toEqual({
      code: "KEY_ERROR",
      namesFolder: true,
    });
  });
});
