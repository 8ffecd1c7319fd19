/**
 * A real browser with pages that try to reach the bridge host and `sb mcp --http`: from a file, from another port of
 * this machine, and behind a name that was rebound to it. A server that lets everybody in shows that the attacks work.
 */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { BridgeConnection } from "../../src/bridge/index.ts";
import { freePort, Sandbox, untilAsync } from "../harness.ts";

const browser = ["chromium", "chromium-browser", "google-chrome"].find((name) => Bun.which(name) !== null);
/** The second loopback address, on which another program can have our port, is there by itself only on Linux. */
const canAttack = browser !== undefined && process.platform === "linux";
const pagePath = join(import.meta.dir, "../fixtures/attack-page.html");
/** A browser takes long to start on a machine that is busy. */
const BROWSER_PATIENCE_MS = 40_000;
const REBOUND_NAME = "rebound.example";

interface Report {
  readonly origin: string;
  readonly got: readonly { readonly how: string; readonly url: string; readonly what: string }[];
}

/** Serves the page, and then becomes a way to whatever has the same port at 127.0.0.1: what a rebound name is. */
async function rebindAsync(port: number) {
  const page = await Bun.file(pagePath).text();
  const answer = `HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nConnection: close\r\nContent-Length: ${Buffer.byteLength(page)}\r\n\r\n${page}`;
  return Bun.listen<{ upstream: Promise<Bun.Socket> | undefined }>({
    hostname: "127.0.0.2",
    port,
    socket: {
      open: (socket) => {
        socket.data = { upstream: undefined };
      },
      data: (socket, data) => {
        if (socket.data.upstream === undefined && data.toString().startsWith("GET /page"))
          return void socket.end(answer);
        socket.data.upstream ??= Bun.connect({
          hostname: "127.0.0.1",
          port,
          socket: { data: (_, back) => void socket.write(back), close: () => void socket.end() },
        });
        const copy = Buffer.from(data);
        void socket.data.upstream.then((upstream) => upstream.write(copy));
      },
      close: ({ data: { upstream } }) => void upstream?.then((target) => target.end()),
    },
  });
}

/** Lets everybody in, as careless local servers do. */
function careless() {
  return Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    fetch: (request, server) =>
      server.upgrade(request)
        ? undefined
        : new Response("secret", {
            headers: { "access-control-allow-origin": "*", "access-control-allow-headers": "*" },
          }),
    websocket: { message: (socket) => void socket.send("secret") },
  });
}

/** Serves the page and takes the reports of all of them. */
function pageServer(reports: Report[]) {
  return Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    fetch: async (request) => {
      if (request.method === "POST") reports.push(JSON.parse(await request.text()));
      return new Response(Bun.file(pagePath));
    },
  });
}

let box: Sandbox;
let inside: Disposable;
beforeAll(async () => {
  box = await Sandbox.createAsync();
  inside = box.enter();
});
afterAll(async () => {
  inside[Symbol.dispose]();
  await box[Symbol.asyncDispose]();
});

const targetAt = (host: string, port: number, paths: readonly string[]) => ({
  sockets: paths.map((path) => `ws://${host}:${port}${path}`),
  pages: paths.map((path) => `http://${host}:${port}${path}`),
});

test.skipIf(!canAttack)(
  "no web page reaches the host, its sessions, or the MCP endpoint",
  async () => {
    await box.headlessAsync("Secret place");
    const mcpPort = freePort();
    const mcp = box.spawn(["mcp", "--http", String(mcpPort)]);
    await mcp.stderr.getReader().read();
    const reports: Report[] = [];
    using open = careless();
    using pages = pageServer(reports);
    using reboundHost = await rebindAsync(box.port);
    using reboundMcp = await rebindAsync(mcpPort);

    const hostPaths = ["/client", "/plugin", "/health", "/"];
    const control = targetAt("127.0.0.1", open.port ?? 0, ["/client"]);
    const attack = (host: string) => [
      targetAt(host, box.port, hostPaths),
      targetAt(host, mcpPort, ["/mcp"]),
      control,
    ];
    const reportTo = `http://127.0.0.1:${pages.port}/report`;
    const behind = (setup: object) => `#${encodeURIComponent(JSON.stringify({ reportTo, ...setup }))}`;
    const frames = [
      `http://127.0.0.1:${pages.port}/page${behind({ targets: attack("127.0.0.1") })}`,
      `http://localhost:${pages.port}/page${behind({ targets: attack("localhost") })}`,
      ...[reboundHost.port, reboundMcp.port].map(
        (port) => `http://${REBOUND_NAME}:${port}/page${behind({ targets: attack(REBOUND_NAME) })}`,
      ),
    ];
    const top = `${pathToFileURL(pagePath)}${behind({ targets: attack("127.0.0.1"), frames })}`;
    const visit = Bun.spawn(
      [
        browser ?? "",
        "--headless",
        "--no-sandbox",
        "--disable-gpu",
        `--user-data-dir=${join(box.folder, "profile")}`,
        `--host-resolver-rules=MAP ${REBOUND_NAME} 127.0.0.2`,
        // The browser's own protection is not what is tested; many browsers have none.
        "--disable-features=LocalNetworkAccessChecks,BlockInsecurePrivateNetworkRequests",
        "--remote-debugging-port=0",
        top,
      ],
      { stdin: "ignore", stdout: "ignore", stderr: "ignore" },
    );
    await untilAsync(
      "every page has told what it got",
      () => (reports.length === 1 + frames.length ? true : undefined),
      BROWSER_PATIENCE_MS,
    ).finally(() => visit.kill("SIGTERM"));
    await visit.exited;

    expect(reports.map(({ origin }) => origin).toSorted()).toEqual(
      [
        "file",
        `http://127.0.0.1:${pages.port}`,
        `http://localhost:${pages.port}`,
        `http://${REBOUND_NAME}:${box.port}`,
        `http://${REBOUND_NAME}:${mcpPort}`,
      ].toSorted(),
    );
    const isControl = ({ url }: { readonly url: string }) => new URL(url).port === String(open.port);
    expect(reports.flatMap(({ got }) => got.filter((each) => !isControl(each)))).toEqual([]);
    for (const { got } of reports) {
      const ways = got.filter(isControl).map(({ how, what }) => `${how}: ${what}`);
      expect(ways).toEqual(
        expect.arrayContaining([
          "socket: open",
          "socket: secret",
          "fetch: 200 secret",
          "post text: 200 secret",
        ]),
      );
    }

    await using connection = await BridgeConnection.connectAsync({ port: box.port });
    const { refusals, sessions } = await connection.listSessionsAsync();
    expect(refusals["origin"]).toBeGreaterThan(10);
    expect(refusals["host"]).toBeGreaterThan(10);
    expect(refusals["browser"]).toBeGreaterThan(10);
    expect(refusals["proof"] ?? 0).toBe(0);
    expect(sessions).toHaveLength(1);
    const { returnValues } = await connection
      .session(sessions[0]?.sessionId ?? "")
      .callAsync("execute", { script: "return workspace.Name" });
    expect(returnValues).toEqual(["Workspace"]);
  },
  120_000,
);
