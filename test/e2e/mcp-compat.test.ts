/** `sb mcp --tools compat` against a headless Studio: the tools of other Studio servers, by their names and schemas. */
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { Sandbox, untilAsync } from "../harness.ts";
import { McpPeer } from "../peers/mcp-peer.ts";

// A play test starts a Studio of its own, twice with a client.
setDefaultTimeout(120_000);

let box: Sandbox;
let peer: McpPeer;
beforeAll(async () => {
  box = await Sandbox.createAsync();
  await box.headlessAsync();
  peer = new McpPeer(box, ["--tools", "compat"]);
  await peer.initializeAsync();
});
afterAll(async () => {
  await peer[Symbol.asyncDispose]();
  await box[Symbol.asyncDispose]();
});

async function callAsync(name: string, args: { [key: string]: unknown } = {}) {
  const { content, isError = false } = Object(await peer.toolAsync(name, args));
  return { text: String(content[0].text), isError };
}

/** Of an answer that went well. */
async function textAsync(name: string, args: { [key: string]: unknown } = {}): Promise<string> {
  const { text, isError } = await callAsync(name, args);
  if (isError) throw new Error(`${name} failed: ${text}`);
  return text;
}

/** Of an answer that says why not. */
async function refusalAsync(name: string, args: { [key: string]: unknown } = {}) {
  const { text, isError } = await callAsync(name, args);
  if (!isError) throw new Error(`${name} did not fail: ${text}`);
  return JSON.parse(text);
}

const listAsync = async (of = peer) => Object((await of.requestAsync("tools/list"))["result"]).tools;

describe("the list", () => {
  test("has these names, with these parameters", async () => {
    const shapes = (await listAsync()).map(({ name, inputSchema }: { name: string; inputSchema: object }) => {
      const { type, properties, required = [], ...rest } = Object(inputSchema);
      const kinds = Object.entries(properties).map(([key, schema]) => {
        const { type: kind, enum: values } = Object(schema);
        return [key, values ?? kind];
      });
      return [name, type, Object.fromEntries(kinds), required, rest];
    });
    const plays = ["start_play", "run_server"];
    expect(shapes).toEqual([
      ["run_code", "object", { command: "string" }, ["command"], {}],
      ["insert_model", "object", { query: "string" }, ["query"], {}],
      ["get_console_output", "object", {}, [], {}],
      ["get_studio_mode", "object", {}, [], {}],
      ["start_stop_play", "object", { mode: [...plays, "stop"] }, ["mode"], {}],
      [
        "run_script_in_play_mode",
        "object",
        { code: "string", timeout: "integer", mode: plays },
        ["code", "mode"],
        {},
      ],
      ["get_script", "object", { id: "string", fsPath: "string", fromDraft: "boolean" }, [], {}],
      [
        "atlas_sync",
        "object",
        { mode: ["standard", "manual", "fastfail", "dryrun"], overrides: "array" },
        [],
        {},
      ],
    ]);
  });

  test("leaves out tools that change something, with --read-only", async () => {
    await using reader = new McpPeer(box, ["--tools", "compat", "--read-only"]);
    await reader.initializeAsync();
    expect((await listAsync(reader)).map(({ name }: { name: string }) => name)).toEqual([
      "get_console_output",
      "get_studio_mode",
      "get_script",
    ]);
  });

  test("comes with words of its own, and without prompts", async () => {
    await using other = new McpPeer(box, ["--tools", "compat"]);
    const { result } = Object(await other.initializeAsync());
    expect(result.instructions).toContain("run_code");
    expect(result.instructions).not.toContain("studio_");
    expect(result.capabilities).not.toHaveProperty("prompts");
  });

  test("wins over tools of a project that have the same name", async () => {
    await using own = await Sandbox.createAsync();
    const tools = { run_code: { command: "echo no" }, greet: { command: "echo hello" } };
    await own.writeAsync("sb.config.json", JSON.stringify({ tools }));
    const served = new McpPeer(own, ["--tools", "compat"]);
    await served.initializeAsync();
    const names = (await listAsync(served)).map(({ name }: { name: string }) => name);
    expect(names.filter((name: string) => name === "run_code")).toHaveLength(1);
    expect(names).toContain("greet");
    await served.endAsync();
    expect(await served.stderr.text()).toContain("run_code is left out");
  });
});

test("run_code shows lines, values and errors, and get_console_output what was printed since", async () => {
  const command = 'print("hi") warn("careful") return 1, { a = 2 }';
  expect(await textAsync("run_code", { command })).toBe(
    "[OUTPUT] hi\n[WARNING] careful\n[RETURNED RESULTS] 1\n[RETURNED RESULTS] {a = 2}",
  );
  expect(await textAsync("get_console_output")).toBe("hi\n[WARNING] careful");
  expect(await textAsync("run_code", { command: 'print("x") error("boom")' })).toBe(
    "[OUTPUT] x\n[UNEXPECTED ERROR] Script:1: boom",
  );
  expect(await textAsync("get_console_output")).toBe("x");
  expect(await textAsync("run_code", { command: "local nothing" })).toBe("(nothing was printed or returned)");
  expect(await textAsync("get_console_output")).toBe("(nothing was printed since)");
});

test("a play test is started, recognised and stopped", async () => {
  expect(await textAsync("get_studio_mode")).toBe("stop");
  expect(await textAsync("start_stop_play", { mode: "stop" })).toBe("Already stopped");
  expect(await textAsync("start_stop_play", { mode: "start_play" })).toBe("Started play");
  expect(await textAsync("get_studio_mode")).toBe("start_play");
  expect(await textAsync("start_stop_play", { mode: "start_play" })).toBe("Already in play mode");
  for (const [name, args] of [
    ["start_stop_play", { mode: "run_server" }],
    ["run_script_in_play_mode", { mode: "run_server", code: "return 1" }],
  ] as const)
    expect(await refusalAsync(name, args)).toMatchObject({
      error: "Studio is not in edit mode: start_play.",
      hint: "Stop it first with start_stop_play.",
    });
  await textAsync("run_code", { command: 'print("edited")' });
  expect(await textAsync("get_console_output")).toBe("edit: edited");
  expect(await textAsync("start_stop_play", { mode: "stop" })).toBe("Stopped");
  expect(await textAsync("start_stop_play", { mode: "run_server" })).toBe("Ran server");
  expect(await textAsync("get_studio_mode")).toBe("run_server");
  expect(await textAsync("start_stop_play", { mode: "stop" })).toBe("Stopped");
  expect(await textAsync("get_studio_mode")).toBe("stop");
});

test("get_console_output shows each line of a play test once, while it plays and when it is over", async () => {
  const command = `
    local script = Instance.new("Script")
    script.Source, script.Name = 'print("from the game")', "Printer"
    script.Parent = game:GetService("ServerScriptService")`;
  await textAsync("run_code", { command });
  await textAsync("start_stop_play", { mode: "start_play" });
  const printed = await untilAsync("the game prints", async () => {
    const text = await textAsync("get_console_output");
    return text.includes("from the game") ? text : undefined;
  });
  expect(printed).toBe("server: from the game");
  await textAsync("start_stop_play", { mode: "stop" });
  expect(await textAsync("get_console_output")).toBe("server: from the game");
  await textAsync("run_code", { command: "game.ServerScriptService.Printer:Destroy()" });
});

describe("run_script_in_play_mode", () => {
  const runAsync = async (code: string, mode: string, more = {}) =>
    JSON.parse(await textAsync("run_script_in_play_mode", { code, mode, ...more }));

  test("runs on the server, with a client, and gives what was printed there", async () => {
    const players = `local Players = game:GetService("Players") if #Players:GetPlayers() == 0 then Players.PlayerAdded:Wait() end`;
    const code = `print("here", game:GetService("RunService"):IsServer()) warn("w") ${players} return #Players:GetPlayers()`;
    const result = await runAsync(code, "start_play");
    expect(result).toMatchObject({ success: true, value: "1", isTimeout: false });
    const told = (logs: { level: string; message: string }[]) =>
      logs.map(({ level, message }) => `${level}: ${message}`);
    expect(told(result.logs)).toEqual(["output: here true", "warning: w"]);
    expect(told(result.errors)).toEqual(["warning: w"]);
    expect(result.duration).toBeGreaterThan(0);
  });

  test("tells an error, and a script that takes too long", async () => {
    expect(await runAsync('print("x") error("oh")', "run_server")).toMatchObject({
      success: false,
      error: "Script:1: oh",
      logs: [{ message: "x" }],
      isTimeout: false,
    });
    expect(await runAsync("while true do task.wait() end", "run_server", { timeout: 1 })).toMatchObject({
      success: false,
      error: "Script execution timed out after 1 second.",
      isTimeout: true,
    });
    expect(await textAsync("get_studio_mode")).toBe("stop");
  });

  test("that is cancelled stops the play test as well", async () => {
    const args = { code: "while true do task.wait() end", mode: "run_server" };
    const id = peer.ask("tools/call", { name: "run_script_in_play_mode", arguments: args });
    const modeAsync = () => textAsync("get_studio_mode");
    while ((await modeAsync()) === "stop") await Bun.sleep(10);
    peer.notify("notifications/cancelled", { requestId: id });
    while ((await modeAsync()) !== "stop") await Bun.sleep(10);
    expect(peer.messages.filter((message) => message["id"] === id)).toEqual([]);
  });
});

test("get_script gives source and hash, of the script and of the editor's text", async () => {
  const command = `
    local script = Instance.new("ModuleScript")
    script.Name, script.Source, script.Parent = "A.b", "return 5", game.ServerScriptService
    script:Clone().Parent = game.ServerScriptService`;
  await textAsync("run_code", { command });
  const path = "ServerScriptService.A\\.b";
  expect(await refusalAsync("get_script", { id: path })).toMatchObject({ code: "AMBIGUOUS_PATH" });
  // As `git hash-object` has it.
  const studioHash = "d8ceedd8062446c27bc4a9ebcf67a6cd4d29c0ae";
  for (const [fromDraft, instancePath] of [
    [false, `${path}[1]`],
    [true, `${path}[1]`],
    [true, `${path}[2]`],
  ] as const) {
    const answer = await textAsync("get_script", { id: instancePath, fromDraft });
    const [heading, block = ""] = answer.split("\n\n<json>\n");
    expect(heading).toBe(`Script source for ${instancePath} (ModuleScript):\nHash: ${studioHash}`);
    expect(block.endsWith("\n</json>")).toBe(true);
    const facts = JSON.parse(block.slice(0, -"\n</json>".length));
    expect(facts).toEqual({
      status: "success",
      source: "return 5",
      studioHash,
      className: "ModuleScript",
      instancePath,
      id: expect.stringMatching(/^@\d+$/),
      fsPath: null,
      isDraft: fromDraft,
    });
    expect(await textAsync("get_script", { id: facts.id, fromDraft })).toBe(answer);
  }
});

describe("what cannot be done is refused in words", () => {
  test.each([
    ["insert_model", { query: "car" }, "NOT_SIMULATED", "Headless Studio has no access to assets of Roblox."],
    ["atlas_sync", { mode: "dryrun" }, "FILE_ERROR", "This folder has no default.project.json."],
    ["get_script", { fsPath: "a.luau" }, "FILE_ERROR", "This folder has no default.project.json."],
    ["get_script", { id: "Workspace" }, "PROPERTY_NOT_FOUND", "Workspace is a Workspace and has no source"],
    ["get_script", { id: "Nowhere.At.All" }, "INSTANCE_NOT_FOUND", "Nowhere"],
    ["get_script", {}, "INVALID_INPUT", "id or fsPath is required"],
  ])("%s %j: %s", async (name, args, code, words) => {
    const { code: told, error, hint } = await refusalAsync(name, args);
    expect(told).toBe(code);
    expect(error).toContain(words);
    expect(hint).not.toBe("");
  });
});

test("sessionId chooses one of two Studios", async () => {
  await using two = await Sandbox.createAsync();
  await two.headlessAsync("Alpha");
  await two.headlessAsync("Beta");
  await using both = new McpPeer(two, ["--tools", "compat"]);
  await both.initializeAsync();
  const [first] = Object(await both.toolAsync("get_studio_mode")).content;
  const { sessions } = JSON.parse(first.text);
  for (const { sessionId, placeName } of sessions) {
    const { content } = Object(await both.toolAsync("run_code", { command: "return game.Name", sessionId }));
    expect(content[0].text).toBe(`[RETURNED RESULTS] ${placeName}`);
  }
});
