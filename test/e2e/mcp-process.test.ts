/** `sb mcp` as a process: its streams, its end, its record of requests, and what it says with no Studio or with several. */
import { describe, expect, test } from "bun:test";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { join } from "node:path";
import { isObject } from "../../src/mcp/wire/json.ts";
import { freePort, Sandbox, untilAsync, withinAsync } from "../harness.ts";
import { sandbox } from "../sandbox.ts";
import { initializeLine, McpPeer } from "../peers/mcp-peer.ts";

/** Spec: exit after stdin ends. Twice that, for machines under load. */
const EXIT_LIMIT_MS = 200;

const box = sandbox();

/** What the text of a tool result says. */
function factsOf(result: { readonly [key: string]: unknown }) {
  const [first] = Array.isArray(result["content"]) ? result["content"] : [];
  return JSON.parse(first.text);
}

describe("a process that speaks MCP", () => {
  test("survives 1,000 malformed lines, answers each, and says nothing else on stdout", async () => {
    await using peer = new McpPeer(box);
    const bad = [
      "garbage",
      "{",
      "[]",
      "42",
      '{"id":1}',
      '{"jsonrpc":"2.0","id":{},"method":"ping"}',
      "\u0000",
      '"',
    ];
    for (let count = 0; count < 1_000; count += 1) peer.send(bad[count % bad.length] ?? "");
    peer.send(Uint8Array.of(0xff, 0xfe));
    await peer.initializeAsync();
    expect(peer.messages).toHaveLength(1_002);
    expect(peer.messages.slice(0, 1_001).every(({ error }) => isObject(error))).toBe(true);
  });

  test("answers what was asked before stdin ended, then exits", async () => {
    const stdin = `${initializeLine("2025-11-25")}\n{"jsonrpc":"2.0","id":1,"method":"tools/list"}`;
    const { stdout, stderr, exitCode } = await box.sbAsync(["mcp"], { stdin });
    const ids = stdout
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line).id);
    expect({ ids, stderr, exitCode }).toEqual({ ids: ["init", 1], stderr: "", exitCode: 0 });
  });

  test("exits at once when stdin ends, also while a script runs", async () => {
    await using studio = await Sandbox.createAsync();
    await studio.headlessAsync();
    const script = 'while task.wait() do workspace:SetAttribute("Beat", os.clock()) end';
    const beatAsync = async () => {
      const { stdout } = await studio.sbAsync(["query", "Workspace", "--attributes", "--json"]);
      return JSON.parse(stdout).instance.attributes.Beat;
    };
    await withinAsync(EXIT_LIMIT_MS, async () => {
      await using peer = new McpPeer(studio);
      await peer.initializeAsync();
      const before = await beatAsync();
      peer.ask("tools/call", { name: "studio_exec", arguments: { script } });
      await untilAsync("the script runs", async () => ((await beatAsync()) === before ? undefined : true));
      const { exitCode, tookMs } = await peer.endAsync();
      expect(exitCode).toBe(0);
      await untilAsync("the script was stopped in Studio", async () =>
        (await beatAsync()) === (await beatAsync()) ? true : undefined,
      );
      return tookMs;
    });
  }, 120_000);

  test("keeps a record of every request, without what was asked or answered", async () => {
    const file = join(box.folder, "mcp.jsonl");
    const peer = new McpPeer(box, ["--log", file]);
    peer.send("{bad");
    await peer.initializeAsync();
    peer.notify("notifications/initialized", {});
    await peer.requestAsync("tools/call", { name: "studio_state", arguments: { sessionId: "a-secret" } });
    await peer.requestAsync("no/such");
    await peer.endAsync();
    const text = await Bun.file(file).text();
    expect(text).not.toContain("a-secret");
    const events = text
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line));
    for (const event of events) expect(event.ts).toMatch(/^\d{4}-\d\d-\d\dT.*Z$/);
    expect(
      events.map(({ event, method, tool, id, outcome, code }) => [event, method ?? tool, id, outcome, code]),
    ).toEqual([
      ["request.completed", undefined, null, "error", -32700],
      ["request.received", "initialize", "init", undefined, undefined],
      ["request.completed", "initialize", "init", "success", undefined],
      ["notification.received", "notifications/initialized", undefined, undefined, undefined],
      ["request.received", "tools/call", 1, undefined, undefined],
      ["tool.invoked", "studio_state", undefined, "error", undefined],
      ["request.completed", "tools/call", 1, "success", undefined],
      ["request.received", "no/such", 2, undefined, undefined],
      ["request.completed", "no/such", 2, "error", -32601],
    ]);
  });

  test.each([
    ["info", [], ["studio_sessions", "studio_query"], false],
    ["info", ["--log-arguments"], ['studio_query {"path":"Workspace.No"}'], false],
    ["debug", [], ["studio_sessions"], true],
  ])(
    "--log-level %s %j tells on stderr who connects, what is called and how it ends",
    async (level, flags, calls, hasMessages) => {
      const peer = new McpPeer(box, ["--log-level", level, ...flags]);
      await peer.initializeAsync();
      await peer.toolAsync("studio_sessions");
      await peer.toolAsync("studio_query", { path: "Workspace.No" });
      await peer.endAsync();
      const said = await peer.stderr.text();
      expect(said).toContain("MCP agent connected");
      for (const call of calls) expect(said).toContain(`MCP call: ${call}\n`);
      expect(said).toMatch(/MCP result: studio_sessions success, \d+ ms/);
      expect(said).toMatch(/MCP result: studio_query error, \d+ ms/);
      expect(said.includes("Workspace.No")).toBe(flags.length > 0);
      expect(said.includes("No active sessions")).toBe(flags.length > 0);
      expect(said.includes("MCP request: tools/call")).toBe(hasMessages);
    },
  );

  test("says nothing on stderr by itself", async () => {
    const peer = new McpPeer(box);
    await peer.initializeAsync();
    await peer.toolAsync("studio_sessions");
    await peer.endAsync();
    expect(await peer.stderr.text()).toBe("");
  });

  test("answers as well when its record cannot be written", async () => {
    await using peer = new McpPeer(box, ["--log", join(box.folder, "no", "such", "folder")]);
    await peer.initializeAsync();
    expect((await peer.requestAsync("ping"))["result"]).toEqual({});
  });
});

describe("choosing a Studio", () => {
  test("with no Studio a call fails with the next step, and nothing is launched", async () => {
    await using peer = new McpPeer(box);
    await peer.initializeAsync();
    const listed = await peer.toolAsync("studio_sessions");
    expect(factsOf(listed)).toEqual({ sessions: [] });
    expect(JSON.stringify(listed["content"])).toContain("No active sessions. Is Studio running");
    const unnamed = await peer.toolAsync("studio_state");
    expect(unnamed["isError"]).toBe(true);
    expect(factsOf(unnamed).error).toBe(
      "No active sessions. Is Studio running with the studio-bridge plugin installed?",
    );
    expect(factsOf(await peer.toolAsync("studio_state", { sessionId: "s3" })).error).toBe(
      "Session not found: s3. Call studio_sessions to see available sessions.",
    );
  });

  test("of two Studios the call must name one, by its id or the beginning of it", async () => {
    await using two = await Sandbox.createAsync();
    await two.headlessAsync("Alpha");
    await two.headlessAsync("Beta");
    await using peer = new McpPeer(two);
    await peer.initializeAsync();
    const unnamed = await peer.toolAsync("studio_state");
    const { error, sessions } = factsOf(unnamed);
    expect({ error, isError: unnamed["isError"] }).toEqual({
      error: "Multiple Studio instances connected. Specify a sessionId.",
      isError: true,
    });
    expect(sessions).toHaveLength(2);
    for (const { sessionId, placeName } of sessions) {
      expect(factsOf(await peer.toolAsync("studio_state", { sessionId })).placeName).toBe(placeName);
      expect(
        factsOf(await peer.toolAsync("studio_state", { sessionId: sessionId.slice(0, 8) })).placeName,
      ).toBe(placeName);
    }
  }, 120_000);

  test("after the bridge host was killed the next call finds or starts another", async () => {
    await using gone = await Sandbox.createAsync();
    await gone.headlessAsync();
    await using peer = new McpPeer(gone);
    await peer.initializeAsync();
    await peer.toolAsync("studio_state");
    const { hostPid } = await gone.hostAsync();
    process.kill(hostPid, "SIGKILL");
    await untilAsync("a call reaches Studio again", async () =>
      (await peer.toolAsync("studio_state").catch(() => ({ isError: true })))["isError"] === true
        ? undefined
        : true,
    );
  }, 120_000);
});

test("a change of the project's file is notified if it changes the tools", async () => {
  const project = (description: string) =>
    JSON.stringify({ tools: { greet: { command: "echo '{name}'", description } } });
  await using empty = await Sandbox.createAsync();
  await using peer = new McpPeer(empty);
  await peer.initializeAsync();
  await peer.requestAsync("tools/list");
  const notices = () =>
    peer.messages.filter(({ method }) => method === "notifications/tools/list_changed").length;
  await empty.writeAsync("sb.config.json", project("Greets"));
  await untilAsync("the new tool is told", () => (notices() === 1 ? true : undefined));
  expect(JSON.stringify(await peer.toolAsync("greet", { name: "you" }))).toContain("you");
  await empty.writeAsync("sb.config.json", `${project("Greets")}\n`);
  await empty.writeAsync("sb.config.json", project("Greets warmly"));
  await untilAsync("the new description is told", () => (notices() === 2 ? true : undefined));
  expect(JSON.stringify(await peer.requestAsync("tools/list"))).toContain("Greets warmly");
});

test("over HTTP: says where and with which token, serves the official client, ends on a signal", async () => {
  const child = box.spawn(["mcp", "--http", String(freePort())], {
    env: { STUDIO_BRIDGE_MCP_TOKEN: "fixed" },
  });
  let said = "";
  const decoder = new TextDecoder();
  for await (const part of child.stderr) {
    said += decoder.decode(part);
    if (said.includes("Bearer")) break;
  }
  expect(said).toMatch(/^MCP at http:\/\/127\.0\.0\.1:\d+\/mcp\nAuthorization: Bearer fixed\n$/);
  const url = new URL(/http:\S+/.exec(said)?.[0] ?? "");
  expect((await fetch(url, { method: "POST", body: initializeLine("2025-11-25") })).status).toBe(401);
  const client = new Client({ name: "test", version: "1" });
  const requestInit = { headers: { Authorization: "Bearer fixed" } };
  await client.connect(new StreamableHTTPClientTransport(url, { requestInit }));
  expect((await client.listTools()).tools.map(({ name }) => name)).toContain("studio_exec");
  child.kill("SIGTERM");
  expect(await child.exited).toBe(143);
});

test("a remote host that cannot be reached is an error that says why and what to do, in each dialect's code", async () => {
  const address = `127.0.0.1:${freePort()}`;
  const error = {
    message: `Cannot connect to studio-bridge. Is the bridge host running? The bridge host at ${address} cannot be reached: ECONNREFUSED. Check the address, or leave out --remote.`,
    data: { code: "HOST_UNREACHABLE" },
  };
  await using peer = new McpPeer(box, [], ["--remote", address]);
  await peer.initializeAsync();
  const call = { name: "studio_sessions" };
  expect(await peer.requestAsync("tools/call", call)).toMatchObject({ error: { ...error, code: -32603 } });
  peer.send(initializeLine("1.0").replace('"init"', '"again"'));
  expect(await peer.requestAsync("tools/call", call)).toMatchObject({
    error: { code: -32001, message: "Tool execution failed", data: { error: error.message } },
  });
});
