/** The compiled `sb mcp` with the second SDK, in each way that it negotiates, over stdio and over HTTP. */
import { beforeAll, describe, expect, test } from "bun:test";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import type { ClientOptions } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { binaryPath } from "../../build.ts";
import { freePort, Sandbox, UNTIL_LET_GO, untilAsync } from "../harness.ts";
import { sandbox } from "../sandbox.ts";

const TOKEN = "a-token";
const modes = [
  ["legacy", "2025-11-25"],
  ["auto", "2026-07-28"],
  [{ pin: "2026-07-28" }, "2026-07-28"],
] as const;
const transports = ["stdio", "http"] as const;
const ways = transports.flatMap((transport) =>
  modes.map(([mode, version]) => ({
    transport,
    mode,
    version,
    name: `${transport}, ${JSON.stringify(mode)}`,
  })),
);
type Way = (typeof ways)[number];

const box = sandbox({ headless: "Alpha" });
let url: URL;
beforeAll(async () => {
  url = await serveHttpAsync(box);
}, 120_000);

async function serveHttpAsync(sandbox: Sandbox): Promise<URL> {
  const child = sandbox.spawn(["mcp", "--http", String(freePort())], {
    env: { STUDIO_BRIDGE_MCP_TOKEN: TOKEN },
  });
  let said = "";
  for await (const part of child.stderr) {
    said += new TextDecoder().decode(part);
    if (said.includes("Bearer")) break;
  }
  return new URL(/http:\S+/.exec(said)?.[0] ?? "");
}

/** Closing the client ends what it started. */
async function connectAsync({ transport, mode }: Way, options: ClientOptions = {}, name = "test") {
  const client = new Client({ name, version: "1" }, { ...options, versionNegotiation: { mode } });
  await client.connect(
    transport === "http"
      ? new StreamableHTTPClientTransport(url, {
          requestInit: { headers: { Authorization: `Bearer ${TOKEN}` } },
        })
      : new StdioClientTransport({
          command: binaryPath,
          args: ["mcp", "--port", String(box.port)],
          env: box.env(),
          cwd: box.folder,
        }),
  );
  return Object.assign(client, { [Symbol.asyncDispose]: () => client.close() });
}

async function execAsync(client: Client, script: string) {
  const { structuredContent } = await client.callTool({ name: "studio_exec", arguments: { script } });
  return Object(structuredContent);
}

/** Tells in which beat the script is; never twice the same while it runs. */
const beatAsync = async (client: Client) =>
  (await execAsync(client, 'return workspace:GetAttribute("Beat")')).returnValues[0];

describe.each(ways)("the second SDK, $name", (way) => {
  test("agrees on a version and sees everything that is offered", async () => {
    await using client = await connectAsync(way);
    expect(client.getNegotiatedProtocolVersion()).toBe(way.version);
    const { name, title, description, icons = [] } = client.getServerVersion() ?? {};
    expect({ name, title }).toEqual({ name: "studio-bridge", title: "Roblox Studio (studio-bridge)" });
    expect(description).toContain("Roblox Studio");
    expect(icons[0]?.src).toStartWith("data:image/png;base64,iVBOR");
    expect(client.getInstructions()).toContain("studio_sessions");
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual(expect.arrayContaining(["studio_exec", "studio_sessions"]));
    expect((await client.listResourceTemplates()).resourceTemplates.map(({ name }) => name)).toContain(
      "tree",
    );
    expect((await client.listPrompts()).prompts).toHaveLength(2);
    const { messages } = await client.getPrompt({
      name: "debug_play_test",
      arguments: { symptom: "doors stick" },
    });
    expect(JSON.stringify(messages)).toContain("doors stick");
    const uri = "studio://{sessionId}/tree/{path}";
    const typed = { name: "path", value: "Works" };
    const { completion } = await client.complete({ ref: { type: "ref/resource", uri }, argument: typed });
    expect(completion.values).toEqual(["Workspace"]);
  });

  test("runs a script, hears of it while it runs, and reads what it printed", async () => {
    await using client = await connectAsync(way);
    const steps: number[] = [];
    const messages: unknown[] = [];
    const script = `task.wait(0.2) print("before") ${UNTIL_LET_GO} return 7`;
    const call = client.callTool(
      { name: "studio_exec", arguments: { script } },
      {
        onprogress: ({ progress, message }) => {
          steps.push(progress);
          messages.push(message);
        },
      },
    );
    await untilAsync("its line is told", () => (messages.includes("before") ? true : undefined));
    await box.letGoAsync();
    const { structuredContent } = await call;
    expect(structuredContent).toMatchObject({ success: true, logs: [{ body: "before" }], returnValues: [7] });
    expect(steps).toEqual(steps.map((_, index) => index + 1));
    const logs = (await client.listResources()).resources.find(({ uri }) => uri.endsWith("/logs"));
    const { contents } = await client.readResource({ uri: logs?.uri ?? "" });
    expect(JSON.stringify(contents)).toContain("before");
  });

  test("cancels a call, and its script stops in Studio", async () => {
    await using client = await connectAsync(way);
    const controller = new AbortController();
    const script = 'while task.wait() do workspace:SetAttribute("Beat", os.clock()) end';
    await execAsync(client, 'workspace:SetAttribute("Beat", 0)');
    // Scripts of one session wait for each other, so the beat is read beside them.
    const readAsync = async () => {
      const { structuredContent } = await client.callTool({
        name: "studio_query",
        arguments: { path: "Workspace", includeAttributes: true },
      });
      return Object(structuredContent).instance.attributes.Beat;
    };
    const call = client
      .callTool({ name: "studio_exec", arguments: { script } }, { signal: controller.signal })
      .then(
        () => "answered",
        () => "cancelled",
      );
    await untilAsync("the script runs", async () => ((await readAsync()) > 0 ? true : undefined));
    controller.abort();
    expect(await call).toBe("cancelled");
    const last = await beatAsync(client);
    expect(await beatAsync(client)).toBe(last);
  });

  test("is told when a log grows", async () => {
    await using client = await connectAsync(way);
    const { resources } = await client.listResources();
    const uri = resources.find((each) => each.uri.endsWith("/logs"))?.uri ?? "";
    const heard = new Set<string>();
    client.setNotificationHandler(
      "notifications/resources/updated",
      ({ params }) => void heard.add(params.uri),
    );
    if (way.mode === "legacy") await client.subscribeResource({ uri });
    else
      expect((await client.listen({ resourceSubscriptions: [uri] })).honoredFilter).toEqual({
        resourceSubscriptions: [uri],
      });
    // Over HTTP a dated client may still be opening the stream on which it hears of it.
    await untilAsync("the growth is told", async () => {
      await execAsync(client, 'print("tick")');
      return heard.has(uri) ? true : undefined;
    });
  });

  test("gets errors in sentences for unknown tools, missing arguments and paths", async () => {
    await using client = await connectAsync(way);
    const refusal = (name: string, args: { [key: string]: unknown }) =>
      client.callTool({ name, arguments: args }).catch((error: unknown) => error);
    expect(await refusal("studio_nope", {})).toMatchObject({
      code: -32602,
      message: expect.stringMatching(/^Unknown tool: studio_nope\. Tools: .*studio_exec/),
    });
    expect(await refusal("studio_exec", {})).toMatchObject({
      isError: true,
      content: [{ text: expect.stringContaining("Invalid input: script: is required") }],
    });
    expect(await refusal("studio_query", { path: "Workspace.No" })).toMatchObject({ isError: true });
  });
});

describe.each(ways.filter(({ transport, mode }) => transport === "http" && mode !== "auto"))(
  "clients of one server, $name",
  (way) => {
    test("are different callers: none takes back a step of another unless it is forced, and steps name their client", async () => {
      await using one = await connectAsync(way, {}, "claude-code");
      await using other = await connectAsync(way, {}, "codex");
      const undoAsync = async (client: Client, args: object = {}) =>
        (await client.callTool({ name: "studio_undo", arguments: { ...args } })).structuredContent;
      await execAsync(one, `Instance.new("Folder", workspace).Name = "One"`);
      await execAsync(other, `Instance.new("Folder", workspace).Name = "Other"`);
      const { stdout } = await box.sbAsync(["undo", "--list", "--limit", "2", "--json"]);
      expect(JSON.parse(stdout).steps).toMatchObject([
        { name: "sb: exec", by: "codex 1 (sb mcp)" },
        { name: "sb: exec", by: "claude-code 1 (sb mcp)" },
      ]);
      expect(await undoAsync(one)).toEqual({
        undone: [],
        stoppedAt: { name: "sb: exec", by: "codex 1 (sb mcp)" },
      });
      expect(await undoAsync(other)).toEqual({ undone: ["sb: exec"] });
      expect(await undoAsync(other)).toMatchObject({ stoppedAt: { by: "claude-code 1 (sb mcp)" } });
      expect(await undoAsync(other, { force: true })).toEqual({ undone: ["sb: exec"] });
    });
  },
);

describe("with two Studios", () => {
  beforeAll(async () => {
    await box.headlessAsync("Beta");
  }, 120_000);

  /** A client whose user answers in this way. */
  async function askedAsync(
    way: Way,
    answer: (form: unknown) => { action: "accept" | "decline"; content?: { [key: string]: string } },
  ) {
    const client = await connectAsync(way, { capabilities: { elicitation: {} } });
    const messages: string[] = [];
    client.setRequestHandler("elicitation/create", async ({ params }) => {
      messages.push(params.message);
      return answer("requestedSchema" in params ? params.requestedSchema : undefined);
    });
    return Object.assign(client, { messages });
  }

  const state = { name: "studio_state", arguments: {} };

  test.each(ways)("the user is asked to choose one, $name", async (way) => {
    await using client = await askedAsync(way, (form) => {
      const { oneOf } = Object(form).properties.instanceId;
      const choice = oneOf.find(({ title }: { title: string }) => title.startsWith("Beta ("));
      return { action: "accept", content: { instanceId: choice.const } };
    });
    expect((await client.callTool(state)).structuredContent).toMatchObject({ placeName: "Beta" });
    expect(client.messages).toEqual(["Several Roblox Studios fit. Which one is meant?"]);
    await using silent = await connectAsync(way);
    expect(await silent.callTool(state)).toMatchObject({ isError: true });
  });

  test.each(ways)("the agent is asked to choose where the user does not, $name", async (way) => {
    await using client = await askedAsync(way, () => ({ action: "decline" }));
    const { isError, content } = await client.callTool(state);
    expect(isError).toBe(true);
    expect(JSON.stringify(content)).toContain("Multiple Studio instances connected. Specify a sessionId.");
    expect(client.messages).toHaveLength(1);
  });
});
