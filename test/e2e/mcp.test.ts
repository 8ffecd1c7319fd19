/** The compiled `sb mcp` with the official client, one headless Studio, and then with none and with two. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { binaryPath } from "../../build.ts";
import { Sandbox, UNTIL_LET_GO, untilAsync } from "../harness.ts";
import { McpPeer } from "../peers/mcp-peer.ts";

let box: Sandbox;
let client: Client;
beforeAll(async () => {
  box = await Sandbox.createAsync();
  await box.headlessAsync("Place1");
  client = await connectAsync(box);
}, 120_000);
afterAll(async () => {
  await client.close();
  await box[Symbol.asyncDispose]();
});

async function connectAsync(sandbox: Sandbox, flags: readonly string[] = []): Promise<Client> {
  const sdk = new Client({ name: "test", version: "1" });
  await sdk.connect(
    new StdioClientTransport({
      command: binaryPath,
      args: ["mcp", "--port", String(sandbox.port), ...flags],
      env: sandbox.env(),
      cwd: sandbox.folder,
    }),
  );
  return sdk;
}

/** The result, whose text must be the JSON of its structured content. */
async function toolAsync(name: string, args: { [key: string]: unknown } = {}, sdk = client) {
  const result = await sdk.callTool({ name, arguments: args });
  const [first] = Array.isArray(result.content) ? result.content : [];
  const facts = JSON.parse(first.text);
  if (result.structuredContent !== undefined) expect(facts).toEqual(result.structuredContent);
  return { facts, isError: result.isError === true };
}

describe("what it offers", () => {
  test("is told in the handshake", () => {
    expect(client.getServerVersion()?.name).toBe("studio-bridge");
    expect(client.getServerCapabilities()).toEqual({
      tools: { listChanged: true },
      resources: { subscribe: true, listChanged: true },
      prompts: {},
      completions: {},
    });
    expect(client.getInstructions()).toContain("studio_sessions");
  });

  test("are the tools of every family", async () => {
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual(
      expect.arrayContaining([
        "studio_exec",
        "studio_logs",
        "studio_query",
        "studio_screenshot",
        "studio_sessions",
        "studio_state",
      ]),
    );
    for (const tool of tools) {
      expect(tool.description).not.toBe("");
      expect(tool.inputSchema).toMatchObject({ type: "object" });
      // The call itself refuses an unknown argument, and names those that there are.
      if (Object.keys(tool.inputSchema.properties ?? {}).length > 0)
        expect(tool.inputSchema).not.toHaveProperty("additionalProperties");
      expect(tool.inputSchema).not.toHaveProperty("$schema");
      expect(Object.keys(tool.inputSchema.properties ?? {})).not.toContain("follow");
    }
  });

  test("leaves out tools that change something, with --read-only", async () => {
    const reader = await connectAsync(box, ["--read-only"]);
    const { tools } = await reader.listTools();
    expect(tools.every(({ annotations }) => annotations?.readOnlyHint === true)).toBe(true);
    expect(tools.map(({ name }) => name)).not.toContain("studio_exec");
    await expect(toolAsync("studio_exec", { script: "return 1" }, reader)).rejects.toThrow(
      "Unknown tool: studio_exec. It may change things, and this server was started with --read-only.",
    );
    await reader.close();
  });
});

describe("with one Studio", () => {
  test("every tool works without naming it", async () => {
    const { facts } = await toolAsync("studio_sessions");
    expect(facts.sessions).toHaveLength(1);
    expect(facts.sessions[0]).toMatchObject({ placeName: "Place1", context: "edit", origin: "headless" });
    expect((await toolAsync("studio_state")).facts).toMatchObject({ state: "Edit", placeId: 0, gameId: 0 });
    expect((await toolAsync("studio_exec", { script: 'print("hi") return 1, "two"' })).facts).toMatchObject({
      success: true,
      logs: [{ level: "Print", body: "hi" }],
      returnValues: [1, "two"],
    });
    const { entries } = (await toolAsync("studio_logs", { count: 1 })).facts;
    expect(entries).toMatchObject([{ level: "Print", body: "hi" }]);
    const services = await toolAsync("studio_query", { path: "game", listServices: true });
    expect(services.facts.children).toContainEqual(expect.objectContaining({ name: "Workspace" }));
    expect((await toolAsync("studio_state", { sessionId: null, context: null })).isError).toBe(false);
    expect((await toolAsync("studio_query", { path: "game.Workspace" })).facts.instance).toMatchObject({
      name: "Workspace",
      className: "Workspace",
    });
  });

  test("a script that fails is an ordinary result", async () => {
    const { facts, isError } = await toolAsync("studio_exec", { script: 'print("before") error("oops")' });
    expect(isError).toBe(false);
    expect(facts).toMatchObject({ success: false, logs: [{ level: "Print", body: "before" }] });
    expect(facts.error).toContain("oops");
  });

  test("a failure that the agent can act on is an error result with the next step", async () => {
    const { sessions } = (await toolAsync("studio_sessions")).facts;
    const { sessionId, instanceId, context, placeName } = sessions[0];
    const failures = {
      "no such session": await toolAsync("studio_state", { sessionId: "nope" }),
      "no such context": await toolAsync("studio_exec", { script: "return 1", context: "server" }),
      "no game": await toolAsync("studio_exec", { script: "return 1", inGame: true }),
      "no such Instance": await toolAsync("studio_query", { path: "Workspace.NonExistent" }),
      "a timeout": await toolAsync("studio_exec", { script: "task.wait(60)", timeoutMs: 100 }),
      "no object of an interface": await toolAsync("studio_screenshot", { frame: "Workspace" }),
    };
    expect(Object.values(failures).every(({ isError }) => isError)).toBe(true);
    expect(failures["no such session"].facts).toMatchObject({
      error: "Session not found: nope. Call studio_sessions to see available sessions.",
      code: "SESSION_NOT_FOUND",
      sessions: [{ sessionId, instanceId, context, placeName }],
    });
    expect(failures["no such context"].facts.error).toBe(
      "No server context available. Studio is in Edit mode. Use context: edit or omit context.",
    );
    expect(failures["no game"].facts).toMatchObject({
      error: "Only a running play test has the VM of a game; this is the edited place.",
      hint: "Start a play test first: studio_play (action: start).",
    });
    expect(failures["no such Instance"].facts.error).toBe("No instance found at path: Workspace.NonExistent");
    expect(failures["a timeout"].facts.error).toBe("Script execution timed out after 0.1 seconds.");
    for (const { facts } of Object.values(failures)) expect(facts.hint).not.toContain("--");
  });

  test("an unknown tool is a protocol error", async () => {
    const refused = client.callTool({ name: "studio_nope", arguments: {} });
    expect(await refused.catch((error: unknown) => error)).toMatchObject({
      code: -32602,
      message: expect.stringContaining("Unknown tool: studio_nope"),
    });
  });

  test.each([
    ["studio_exec", {}, "Invalid input: script: is required"],
    [
      "studio_exec",
      { code: "return 1" },
      'Invalid input: script: is required; unknown argument "code"; known: script, fresh, dryRun, inGame, sessionId,',
    ],
    ["studio_sessions", { all: true }, 'unknown argument "all"; known: none'],
    ["studio_logs", { follow: true }, 'unknown argument "follow"; known: count, direction, levels,'],
    [
      "studio_edit_script",
      { edits: [{ path: "Workspace.A", text: "" }] },
      'edits[0]: unknown argument "text"; known: path, old, new, all, startLine, endLine, source, hash',
    ],
  ])("%s with %j is a tool error that names what there is", async (name, args, sentence) => {
    const { content, isError } = await client.callTool({ name, arguments: args });
    expect(isError).toBe(true);
    const [block] = Array.isArray(content) ? content : [];
    expect(JSON.parse(block.text)).toEqual({
      error: expect.stringContaining(sentence),
      code: "INVALID_INPUT",
      hint: `Call ${name} again with other arguments.`,
    });
  });

  test("a long answer is cut, counted, and can be read whole", async () => {
    const script = 'for i = 1, 5000 do print("line " .. i .. string.rep("x", 40)) end';
    const result = await client.callTool({ name: "studio_exec", arguments: { script } });
    const blocks = Array.isArray(result.content) ? result.content : [];
    const { logs, more } = JSON.parse(blocks[0].text);
    expect(Buffer.byteLength(blocks[0].text)).toBeLessThanOrEqual(16 * 1024);
    let whole = "";
    for (let offset: number | undefined = 0; offset !== undefined;) {
      const { facts } = await toolAsync("studio_result", { id: more, offset, limit: 40_000 });
      whole += facts.text;
      offset = facts.nextOffset;
    }
    expect(JSON.parse(whole).logs).toHaveLength(5000);
    const first = await toolAsync("studio_result", { id: more });
    expect(Buffer.byteLength(JSON.stringify(first.facts))).toBeLessThanOrEqual(16 * 1024);
    expect(first.facts).toMatchObject({ id: more, offset: 0, total: whole.length });
    expect(await toolAsync("studio_result", { id: "r999" })).toMatchObject({ isError: true });
    const larger = await toolAsync("studio_exec", { script, maxBytes: 65_536 });
    expect(larger.facts.logs.length).toBeGreaterThan(3 * logs.length);
    expect(blocks[1].text).toContain(`logs: ${logs.length} of 5000 items`);
    expect(logs.at(-1).body).toStartWith("line 5000x");
    const [, parts] = /in (\d+) parts/.exec(blocks[1].text) ?? [];
    const texts: string[] = [];
    for (let part = 1; part <= Number(parts); part += 1) {
      const { contents } = await client.readResource({ uri: blocks[2].uri.replace(/\d+$/, String(part)) });
      texts.push(String(contents[0] !== undefined && "text" in contents[0] ? contents[0].text : ""));
    }
    expect(JSON.parse(texts.join("")).logs).toHaveLength(5000);
  });

  test("progress tells that a script still runs", async () => {
    const steps: number[] = [];
    const call = client.callTool({ name: "studio_exec", arguments: { script: UNTIL_LET_GO } }, undefined, {
      onprogress: ({ progress }) => steps.push(progress),
    });
    await untilAsync("progress is told twice", () => (steps.length >= 2 ? true : undefined));
    await box.letGoAsync();
    expect((await call).isError).not.toBe(true);
    expect(steps).toEqual(steps.toSorted((a, b) => a - b));
  });

  test("cancelling a call stops its script in Studio", async () => {
    await using peer = new McpPeer(box);
    await peer.initializeAsync();
    const script =
      'workspace:SetAttribute("Beat", 0) while task.wait() do workspace:SetAttribute("Beat", os.clock()) end';
    const id = peer.ask("tools/call", { name: "studio_exec", arguments: { script } });
    const beatAsync = async () => {
      const { facts } = await toolAsync("studio_query", { path: "Workspace", includeAttributes: true });
      return facts.instance.attributes.Beat;
    };
    await untilAsync("the script runs", async () => ((await beatAsync()) > 0 ? true : undefined));
    peer.notify("notifications/cancelled", { requestId: id });
    await untilAsync("its heart stands still", async () => {
      const before = await beatAsync();
      await Bun.sleep(50);
      return (await beatAsync()) === before ? true : undefined;
    });
    expect(await peer.toolAsync("studio_exec", { script: "return 2" })).toMatchObject({
      structuredContent: { returnValues: [2] },
    });
    expect(peer.messages.filter((message) => message["id"] === id)).toEqual([]);
  });
});

describe("resources, prompts and completions", () => {
  const idAsync = async (): Promise<string> =>
    (await toolAsync("studio_sessions")).facts.sessions[0].sessionId;
  const readAsync = async (uri: string) => {
    const { contents } = await client.readResource({ uri });
    return contents[0] !== undefined && "text" in contents[0] ? String(contents[0].text) : "";
  };

  test("sessions, logs, the tree and sources can be read", async () => {
    const id = await idAsync();
    const script = `local m = Instance.new("ModuleScript") m.Name = "Mod" m.Source = "return 42" m.Parent = game.ReplicatedStorage print("to be read")`;
    expect((await toolAsync("studio_exec", { script })).facts.success).toBe(true);
    const { resources } = await client.listResources();
    expect(resources.map(({ uri }) => uri)).toEqual(["studio://sessions", `studio://${id}/logs`]);
    expect(JSON.parse(await readAsync("studio://sessions")).sessions[0].sessionId).toBe(id);
    expect(JSON.parse(await readAsync(`studio://${id}/logs`)).entries.at(-1).body).toBe("to be read");
    expect(
      JSON.parse(await readAsync(`studio://${id}/tree/ReplicatedStorage`)).instance.children,
    ).toMatchObject([{ name: "Mod", className: "ModuleScript" }]);
    expect(await readAsync(`studio://${id}/script/ReplicatedStorage.Mod`)).toBe("return 42");
    await expect(readAsync(`studio://${id}/tree/Nowhere`)).rejects.toThrow("Resource not found");
    expect((await client.listResourceTemplates()).resourceTemplates.map(({ name }) => name)).toEqual([
      "logs",
      "tree",
      "script",
      "result",
    ]);
  });

  test("a log too long for one message is cut, and says so", async () => {
    const script = 'for i = 1, 20 do print(string.rep("y", 100000)) end';
    expect((await toolAsync("studio_exec", { script })).facts.success).toBe(true);
    const { entries, cut } = JSON.parse(await readAsync(`studio://${await idAsync()}/logs`));
    expect(cut).toEqual([expect.stringMatching(/^entries: \d+ of \d+ items$/)]);
    expect(entries.length).toBeGreaterThan(5);
  });

  test("prompts say what to do", async () => {
    const { prompts } = await client.listPrompts();
    expect(prompts.map(({ name }) => name)).toEqual(["debug_play_test", "write_verified_script"]);
    const { messages } = await client.getPrompt({
      name: "debug_play_test",
      arguments: { symptom: "doors stick" },
    });
    expect(JSON.stringify(messages)).toContain("doors stick");
    await expect(client.getPrompt({ name: "debug_play_test" })).rejects.toThrow("symptom");
  });

  test("session ids and paths are completed", async () => {
    const id = await idAsync();
    const completeAsync = async (uri: string, name: string, value: string) =>
      (await client.complete({ ref: { type: "ref/resource", uri }, argument: { name, value } })).completion
        .values;
    expect(await completeAsync("studio://{sessionId}/logs", "sessionId", id.slice(0, 4))).toEqual([id]);
    expect(await completeAsync("studio://{sessionId}/tree/{path}", "path", "Works")).toEqual(["Workspace"]);
    expect(await completeAsync("studio://{sessionId}/tree/{path}", "path", "Workspace.Cam")).toEqual([
      "Workspace.Camera",
    ]);
  });
});
