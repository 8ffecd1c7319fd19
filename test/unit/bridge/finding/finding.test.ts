/** How a client comes to its host: past strangers, or by starting one; and what it is told where there is none. */
import { describe, expect, test } from "bun:test";
import * as fs from "node:fs";
import { join } from "node:path";
import { BridgeConnection } from "../../../../src/bridge/index.ts";
import { findHostAsync } from "../../../../src/bridge/finding/find-host.ts";
import { freePort, untilAsync, withinAsync } from "../../../harness.ts";
import { failureAsync } from "../real-world.ts";
import { PortHolders } from "./port-holders.ts";

const holders = new PortHolders();
const { later, hostAsync, foreignHostAsync, squatters } = holders;

const serveHost = join(import.meta.dir, "../../../peers/serve-host.ts");
const hostCommand = (port: number, idleExitMs: number) => [
  process.execPath,
  serveHost,
  `${port}`,
  `${idleExitMs}`,
];

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

  test("finds a host that answers only after the machine stood still for longer than a host may be silent", async () => {
    const { port } = await hostAsync();
    const search = findHostAsync({ ports: [port], prover: holders.world.prover, allowUnpaired: false });
    // The dialling has begun, and the host, which is in this process too, has not answered.
    Bun.sleepSync(1_700);
    const found = await search;
    later(found.link, (link) => link[Symbol.dispose]());
    expect(found.port).toBe(port);
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
    const found = await findHostAsync({ ports, prover: holders.world.prover, allowUnpaired: false });
    later(found.link, (link) => link[Symbol.dispose]());
    expect(found.port).toBe(ports[3] ?? 0);
  });

  test.skipIf(process.platform === "win32")(
    "waits for a host that is slow to start, and says so",
    async () => {
      const port = freePort();
      const said: string[] = [];
      const [program = "", ...words] = hostCommand(port, 60_000);
      const connection = await BridgeConnection.connectAsync({
        port,
        hostCommand: ["sh", "-c", 'sleep 5.5; exec "$0" "$@"', program, ...words],
        onSlowStart: () => said.push("slow"),
      });
      later(connection, (bridge) => bridge[Symbol.asyncDispose]());
      expect({ port: connection.port, said }).toEqual({ port, said: ["slow"] });
    },
  );

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
  test("end up with one host, which ends when no process needs it", async () => {
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
      const files = fs.readdirSync(join(holders.world.stateHome, "studio-bridge"));
      return files.join() === "key" ? true : undefined;
    });
  });
});
