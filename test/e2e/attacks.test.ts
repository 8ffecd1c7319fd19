/** The compiled sb and a real headless Studio among programs that want in, or want to be mistaken for the bridge host. */
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { mkdir, readdir } from "node:fs/promises";
import { join } from "node:path";
import { createProver, loadKeyAsync } from "../../src/auth/index.ts";
import { BridgeConnection } from "../../src/bridge/index.ts";
import { encodePng } from "../../src/util/png.ts";
import { freePort, Sandbox, untilAsync } from "../harness.ts";
import { ScriptedPlugin } from "../peers/scripted-plugin.ts";

let box: Sandbox;
let hosts: Bun.Subprocess[] = [];
beforeEach(async () => {
  box = await Sandbox.createAsync();
});
afterEach(async () => {
  for (const host of hosts) host.kill("SIGKILL");
  hosts = [];
  await box[Symbol.asyncDispose]();
});

/** Every frame that arrived, and how many connections were made. */
interface Squatter extends Disposable {
  readonly said: string[];
  readonly visits: () => number;
}

/** Looks like the host and passes everything on to the real one, which has another port. */
function relay(port: number, realPort: number): Squatter {
  const said: string[] = [];
  let visits = 0;
  const server = Bun.serve<{ upstream: WebSocket; queue: string[] }>({
    hostname: "127.0.0.1",
    port,
    fetch: async (request, listener) => {
      visits += 1;
      const { pathname } = new URL(request.url);
      if (pathname === "/health") {
        const health = await (await fetch(`http://127.0.0.1:${realPort}/health`)).text();
        return new Response(health.replaceAll(String(realPort), String(port)));
      }
      const upstream = new WebSocket(`ws://127.0.0.1:${realPort}${pathname}`);
      return listener.upgrade(request, { data: { upstream, queue: [] } }) ? undefined : new Response("");
    },
    websocket: {
      open: (socket) => {
        const { upstream, queue } = socket.data;
        upstream.onopen = () => queue.splice(0).forEach((text) => upstream.send(text));
        upstream.onmessage = ({ data }) => void socket.send(String(data));
        upstream.onclose = () => socket.close();
      },
      message: ({ data: { upstream, queue } }, text) => {
        said.push(String(text));
        if (upstream.readyState === WebSocket.OPEN) upstream.send(text);
        else queue.push(String(text));
      },
      close: (socket) => socket.data.upstream.close(),
    },
  });
  return { said, visits: () => visits, [Symbol.dispose]: () => void server.stop(true) };
}

/** Takes everything and says what `answer` gives. */
function listener(port: number, answer: (said: string) => string): Squatter {
  const said: string[] = [];
  let visits = 0;
  const server = Bun.listen({
    hostname: "127.0.0.1",
    port,
    socket: {
      open: () => void (visits += 1),
      data: (socket, data) => {
        said.push(data.toString());
        const text = answer(data.toString());
        if (text !== "") socket.write(text);
      },
    },
  });
  return { said, visits: () => visits, [Symbol.dispose]: () => void server.stop(true) };
}

const squatters: { readonly [kind: string]: (port: number, realPort: number) => Squatter } = {
  silent: (port) => listener(port, () => ""),
  "an echo": (port) => listener(port, (text) => text),
  "a web server": (port) =>
    listener(port, () => "HTTP/1.1 200 OK\r\nContent-Length: 2\r\nConnection: close\r\n\r\nhi"),
  "a relay to another host of the same key": relay,
};

async function serveAsync(port: number) {
  const host = Bun.spawn(box.command(["serve"], port), { env: box.env(), stdout: "pipe", stderr: "ignore" });
  hosts.push(host);
  await host.stdout.getReader().read();
  return host;
}

describe("a program that takes the port of a host that has ended", () => {
  test.each(Object.keys(squatters))(
    "learns nothing from plugin and commands: %s",
    async (kind) => {
      const realPort = freePort();
      const former = await serveAsync(box.port);
      await serveAsync(realPort);
      await box.headlessAsync();
      const [session] = await box.sessionsAsync();
      former.kill("SIGKILL");
      await former.exited;
      const squatter = squatters[kind]?.(box.port, realPort);
      if (squatter === undefined) throw new Error(kind);
      const { stdout, exitCode } = await box.sbAsync(["exec", "print('secret')", "--json"]);
      expect([exitCode, JSON.parse(stdout).error.code]).toEqual([
        1,
        kind === "silent" ? "HOST_UNREACHABLE" : "HOST_UNTRUSTED",
      ]);
      const before = squatter.visits();
      await untilAsync(
        "the plugin has looked who is there",
        () => squatter.visits() > before + 1 || undefined,
      );
      if (squatter.said.some((frame) => frame.startsWith("{")))
        await untilAsync(
          "the plugin has greeted",
          () => squatter.said.some((frame) => frame.includes('"role":"plugin"')) || undefined,
        );
      const words = squatter.said.join("\n");
      expect(words).not.toMatch(/secret|"auth"|"register"|Place1|HMAC/);
      using _ = box.enter();
      await using connection = await BridgeConnection.connectAsync({ port: realPort });
      expect((await connection.listSessionsAsync()).sessions).toEqual([]);
      squatter[Symbol.dispose]();
      await serveAsync(box.port);
      await untilAsync(
        "the session is back with its id",
        async () =>
          (await box.sessionsAsync()).some(({ sessionId }) => sessionId === session?.sessionId) || undefined,
      );
    },
    120_000,
  );
});

describe("a script of a place, which can speak to this machine as the plugin does", () => {
  const knock = (path: string, frames: readonly object[], headers: { readonly [name: string]: string }) => `
    local http = game:GetService("HttpService")
    local client = http:CreateWebStreamClient(Enum.WebStreamClientType.WebSocket, {
      Url = "ws://127.0.0.1:${box.port}${path}",
      Headers = http:JSONDecode([==[${JSON.stringify(headers)}]==]),
    })
    local got, isOver = {}, false
    client.MessageReceived:Connect(function(text) table.insert(got, text) end)
    client.Closed:Connect(function() isOver = true end)
    client.Error:Connect(function() isOver = true end)
    client.Opened:Connect(function()
      for _, frame in http:JSONDecode([==[${JSON.stringify(frames)}]==]) do client:Send(http:JSONEncode(frame)) end
    end)
    for _ = 1, 1000 do if isOver then break end task.wait(0.01) end
    return got, isOver`;

  const keyId = "0".repeat(16);
  const nonceA = "a1".repeat(32);
  const execute = { type: "execute", payload: { script: "workspace.Name = 'Taken'" } };
  const attempts: { readonly [name: string]: readonly [string, readonly object[]] } = {
    "as a client that skips the proof": [
      "/client",
      [
        { type: "list-sessions", sessionId: "", requestId: "l", payload: {} },
        {
          type: "host-envelope",
          sessionId: "",
          requestId: "e",
          payload: { requestId: "e", action: execute },
        },
      ],
    ],
    "as a client with a key of its own": [
      "/client",
      [
        { type: "hello", sessionId: "", protocolVersion: 2, payload: { role: "client", nonceA, keyId } },
        { type: "auth", sessionId: "", payload: { proof: "00".repeat(32) } },
        { type: "list-sessions", sessionId: "", requestId: "l", payload: {} },
      ],
    ],
    "as a plugin of version 1": ["/plugin", [{ type: "hello", payload: { sessionId: "mine" } }]],
    "as a plugin that begins with its registration": [
      "/plugin",
      [{ type: "register", sessionId: "", requestId: "r", payload: { instanceId: "mine" } }],
    ],
  };

  test.each(Object.keys(attempts))("gets nothing %s", async (name) => {
    await box.headlessAsync();
    const [path, frames] = attempts[name] ?? ["", []];
    const headers = { "User-Agent": "RobloxStudio/WinInet", "Roblox-Id": "1", Authorization: "Bearer 1" };
    const { stdout } = await box.sbAsync(["exec", knock(path, frames, headers), "--json"]);
    const [got, isOver] = JSON.parse(stdout).returnValues;
    const types = (Array.isArray(got) ? got : []).map((text) => {
      const { type, payload } = JSON.parse(String(text));
      return `${type} ${payload.code}`;
    });
    expect({ types: types.filter((type) => type !== "error UNPAIRED"), isOver }).toEqual({
      types: [],
      isOver: true,
    });
    expect((await box.sessionsAsync()).map(({ placeName }) => placeName)).toEqual(["Place1"]);
    expect((await box.sbAsync(["exec", "return workspace.Name"])).stdout).toBe("Workspace\n");
  });
});

describe("names that a place or its plugin chooses", () => {
  const names = [
    "../../out",
    "/etc/out",
    "CON",
    "a:b",
    "dots...",
    "nul\0byte",
    "\x1b[2J",
    "C:\\out",
    "~/out",
    "-rf",
    "$(out)",
  ];

  test.each(names)("are never part of a path, nor obeyed by the terminal: %j", async (name) => {
    const prover = createProver(await loadKeyAsync({ XDG_STATE_HOME: box.stateFolder }));
    const host = box.spawn(["serve"]);
    await host.stdout.getReader().read();
    using plugin = new ScriptedPlugin(box.port);
    await plugin.proveAsync(box.port, prover);
    await plugin.registerAsync({
      placeName: name,
      placeFile: name,
      instanceId: name,
      launchId: `managed-${name}`,
      capabilities: ["queryState", "captureScreenshot"],
    });
    const png = encodePng({ width: 2, height: 1, pixels: new Uint8Array([1, 2, 3, 255, 9, 8, 7, 255]) });
    plugin.on("captureScreenshot", (request) =>
      plugin.reply(request, "screenshotResult", { format: "png", width: 2, height: 1, data: png.toBase64() }),
    );
    plugin.on("queryState", (request) =>
      plugin.reply(request, "stateResult", { state: "Edit", placeName: name, placeId: 0, gameId: 0 }),
    );
    const temporary = join(box.folder, "tmp");
    await mkdir(temporary);
    const commands = [
      ["sessions"],
      ["state"],
      ["screenshot"],
      ["complete", "--", "exec", "--session", ""],
      ["close"],
    ];
    for (const words of commands) {
      const { stdout, stderr } = await box.sbAsync(words, { env: { TMPDIR: temporary } });
      expect({ words, said: /[\0-\x08\x0b-\x1f]/.test(stdout + stderr) }).toEqual({ words, said: false });
    }
    const files = await readdir(box.folder, { recursive: true });
    const known =
      /^(bin|bin\/ps|tmp|state|tmp\/studio-bridge(\/screenshot-[\d-]+\.png)?|state\/studio-bridge(\/(key|told-old-plugin|(host|left)-\d+\.json|journal(\/(calls|lines)-[\d-]+\.jsonl)?))?)$/;
    expect(files.filter((file) => !known.test(file))).toEqual([]);
    expect(files.filter((file) => file.endsWith(".png"))).toHaveLength(1);
  });

  test.skipIf(process.platform === "win32")(
    "and what it prints is shown on a screen, not obeyed",
    async () => {
      await box.headlessAsync("Clear\x1b[2Jed");
      await box.sbAsync(["exec", 'print("cleared \\27[2J, titled \\27]0;mine\\7, backed \\8\\8 up")']);
      let screen = "";
      const decoder = new TextDecoder();
      const show = async (words: readonly string[]) => {
        const child = Bun.spawn(box.command(words), {
          env: box.env({ TERM: "xterm-256color" }),
          terminal: {
            cols: 200,
            rows: 24,
            data: (_, bytes) => void (screen += decoder.decode(bytes, { stream: true })),
          },
        });
        await child.exited;
        child.terminal?.close();
      };
      for (const words of [["logs"], ["sessions"], ["state"]]) await show(words);
      for (const obeyed of ["\x1b[2J", "\x1b]0;", "\x07", "\x08"]) expect(screen).not.toContain(obeyed);
      expect(screen).toContain("cleared \\x1b[2J, titled \\x1b]0;mine\\x07, backed \\x08\\x08 up");
      expect(screen).toContain("Clear\\x1b[2Jed");
    },
  );
});
