/** What a client's connection does for its caller: calls and their ends, waiting for sessions, pushes. */
import { describe, expect, test } from "bun:test";
import type { SessionPush } from "../../../src/bridge/index.ts";
import { encode } from "../../../src/protocol/codec.ts";
import type { SessionInfo } from "../../../src/protocol/network.ts";
import { ScriptedPlugin } from "../../peers/scripted-plugin.ts";
import { connectedWorldAsync } from "./connected-world.ts";
import { failureAsync } from "./real-world.ts";

describe("a connection", () => {
  test("knows its host and lists its sessions", async () => {
    await using setup = await connectedWorldAsync();
    const { connection, host, sessionId } = setup;
    const { sessions, unpaired } = await connection.listSessionsAsync();
    expect({
      port: connection.port,
      hostId: connection.hostId,
      ids: sessions.map((each) => each.sessionId),
      unpaired,
    }).toEqual({
      port: host.port,
      hostId: host.hostId,
      ids: [sessionId],
      unpaired: [],
    });
  });

  test("knows its sessions from the welcome on and hears what changes, without asking", async () => {
    await using setup = await connectedWorldAsync();
    const { connection, host, world, plugin, sessionId } = setup;
    const idsAsync = async () => (await connection.sessionsAsync()).map((each) => each.sessionId);
    const asked = idsAsync();
    // No frame comes in while only promises settle.
    for (let turn = 0; turn < 10; turn += 1) await Promise.resolve();
    expect(Bun.peek(asked)).toEqual([sessionId]);
    const later = await ScriptedPlugin.connectAsync(host.port, world.prover, { instanceId: "w2" });
    using _ = later.plugin;
    await connection.waitForSessionAsync((each) => each.sessionId === later.sessionId, { timeoutMs: 30_000 });
    expect(await idsAsync()).toEqual([sessionId, later.sessionId]);
    const gone = Promise.withResolvers<void>();
    connection.onSessionEvent(({ event }) => event === "disconnected" && gone.resolve());
    plugin.send("unregister", {}, { sessionId });
    await gone.promise;
    expect(await idsAsync()).toEqual([later.sessionId]);
  });

  test("carries a call, its output while it runs, and its result", async () => {
    await using setup = await connectedWorldAsync();
    const { plugin, session } = setup;
    const lines: string[] = [];
    const call = session.callAsync(
      "execute",
      { script: "print('hi')", args: ["a"] },
      {
        timeoutMs: 7_000,
        onOutput: (messages) => lines.push(...messages.map(({ body }) => body)),
      },
    );
    const request = await plugin.nextAsync("execute");
    expect(request.payload).toEqual({
      script: "print('hi')",
      args: ["a"],
      chunkName: "Script",
      timeoutMs: 7_000,
      interactive: false,
      keepsGlobals: false,
      emits: false,
      fresh: false,
      variables: [],
    });
    const messages = [{ level: "Print", body: "hi" }];
    plugin.reply(request, "output", { messages, seq: 0 });
    plugin.reply(request, "scriptComplete", {
      success: true,
      returnValues: [1.5],
      durationMs: 2,
      outputCount: 1,
    });
    expect({ result: await call, lines }).toEqual({
      result: { success: true, returnValues: [1.5], durationMs: 2, outputCount: 1 },
      lines: ["hi"],
    });
  });

  test("tells many calls apart whatever the order of the answers", async () => {
    await using setup = await connectedWorldAsync();
    const { plugin, session } = setup;
    const scripts = Array.from({ length: 64 }, (_, index) => `return ${index}`);
    const calls = scripts.map((script) => session.callAsync("execute", { script }));
    const requests = await Promise.all(scripts.map(() => plugin.nextAsync("execute")));
    for (const request of requests.reverse())
      plugin.reply(request, "scriptComplete", {
        success: true,
        returnValues: [Object(request.payload).script],
      });
    expect((await Promise.all(calls)).map(({ returnValues }) => returnValues[0])).toEqual(scripts);
  });

  test("carries eight megabytes in chunks with pings in between", async () => {
    await using setup = await connectedWorldAsync();
    const { plugin, session } = setup;
    const call = session.callAsync("execute", { script: "x" });
    const { sessionId, requestId = "" } = await plugin.nextAsync("execute");
    const big = 'é\u0000"'.repeat(1_000_000);
    const text = encode({
      type: "scriptComplete",
      sessionId,
      requestId,
      payload: { success: true, returnValues: [big] },
    });
    const total = Math.ceil(text.length / 262_144);
    for (let seq = 0; seq < total; seq += 1)
      plugin.send(
        "chunk",
        { seq, total, data: text.slice(seq * 262_144, (seq + 1) * 262_144) },
        { sessionId, requestId },
      );
    expect((await call).returnValues[0] === big).toBe(true);
  });

  test("rejects with the plugin's error, code, words and outcome", async () => {
    await using setup = await connectedWorldAsync();
    const { plugin, session } = setup;
    const call = failureAsync(session.callAsync("queryDataModel", { path: "Workspace.Nope" }));
    const request = await plugin.nextAsync("queryDataModel");
    expect(request.payload).toEqual({
      path: "Workspace.Nope",
      depth: 0,
      includeAttributes: false,
      allProperties: false,
      listServices: false,
    });
    plugin.reply(request, "error", {
      code: "INSTANCE_NOT_FOUND",
      message: "No instance there.",
      details: { at: 1 },
    });
    const { code, message, outcome, data } = await call;
    expect({ code, message, outcome, data }).toEqual({
      code: "INSTANCE_NOT_FOUND",
      message: "No instance there.",
      outcome: undefined,
      data: { details: { at: 1 } },
    });
  });

  test("refuses a reply that breaks the contract and names the place", async () => {
    await using setup = await connectedWorldAsync();
    const { plugin, session, sessionId } = setup;
    const call = failureAsync(session.callAsync("queryState", {}));
    const { requestId = "" } = await plugin.nextAsync("queryState");
    plugin.sendRaw(
      encode({
        type: "stateResult",
        sessionId,
        requestId,
        payload: { state: "Asleep", placeName: "", placeId: 0, gameId: 0 },
      }),
    );
    const error = await call;
    expect({ code: error.code, outcome: error.outcome }).toEqual({
      code: "INVALID_PAYLOAD",
      outcome: "ran_reply_lost",
    });
    expect(error.message).toContain("payload.state");
  });

  test("ends a call at its deadline, exactly once, and the next one works", async () => {
    await using setup = await connectedWorldAsync();
    const { plugin, session } = setup;
    const error = await failureAsync(session.callAsync("queryState", {}, { timeoutMs: 100 }));
    expect({ code: error.code, outcome: error.outcome }).toEqual({ code: "TIMEOUT", outcome: "unknown" });
    plugin.reply(await plugin.nextAsync("queryState"), "stateResult", {
      state: "Edit",
      placeName: "late",
      placeId: 0,
      gameId: 0,
    });
    const next = session.callAsync("queryState", {});
    plugin.reply(await plugin.nextAsync("queryState"), "stateResult", {
      state: "Edit",
      placeName: "next",
      placeId: 0,
      gameId: 0,
    });
    expect((await next).placeName).toBe("next");
  });

  test("cancels by signal, before and while a call runs", async () => {
    await using setup = await connectedWorldAsync();
    const { plugin, session } = setup;
    const early = await failureAsync(
      session.callAsync("execute", { script: "x" }, { signal: AbortSignal.abort() }),
    );
    const abort = new AbortController();
    const call = failureAsync(session.callAsync("execute", { script: "y" }, { signal: abort.signal }));
    const request = await plugin.nextAsync("execute");
    abort.abort();
    const cancel = await plugin.nextAsync("cancel");
    plugin.reply(request, "error", { code: "CANCELLED", message: "Cancelled.", outcome: "unknown" });
    const late = await call;
    expect([early, late].map(({ code, outcome }) => ({ code, outcome }))).toEqual([
      { code: "CANCELLED", outcome: "not_started" },
      { code: "CANCELLED", outcome: "unknown" },
    ]);
    expect({
      script: Object(request.payload).script,
      isSame: cancel.requestId === request.requestId,
    }).toEqual({
      script: "y",
      isSame: true,
    });
  });

  test("that ends while its script runs has it cancelled", async () => {
    await using setup = await connectedWorldAsync();
    const { connection, plugin, session } = setup;
    const call = failureAsync(session.callAsync("execute", { script: "x" }));
    const request = await plugin.nextAsync("execute");
    await connection[Symbol.asyncDispose]();
    expect({ code: (await call).code, cancelled: (await plugin.nextAsync("cancel")).requestId }).toEqual({
      code: "HOST_UNREACHABLE",
      cancelled: request.requestId ?? "",
    });
  });

  test("gets the real reply of a script whose plugin lost its link in between", async () => {
    await using setup = await connectedWorldAsync();
    const { host, plugin, session, sessionId, world } = setup;
    const call = session.callAsync("execute", { script: "x" });
    const { requestId = "" } = await plugin.nextAsync("execute");
    plugin.cut();
    using back = new ScriptedPlugin(host.port);
    await back.proveAsync(host.port, world.prover);
    expect(await back.registerAsync({ previousSessionId: sessionId })).toBe(sessionId);
    const asked = await back.nextAsync("await");
    back.reply(asked, "scriptComplete", { success: true, returnValues: ["done"] });
    expect({ asked: asked.requestId, values: (await call).returnValues }).toEqual({
      asked: requestId,
      values: ["done"],
    });
  });

  test("waits for a session that is there, that comes, and that never comes", async () => {
    await using setup = await connectedWorldAsync();
    const { connection, host, world, sessionId } = setup;
    const named = (placeName: string) => (session: SessionInfo) => session.placeName === placeName;
    const present = await connection.waitForSessionAsync(named("Baseplate"), { timeoutMs: 30_000 });
    const waiting = connection.waitForSessionAsync(named("Later"), { timeoutMs: 30_000 });
    await connection.listSessionsAsync();
    const later = await ScriptedPlugin.connectAsync(host.port, world.prover, {
      instanceId: "w2",
      placeName: "Later",
    });
    using _ = later.plugin;
    const come = await waiting;
    const never = await connection.waitForSessionAsync(named("Never"), { timeoutMs: 20 });
    const aborted = connection.waitForSessionAsync(named("Never"), {
      timeoutMs: 5_000,
      signal: AbortSignal.abort("enough"),
    });
    expect({
      present: present?.sessionId,
      come: come?.sessionId,
      never,
      aborted: await aborted.catch((reason) => reason),
    }).toEqual({
      present: sessionId,
      come: later.sessionId,
      never: null,
      aborted: "enough",
    });
  });

  test("stops waiting for a session when the host goes", async () => {
    await using setup = await connectedWorldAsync();
    const waiting = failureAsync(setup.connection.waitForSessionAsync(() => false, { timeoutMs: 30_000 }));
    await setup.host.stopAsync();
    expect((await waiting).code).toBe("HOST_UNREACHABLE");
  }, 120_000);

  test("gets pushes until it has enough of them", async () => {
    await using setup = await connectedWorldAsync();
    const { plugin, session, sessionId } = setup;
    plugin.on("subscribe", (request) => plugin.reply(request, "subscribeResult", request.payload));
    const first = Promise.withResolvers<SessionPush>();
    const subscription = await session.subscribeAsync(["logPush"], first.resolve);
    const entries = [{ level: "Warning", body: "careful", timestamp: 12 }];
    plugin.send("logPush", { entries }, { sessionId });
    expect<unknown>(await first.promise).toEqual({ event: "logPush", payload: { entries } });
    await subscription[Symbol.asyncDispose]();
    expect((await plugin.nextAsync("unsubscribe")).payload).toEqual({ events: ["logPush"] });
  });
});
