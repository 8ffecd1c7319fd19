/** The compiled sb among older and newer peers, and among those without a key. */
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { join } from "node:path";
import { createProver, loadKeyAsync } from "../../src/auth/index.ts";
import type { Prover } from "../../src/auth/index.ts";
import { randomHex } from "../../src/util/random-hex.ts";
import { Sandbox, untilAsync } from "../harness.ts";
import { exampleRegister, ScriptedPlugin } from "../peers/scripted-plugin.ts";

/** What the first command of a build says when Studio has a plugin of another build. */
const OLD_PLUGIN =
  "The plugin in Studio is of another build than this sb. Run `sb install-plugin` and restart Studio.\n";

let box: Sandbox;
let prover: Prover;
beforeEach(async () => {
  box = await Sandbox.createAsync();
  prover = createProver(await loadKeyAsync({ XDG_STATE_HOME: box.stateFolder }));
});
afterEach(() => box[Symbol.asyncDispose]());

async function serveAsync(...flags: string[]) {
  const host = box.spawn(["serve", ...flags]);
  await host.stdout.getReader().read();
  return host;
}

/** A frame as a peer of any version writes it. */
const frameOf = (type: string, payload: object, header: object = {}) =>
  JSON.stringify({ type, sessionId: "", payload, ...header });

async function openAsync(path?: string): Promise<ScriptedPlugin> {
  const peer = new ScriptedPlugin(box.port, path);
  await peer.openAsync();
  return peer;
}

/** The whole handshake in another version of the protocol; the version that the host then speaks. */
async function proveAsync(peer: ScriptedPlugin, role: "plugin" | "client", protocolVersion: number) {
  const nonceA = randomHex(32);
  const news = { fromTheFuture: { nested: [1] } };
  peer.sendRaw(frameOf("hello", { role, nonceA, keyId: prover.keyId(role), ...news }, { protocolVersion }));
  const { nonceB, hostId, proof } = Object((await peer.nextAsync("challenge")).payload);
  const claim = { role, port: box.port, nonceA, nonceB, hostId };
  expect(proof).toBe(prover.prove({ side: "host", ...claim }));
  peer.sendRaw(frameOf("auth", { proof: prover.prove({ side: "peer", ...claim }), ...news }));
  return Object((await peer.nextAsync("welcome")).payload).protocolVersion;
}

/** Runs every script by saying its text back. */
function answerScripts(plugin: ScriptedPlugin): void {
  plugin.on("execute", (request) => {
    const { sessionId, requestId, payload } = request;
    const id = requestId === undefined ? {} : { requestId };
    const messages = [{ level: "Print", body: Object(payload).script, timestamp: 1 }];
    plugin.sendRaw(frameOf("output", { messages }, { sessionId, ...id }));
    plugin.sendRaw(frameOf("scriptComplete", { success: true }, { sessionId, ...id }));
  });
}

describe("a plugin", () => {
  test.each([1, 2, 3])("that holds the key and speaks version %i is served", async (protocolVersion) => {
    await serveAsync();
    using plugin = await openAsync();
    expect(await proveAsync(plugin, "plugin", protocolVersion)).toBe(Math.min(2, protocolVersion));
    plugin.sendRaw(frameOf("newsFromTheFuture", { anything: true }));
    plugin.sendRaw(frameOf("register", { ...exampleRegister, later: 1 }, { requestId: "r", later: 2 }));
    await plugin.nextAsync("registered");
    plugin.sendRaw(frameOf("newsFromTheFuture", { anything: true }, { requestId: "x" }));
    answerScripts(plugin);
    expect(await box.sbAsync(["exec", "hello"])).toEqual({
      stdout: "hello\n",
      stderr: OLD_PLUGIN,
      exitCode: 0,
    });
  });

  test("of another build is told by sessions and doctor, with the next step", async () => {
    await serveAsync();
    const { plugin } = await ScriptedPlugin.connectAsync(box.port, prover, { buildId: "older" });
    using _ = plugin;
    plugin.on("queryState", (request) =>
      plugin.reply(request, "stateResult", { state: "Edit", placeName: "Baseplate", placeId: 0, gameId: 0 }),
    );
    const first = await box.sbAsync(["sessions"]);
    expect(first.stdout).toContain(
      "A plugin is of another build than the bridge host: `sb doctor` says what to do.",
    );
    expect(first.stderr).toBe(OLD_PLUGIN);
    expect((await box.sbAsync(["sessions"])).stderr).toBe("");
    expect((await box.sbAsync(["doctor"])).stdout).toContain("another build of the plugin than the host's");
  });

  test("of this very build is not", async () => {
    await box.headlessAsync();
    expect((await box.sbAsync(["sessions"])).stdout).not.toContain("another build");
  });
});

describe("a plugin without the key", () => {
  const version1 = () => frameOf("hello", { sessionId: "old-plugin" });
  const version2 = () => frameOf("register", exampleRegister, { requestId: "r", protocolVersion: 2 });

  test("is turned away, and listed", async () => {
    await serveAsync();
    using old = await openAsync();
    old.sendRaw(version1());
    expect(Object((await old.nextAsync("error")).payload).code).toBe("UNPAIRED");
    expect(await old.closed).toBe(4401);
    using bare = await openAsync();
    bare.sendRaw(version2());
    expect(await bare.nextAsync("error")).toMatchObject({
      requestId: "r",
      payload: { code: "UNPAIRED", message: expect.stringContaining("sb install-plugin") },
    });
    expect(await bare.closed).toBe(4401);
    const { stdout } = await box.sbAsync(["sessions"]);
    expect(stdout).toContain("No active sessions.");
    expect(stdout).toContain("A plugin without this machine's key tried to connect: run `sb install-plugin`");
  });

  test.each([
    ["1", version1],
    ["2", version2],
  ])("works behind --allow-unpaired: version %s", async (_, firstFrame) => {
    const host = await serveAsync("--allow-unpaired");
    using plugin = await openAsync();
    answerScripts(plugin);
    plugin.sendRaw(firstFrame());
    await plugin.nextAsync("welcome");
    const answer = { stdout: "hello\n", stderr: OLD_PLUGIN, exitCode: 0 };
    expect(await box.sbAsync(["exec", "hello"])).toEqual(answer);
    const stranger = { XDG_STATE_HOME: join(box.folder, "stranger") };
    expect(await box.sbAsync(["exec", "hello", "--allow-unpaired"], { env: stranger })).toEqual(answer);
    expect((await box.sbAsync(["exec", "hello"], { env: stranger })).exitCode).toBe(1);
    host.kill("SIGINT");
    expect(await host.stderr.text()).toContain("Anybody who reaches this bridge host is let in");
  });
});

describe("a client", () => {
  test.each([1, 3])("of version %i is served", async (protocolVersion) => {
    await box.headlessAsync();
    using client = await openAsync("/client");
    expect(await proveAsync(client, "client", protocolVersion)).toBe(Math.min(2, protocolVersion));
    client.sendRaw(frameOf("newsFromTheFuture", {}, { requestId: "n" }));
    client.sendRaw(frameOf("list-sessions", { later: 1 }, { requestId: "l" }));
    const { payload } = await client.nextAsync("list-sessions-response");
    expect(Object(payload).sessions).toHaveLength(1);
  });
});

describe("a host", () => {
  /** Proves itself, welcomes in its version of the protocol, and lists one session. */
  function hostOf(protocolVersion: number, session: object, extra: object) {
    const [nonceB, hostId] = [randomHex(32), "other"];
    const answers: { readonly [type: string]: (payload: { nonceA: string }, requestId: string) => string } = {
      hello: ({ nonceA }) => {
        const claim = { side: "host", role: "client", port: box.port, nonceA, nonceB, hostId } as const;
        return frameOf("challenge", { nonceB, hostId, proof: prover.prove(claim), ...extra });
      },
      auth: () => frameOf("welcome", { serverVersion: "9.9.9", protocolVersion, ...extra }),
      "list-sessions": (_, requestId) =>
        frameOf("list-sessions-response", { requestId, sessions: [session], ...extra }, { requestId }),
    };
    return Bun.serve({
      hostname: "127.0.0.1",
      port: box.port,
      fetch: (request, server) => (server.upgrade(request) ? undefined : new Response("")),
      websocket: {
        message: (socket, text) => {
          const { type, payload, requestId } = JSON.parse(String(text));
          const answer = answers[type];
          if (answer === undefined) return;
          if (type === "list-sessions") socket.send(frameOf("newsFromTheFuture", extra));
          socket.send(answer(payload, requestId));
        },
      },
    });
  }

  const session = {
    ...{ sessionId: "s1", instanceId: "w", context: "edit", placeName: "Elsewhere", placeId: 0, gameId: 0 },
    ...{ state: "Edit", origin: "user", health: "ok", pluginVersion: "0.1", uptimeMs: 1 },
    connectedAt: "2026-01-02T03:04:05.000Z",
  };

  test.each([
    ["older", 1, { ...session, capabilities: ["execute"] }, {}],
    ["newer", 2, { ...session, capabilities: ["execute", "dance"], mood: 1 }, { later: { nested: [1] } }],
  ])("that is %s is understood", async (_, version, listed, extra) => {
    using _host = hostOf(version, listed, extra);
    expect((await box.sessionsAsync()).map(({ placeName }) => placeName)).toEqual(["Elsewhere"]);
  });
});

describe("an older host", () => {
  const serveOlderAsync = async () => {
    const serveHost = join(import.meta.dir, "../peers/serve-host.ts");
    const host = Bun.spawn([process.execPath, serveHost, String(box.port), "60000", "0.0.1"], {
      env: box.env(),
    });
    await untilAsync("the older host answers", async () => {
      const health = await fetch(`http://127.0.0.1:${box.port}/health`).catch(() => undefined);
      return health?.ok;
    });
    return host;
  };

  test("that is idle makes room for a newer one", async () => {
    const older = await serveOlderAsync();
    await box.headlessAsync();
    expect(await older.exited).toBe(0);
    expect((await box.sbAsync(["exec", "print('new')"])).stdout).toBe("new\n");
  }, 120_000);

  test("that is busy finishes its work first", async () => {
    const older = await serveOlderAsync();
    using plugin = new ScriptedPlugin(box.port);
    await plugin.proveAsync(box.port, prover);
    await plugin.registerAsync();
    const { promise: asked, resolve } = Promise.withResolvers<() => void>();
    plugin.on("execute", (request) =>
      resolve(() => plugin.reply(request, "scriptComplete", { success: true })),
    );
    using user = await openAsync("/client");
    await proveAsync(user, "client", 2);
    user.sendRaw(frameOf("list-sessions", {}, { requestId: "l" }));
    const { payload } = await user.nextAsync("list-sessions-response");
    const targetSessionId = Object(payload).sessions[0].sessionId;
    const body = {
      requestId: "e",
      targetSessionId,
      timeoutMs: 20_000,
      action: { type: "execute", payload: { script: "x" } },
    };
    user.sendRaw(frameOf("host-envelope", body, { requestId: "e" }));
    const finish = await asked;
    expect((await box.sbAsync(["sessions"])).stdout).toContain("1 session connected.");
    expect(older.exitCode).toBe(null);
    finish();
    expect(Object((await user.nextAsync("host-response")).payload).result).toMatchObject({
      type: "scriptComplete",
    });
    older.kill();
    await older.exited;
  }, 120_000);
});
