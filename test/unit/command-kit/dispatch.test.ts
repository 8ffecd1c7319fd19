/** Commands through the one path, against a real bridge host; the plugin at the other end is scripted. */
import { describe, expect, test } from "bun:test";
import { join } from "node:path";
import type { Emission } from "../../../src/output/emission.ts";
import { dispatchAsync } from "../../../src/command-kit/dispatch.ts";
import { commands } from "../../../src/commands/index.ts";
import { plainStyle } from "../../../src/util/style.ts";
import { version } from "../../../src/version.ts";
import { ScriptedPlugin } from "../../peers/scripted-plugin.ts";
import { CommandWorld } from "./command-world.ts";

const world = new CommandWorld();

const succeeded = { success: true, returnValues: [], durationMs: 5 };

describe("exec", () => {
  test("shows lines as they come, then what the script returned", async () => {
    const { plugin } = await world.studioAsync();
    using _plugin = plugin;
    plugin.on("execute", (request) => {
      const messages = [
        { level: "Print", body: "one" },
        { level: "Warning", body: "two" },
      ];
      plugin.reply(request, "output", { messages, seq: 0 });
      plugin.reply(request, "scriptComplete", { ...succeeded, returnValues: [7, "x"], outputCount: 2 });
    });
    const caller = world.caller();
    const result = await caller.dispatchAsync("exec", { script: "print('one')" });
    expect(caller.shown).toEqual([
      { stream: "stdout", text: "one" },
      { stream: "stderr", text: "two" },
      { stream: "stdout", text: "7" },
      { stream: "stdout", text: "x" },
    ]);
    expect(result.failed).toBe(false);
    expect(result.output).toEqual({
      success: true,
      logs: [
        { level: "Print", body: "one" },
        { level: "Warning", body: "two" },
      ],
      returnValues: [7, "x"],
      durationMs: 5,
    });
  });

  test("reports a script's failure as a result that failed", async () => {
    const { plugin } = await world.studioAsync();
    using _plugin = plugin;
    plugin.on("execute", (request) => {
      const errorInfo = { code: "SCRIPT_RUNTIME_ERROR", line: 1 };
      const failure = { success: false, error: "exec:1: oops", errorInfo, returnValues: [], durationMs: 1 };
      plugin.reply(request, "scriptComplete", failure);
    });
    const caller = world.caller();
    const result = await caller.dispatchAsync("exec", { script: "error('oops')" });
    expect(result.failed).toBe(true);
    expect(caller.shown).toEqual([
      {
        stream: "stderr",
        text: "Script error: exec:1: oops\n  1 | error('oops')\n    | ^^^^^^^^^^^^^",
      },
    ]);
  });

  test("keeps what was printed before a timeout", async () => {
    const { plugin } = await world.studioAsync();
    using _plugin = plugin;
    plugin.on("execute", (request) => {
      plugin.reply(request, "output", { messages: [{ level: "Print", body: "so far" }], seq: 0 });
    });
    const failure = await world.caller().failureAsync("exec", { script: "x", timeoutMs: 900 });
    expect({ code: failure.code, message: failure.message, data: failure.data }).toEqual({
      code: "TIMEOUT",
      message: "Script execution timed out after 0.9 seconds.",
      data: { logs: [{ level: "Print", body: "so far" }] },
    });
  });

  test("is cancelled in Studio when the caller gives up", async () => {
    const { plugin } = await world.studioAsync();
    using _plugin = plugin;
    const caller = world.caller();
    const failure = caller.failureAsync("exec", { script: "task.wait(60)" });
    const request = await plugin.nextAsync("execute");
    caller.controller.abort();
    await plugin.nextAsync("cancel");
    plugin.reply(request, "error", { code: "CANCELLED", message: "Cancelled.", outcome: "ran_reply_lost" });
    expect(await failure).toMatchObject({ code: "CANCELLED" });
  });
});

describe("run", () => {
  test("reads every file before the first runs", async () => {
    await Bun.write(join(world.stateHome, "a.luau"), "print('a')");
    const failure = await world.caller().failureAsync("run", {
      files: [join(world.stateHome, "a.luau"), join(world.stateHome, "missing.luau")],
    });
    expect(failure.code).toBe("FILE_ERROR");
  });

  test("sends name, source and arguments, in order, and stops at the first failure", async () => {
    const { plugin } = await world.studioAsync();
    using _plugin = plugin;
    const files = ["a", "b", "c"].map((name) => join(world.stateHome, `${name}.luau`));
    for (const file of files) await Bun.write(file, `-- ${file}`);
    const requests: unknown[] = [];
    plugin.on("execute", (request) => {
      requests.push(request.payload);
      const success = requests.length < 2;
      plugin.reply(request, "scriptComplete", { ...succeeded, success, ...(success ? {} : { error: "no" }) });
    });
    const { failed, output } = await world.caller().dispatchAsync("run", { files, args: ["--x"] });
    expect(requests).toEqual(
      files.slice(0, 2).map((file) => ({
        script: `-- ${file}`,
        args: ["--x"],
        chunkName: file,
        timeoutMs: 120_000,
        interactive: false,
        keepsGlobals: false,
        emits: false,
        fresh: true,
        variables: [],
        caller: { id: expect.stringMatching(/^[0-9a-f]{16}$/), name: "sb", version, pid: process.pid },
      })),
    );
    expect(failed).toBe(true);
    expect(output).toMatchObject({ success: false, error: "no", durationMs: 10 });
  });

  test("takes stdin as a file", async () => {
    const { plugin } = await world.studioAsync();
    using _plugin = plugin;
    plugin.on("execute", (request) => plugin.reply(request, "scriptComplete", succeeded));
    const caller = world.caller();
    caller.stdin = "print(1)";
    const { output } = await caller.dispatchAsync("run", { files: ["-"] });
    expect(output).toMatchObject({ files: [{ file: "stdin", success: true, durationMs: 5 }] });
  });
});

describe("logs", () => {
  test("--follow streams what passes the filter, until the caller gives up", async () => {
    const { plugin, sessionId } = await world.studioAsync();
    using _plugin = plugin;
    plugin.on("subscribe", (request) => plugin.reply(request, "subscribeResult", { events: ["logPush"] }));
    plugin.on("unsubscribe", (request) =>
      plugin.reply(request, "unsubscribeResult", { events: ["logPush"] }),
    );
    const caller = world.caller();
    const seen = Promise.withResolvers<void>();
    const emit = caller.emit;
    const listening = dispatchAsync(
      (await commands.findAsync("logs")) ?? commandMissing(),
      { follow: true, levels: ["Warning"] },
      Object.assign(Object.create(caller), {
        emit: (emission: Emission) => {
          emit(emission);
          if (emission.json !== undefined) seen.resolve();
        },
      }),
    );
    const entries = [
      { level: "Print", body: "no", timestamp: 1 },
      { level: "Warning", body: "[StudioBridge] internal", timestamp: 2 },
      { level: "Warning", body: "yes", timestamp: 3 },
    ];
    const push = setInterval(() => plugin.send("logPush", { entries }, { sessionId }), 10);
    await seen.promise;
    clearInterval(push);
    caller.controller.abort();
    expect((await listening).output).toBeUndefined();
    expect(caller.json).toContainEqual({ level: "Warning", body: "yes", timestamp: 3 });
    expect(new Set(caller.shown.map(({ text }) => text))).toEqual(
      new Set(["(streaming, Ctrl+C to stop)", "+0.003s [Warning] yes"]),
    );
  });

  test("--follow says when the session ends", async () => {
    const { plugin, sessionId } = await world.studioAsync();
    using _plugin = plugin;
    plugin.on("subscribe", (request) => {
      plugin.reply(request, "subscribeResult", { events: ["logPush"] });
      plugin.send("unregister", {}, { sessionId });
    });
    const failure = await world.caller().failureAsync("logs", { follow: true });
    expect({ code: failure.code, message: failure.message }).toEqual({
      code: "SESSION_GONE",
      message: `Session ${sessionId} ended.`,
    });
  });
});

describe("query", () => {
  test("lists children without their insides", async () => {
    const { plugin } = await world.studioAsync();
    using _plugin = plugin;
    plugin.on("queryDataModel", (request) => {
      expect(request.payload).toMatchObject({ path: "game.Workspace", depth: 1 });
      const bare = { properties: {}, attributes: {}, childCount: 0 };
      const child = { name: "Camera", className: "Camera", path: "Workspace.Camera", ...bare };
      const instance = { name: "Workspace", className: "Workspace", path: "game.Workspace", ...bare };
      plugin.reply(request, "dataModelResult", {
        instance: { ...instance, childCount: 1, children: [child] },
      });
    });
    const result = await world.caller().dispatchAsync("query", { path: "Workspace", children: true });
    expect(result.output).toEqual({
      children: [{ name: "Camera", className: "Camera", path: "Workspace.Camera" }],
    });
    expect(JSON.parse(result.text(plainStyle))).toEqual([{ name: "Camera", className: "Camera" }]);
  });
});

describe("before anything is asked", () => {
  test("input is checked", async () => {
    const failure = await world.caller().failureAsync("exec", {
      script: 3,
      context: "space",
      extra: true,
    });
    expect(failure.message).toBe('context: expected edit, server or client, got "space"');
    const own = await world.caller().failureAsync("exec", { script: 3, extra: true });
    expect(own.message).toBe('script: expected string, received number; unknown argument "extra"');
  });

  test("a Studio of one's own cannot be chosen among others", async () => {
    const caller = Object.assign(world.caller(), { headless: true });
    const failure = await caller.failureAsync("exec", { script: "x", sessionId: "a" });
    expect(failure.message).toBe("Cannot use --headless with --session or --instance.");
    const remote = Object.assign(world.caller(), { headless: true, isRemote: true });
    expect((await remote.failureAsync("exec", { script: "x" })).message).toBe(
      "Cannot start a headless Studio with --remote.",
    );
  });

  test("no Studio is an error with the choices", async () => {
    const failure = await world.caller().failureAsync("state", {});
    expect(failure.code).toBe("NO_SESSION");
    expect(failure.hint).toContain("--headless");
  });

  test("a command that ends a Studio does not say how to open one", async () => {
    const failure = await world.caller().failureAsync("close", {});
    expect({ code: failure.code, hint: failure.hint }).toEqual({
      code: "NO_SESSION",
      hint: "There is nothing to close: sb has started no Studio that is still running.",
    });
  });

  test("several Studios are told apart", async () => {
    const { plugin: first } = await world.studioAsync({ instanceId: "window-1" });
    const { plugin: second, sessionId } = await world.studioAsync({ instanceId: "window-2" });
    using _first = first;
    using _second = second;
    expect((await world.caller().failureAsync("state", {})).code).toBe("AMBIGUOUS_SESSION");
    const state = { state: "Edit", placeName: "Second", placeId: 0, gameId: 0 };
    second.on("queryState", (request) => second.reply(request, "stateResult", state));
    const { output, text } = await world.caller().dispatchAsync("state", {
      sessionId: sessionId.slice(0, 12),
    });
    expect(output).toEqual(state);
    expect(text(plainStyle)).toBe("Place:    Second\nPlaceId:  0\nGameId:   0\nMode:     Edit");
  });

  test("a plugin without the key is named", async () => {
    using stranger = new ScriptedPlugin(world.port);
    await stranger.openAsync();
    stranger.send("hello", { role: "plugin", nonceA: "ab".repeat(32) }, { protocolVersion: 2 });
    await stranger.closed;
    expect((await world.caller().failureAsync("exec", { script: "x" })).code).toBe("UNPAIRED");
  });
});

function commandMissing(): never {
  throw new Error("no such command");
}

describe("--context server of a Studio that plays", () => {
  const playing = { state: "Play" } as const;
  const input = { script: "return", context: "server" };

  test("waits for the server that is on its way", async () => {
    const { plugin } = await world.studioAsync(playing);
    using _plugin = plugin;
    const executed = Promise.withResolvers<string>();
    plugin.on("execute", (request) => {
      executed.resolve(request.sessionId);
      plugin.reply(request, "scriptComplete", { ...succeeded, outputCount: 0 });
    });
    const running = world.caller().dispatchAsync("exec", input);
    await Bun.sleep(20);
    const server = await plugin.registerAsync({ ...playing, context: "server" });
    expect(await executed.promise).toBe(server);
    await running;
  });

  test("hears that Studio is in edit mode when play ends meanwhile", async () => {
    const { plugin, sessionId } = await world.studioAsync(playing);
    using _plugin = plugin;
    const failing = world.caller().failureAsync("exec", input);
    await Bun.sleep(20);
    plugin.send("stateChange", { previousState: "Play", newState: "Edit", timestamp: 1 }, { sessionId });
    expect((await failing).code).toBe("CONTEXT_UNAVAILABLE");
  });
});
