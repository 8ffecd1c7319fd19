/** One client's conversation where the line cases are silent: batches, changing dialects, what each revision is shown. */
import { describe, expect, test } from "bun:test";
import { McpConnection } from "../../../../src/mcp/server/connection.ts";
import { InvalidArguments } from "../../../../src/mcp/server/features.ts";
import type { Features, Tool } from "../../../../src/mcp/server/features.ts";
import type { TelemetryEvent } from "../../../../src/mcp/server/telemetry.ts";
import { handshakeVersions } from "../../../../src/mcp/wire/dialects.ts";
import { objectIn } from "../../../../src/mcp/wire/json.ts";
import { fixtureTools } from "../../../fixtures/mcp-tools.ts";

const linked: Tool = {
  name: "linked",
  title: "Linked",
  description: "Answers with a link",
  inputSchema: { type: "object" },
  callAsync: async () => ({
    content: [{ type: "resource_link", uri: "test://a", name: "a", description: "The rest" }],
  }),
};

class Conversation {
  readonly notices: unknown[] = [];
  readonly events: TelemetryEvent[] = [];
  readonly connection: McpConnection;

  constructor(features: Partial<Features> = {}) {
    this.connection = new McpConnection({
      features: {
        info: { name: "test", version: "1" },
        toolsAsync: async () => [...fixtureTools, linked],
        ...features,
      },
      telemetry: (event) => this.events.push(event),
      debug: false,
      send: (outgoing) => this.notices.push(outgoing),
    });
  }

  sayAsync(value: unknown) {
    return this.connection.answerAsync(value, 1);
  }

  askAsync(method: string, params: object = {}, id = 1) {
    return this.sayAsync({ jsonrpc: "2.0", id, method, params });
  }

  initializeAsync(protocolVersion: string) {
    return this.askAsync("initialize", { protocolVersion, capabilities: {}, clientInfo: { name: "x" } });
  }
}

const ping = (id: number) => ({ jsonrpc: "2.0", id, method: "ping" });

describe("a batch", () => {
  test("is answered with one list under 2025-03-26, in which notifications have no answer", async () => {
    const talk = new Conversation();
    await talk.initializeAsync("2025-03-26");
    expect(await talk.sayAsync([ping(1), { jsonrpc: "2.0", method: "notifications/x" }, 5, ping(2)])).toEqual(
      [
        { jsonrpc: "2.0", id: 1, result: {} },
        expect.objectContaining({ id: null, error: expect.objectContaining({ code: -32600 }) }),
        { jsonrpc: "2.0", id: 2, result: {} },
      ],
    );
    expect(await talk.sayAsync([{ jsonrpc: "2.0", method: "notifications/x" }])).toBeUndefined();
  });

  test.each(handshakeVersions.filter((version) => version !== "2025-03-26"))(
    "is refused under %s",
    async (version) => {
      const talk = new Conversation();
      await talk.initializeAsync(version);
      expect(await talk.sayAsync([ping(1)])).toMatchObject({ error: { code: -32600 } });
    },
  );
});

describe("a tool is shown to", () => {
  test.each([
    ["1.0", ["description", "inputSchema", "name"]],
    ["2024-11-05", ["description", "inputSchema", "name"]],
    ["2025-03-26", ["annotations", "description", "inputSchema", "name"]],
    ["2025-06-18", ["annotations", "description", "inputSchema", "name", "outputSchema", "title"]],
    ["2025-11-25", ["annotations", "description", "inputSchema", "name", "outputSchema", "title"]],
  ])("%s with %j", async (version, keys) => {
    const talk = new Conversation();
    await talk.initializeAsync(version);
    const { result } = Object(await talk.askAsync("tools/list"));
    expect(Object.keys(result.tools[0]).toSorted()).toEqual(keys);
  });
});

test("structured content and links reach only those who know them", async () => {
  const seen: unknown[] = [];
  for (const version of ["2025-03-26", "2025-06-18"]) {
    const talk = new Conversation();
    await talk.initializeAsync(version);
    const hello = Object(await talk.askAsync("tools/call", { name: "hello", arguments: { name: "you" } }));
    const link = Object(await talk.askAsync("tools/call", { name: "linked" }));
    seen.push([Object.keys(hello.result), link.result.content[0].type]);
  }
  expect(seen).toEqual([
    [["content"], "text"],
    [["content", "structuredContent"], "resource_link"],
  ]);
});

test("1.0, which has no resources, gets no links to any", async () => {
  const talk = new Conversation();
  await talk.initializeAsync("1.0");
  const { result } = Object(await talk.askAsync("tools/call", { name: "linked" }));
  expect(result.content).toEqual([]);
});

test("progress rises, and stops before the answer", async () => {
  const talk = new Conversation();
  await talk.initializeAsync("2025-11-25");
  await talk.askAsync("tools/call", { name: "slow", _meta: { progressToken: 0 } });
  expect(talk.notices.map((notice) => objectIn(notice, "params")?.["progress"])).toEqual([1, 2, 3, 4, 5]);
});

test("1.0 hears no progress", async () => {
  const talk = new Conversation();
  await talk.initializeAsync("1.0");
  await talk.askAsync("tools/call", { name: "slow", _meta: { progressToken: 0 } });
  expect(talk.notices).toEqual([]);
});

test("a refused second handshake leaves the first one's dialect", async () => {
  const talk = new Conversation();
  await talk.initializeAsync("1.0");
  expect(await talk.initializeAsync("7.1")).toMatchObject({ error: { code: -32602 } });
  expect(await talk.askAsync("tools/call", { name: "nope" })).toMatchObject({ error: { code: -32000 } });
});

test("methods of features that the server lacks are unknown", async () => {
  const talk = new Conversation();
  await talk.initializeAsync("2025-11-25");
  for (const method of ["resources/list", "prompts/list", "completion/complete", "resources/subscribe"])
    expect(await talk.askAsync(method)).toMatchObject({ error: { code: -32601 } });
});

test("a change of the tools is notified after the handshake, and no longer once the dialect is 1.0", async () => {
  const listeners = new Set<() => void>();
  const onToolsChanged = (listener: () => void) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  };
  const talk = new Conversation({ onToolsChanged });
  const change = () => listeners.forEach((listener) => listener());
  change();
  await talk.initializeAsync("2025-11-25");
  change();
  const notices = [{ jsonrpc: "2.0", method: "notifications/tools/list_changed" }];
  expect(talk.notices).toEqual(notices);
  await talk.initializeAsync("1.0");
  change();
  expect(talk.notices).toEqual(notices);
  await talk.initializeAsync("2025-11-25");
  expect(listeners.size).toBe(1);
  await talk.connection[Symbol.asyncDispose]();
  expect(listeners.size).toBe(0);
});

const strict: Tool = {
  ...linked,
  name: "strict",
  callAsync: async () => {
    throw new InvalidArguments([{ key: "script", message: "is required" }]);
  },
};

test.each([
  ["2026-07-28", { isError: true }],
  ["2025-11-25", { isError: true }],
  ["2025-06-18", { code: -32602, message: "Invalid input: script: is required" }],
  ["1.0", { code: -32002, data: { errors: { script: "is required" } } }],
])(
  "arguments that do not fit are an error of the tool or of the protocol, as %s wants it",
  async (revision, told) => {
    const talk = new Conversation({ toolsAsync: async () => [strict] });
    const isStateless = revision === "2026-07-28";
    if (!isStateless) await talk.initializeAsync(revision);
    const _meta = {
      "io.modelcontextprotocol/protocolVersion": revision,
      "io.modelcontextprotocol/clientCapabilities": {},
    };
    const call = { name: "strict", arguments: {}, ...(isStateless ? { _meta } : {}) };
    const { result, error } = Object(await talk.askAsync("tools/call", call));
    expect(result ?? error).toMatchObject(told);
    if (result === undefined) return;
    expect(JSON.parse(result.content[0].text)).toEqual({
      error: "Invalid input: script: is required",
      code: "INVALID_INPUT",
      hint: "Call strict again with other arguments.",
    });
  },
);

test("a ping that is cancelled before the SDK is loaded does not stay open", async () => {
  const talk = new Conversation();
  const initialized = talk.initializeAsync("2025-11-25");
  const pinged = talk.askAsync("ping", {}, 2);
  await talk.sayAsync({ jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: 2 } });
  await initialized;
  expect(await pinged).toBeUndefined();
  expect(talk.connection.runningCount).toBe(0);
});

test("telemetry hears of every request once when it comes and once when it ends, also when it is cancelled", async () => {
  const talk = new Conversation();
  await talk.initializeAsync("2025-11-25");
  const slow = talk.askAsync("tools/call", { name: "slow", arguments: { secret: "s3cret" } }, 7);
  await talk.sayAsync({ jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: 7 } });
  expect(await slow).toBeUndefined();
  const told = talk.events.flatMap((event) => ("id" in event && event.id === 7 ? [event] : []));
  expect(told).toMatchObject([
    { event: "request.received", method: "tools/call", dialect: "2025-11-25" },
    { event: "request.completed", outcome: "cancelled" },
  ]);
  expect(talk.events).toContainEqual(
    expect.objectContaining({
      event: "tool.invoked",
      tool: "slow",
      outcome: "cancelled",
      argumentKeys: ["secret"],
    }),
  );
  expect(JSON.stringify(talk.events)).not.toContain("s3cret");
});
