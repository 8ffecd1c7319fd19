/** Lines that few clients write, through the line reader and one connection: what comes back, to the byte where it matters. */
import { describe, expect, test } from "bun:test";
import { serveStdioAsync } from "../../../../src/mcp/server/stdio.ts";
import { noTelemetry } from "../../../../src/mcp/server/telemetry.ts";
import { fixtureFeatures } from "../../../fixtures/mcp-server.ts";

/** Everything that is said to these lines; `last` is awaited before stdin ends. */
async function answersAsync(lines: readonly (string | Uint8Array)[], last = '"id":"end"'): Promise<string[]> {
  const said: string[] = [];
  const { promise: isOver, resolve } = Promise.withResolvers<void>();
  const input = new ReadableStream<Uint8Array>({
    async start(controller) {
      for (const line of [...lines, pingAs('"end"')])
        controller.enqueue(Buffer.concat([Buffer.from(line), Buffer.from("\n")]));
      await isOver;
      controller.close();
    },
  });
  const write = (line: string) => {
    if (!line.includes('"id":"end"')) said.push(line.trimEnd());
    if (line.includes(last)) resolve();
  };
  const options = { features: fixtureFeatures, telemetry: noTelemetry, debug: false };
  await serveStdioAsync(options, { input, write, signal: new AbortController().signal });
  return said;
}

const request = (id: unknown, method: unknown, params?: unknown) =>
  JSON.stringify({ jsonrpc: "2.0", id, method, ...(params === undefined ? {} : { params }) });
const initialize = (protocolVersion: unknown, more: object = {}) =>
  request("i", "initialize", { protocolVersion, capabilities: {}, clientInfo: { name: "x" }, ...more });
const pingAs = (id: string) => `{"jsonrpc":"2.0","id":${id},"method":"ping"}`;

/** The error code, or the result, that the request with the id 1 gets, or else the handshake. */
async function outcomeAsync(...lines: readonly string[]): Promise<unknown> {
  const answers = (await answersAsync(lines)).map((line) => JSON.parse(line));
  const { error, result } = answers.find(({ id }) => id === 1) ?? answers.find(({ id }) => id === "i");
  return error?.code ?? result;
}

describe("a number comes back as it was written", () => {
  test.each(["0", "-7", "1.5", "1.50", "-0", "9007199254740993", "-18446744073709551616", "1e400", "0.1e-7"])(
    "as the id %s",
    async (id) => {
      expect(await answersAsync([pingAs(id)])).toEqual([`{"jsonrpc":"2.0","id":${id},"result":{}}`]);
    },
  );

  test("in errors, in answers to malformed messages, and in batches", async () => {
    const id = "9007199254740993";
    const said = await answersAsync([
      initialize("2025-03-26"),
      `{"jsonrpc":"2.0","id":${id},"method":"no/such"}`,
      `{"id":${id}}`,
      `[${pingAs(id)}]`,
    ]);
    expect(said.filter((line) => line.includes(`"id":${id},`))).toHaveLength(3);
  });

  test("as a progress token, and wherever a request is cancelled by it", async () => {
    const [one, other] = ["9007199254740993", "9007199254740992"];
    const slow = (id: string) =>
      `{"jsonrpc":"2.0","id":${id},"method":"tools/call","params":{"name":"test_tool_with_progress","_meta":{"progressToken":${id}}}}`;
    const cancel = `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":${one}}}`;
    const said = await answersAsync(
      [initialize("2025-11-25"), slow(one), slow(other), cancel],
      `"id":${other}`,
    );
    expect(said.filter((line) => line.includes(`"id":${one}`))).toEqual([]);
    expect(said.filter((line) => line.includes(`"id":${other}`))).toHaveLength(1);
    expect(said.some((line) => line.includes(`"progressToken":${other}`))).toBe(true);
  });

  test("and is no other than the text of the same digits", async () => {
    const said = await answersAsync([pingAs('"9007199254740993"'), pingAs("9007199254740993")]);
    expect(said.map((line) => line.includes('"id":"9'))).toEqual([true, false]);
  });

  test("while the same members in the arguments of a tool are ordinary numbers", async () => {
    const args = '{"name":"W","id":1.5,"requestId":1.5}';
    const call = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"hello","arguments":${args}}}`;
    expect(await outcomeAsync(initialize("2025-11-25"), call)).toMatchObject({
      structuredContent: { greeting: "Hello, W!" },
    });
  });
});

describe("in a session of a dated revision, which the SDK serves,", () => {
  test.each(["0", "-7", "1.5", "-0", "9007199254740993"])(
    "the id %s comes back as it was written",
    async (id) => {
      expect(await answersAsync([initialize("2025-11-25"), pingAs(id)])).toContain(
        `{"jsonrpc":"2.0","id":${id},"result":{}}`,
      );
    },
  );

  test.each(["0", "1.5"])("the request with the id %s can be cancelled", async (id) => {
    const slow = `{"jsonrpc":"2.0","id":${id},"method":"tools/call","params":{"name":"slow"}}`;
    const cancel = `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":${id}}}`;
    const other = request("other", "tools/call", { name: "slow" });
    const said = await answersAsync([initialize("2025-11-25"), slow, cancel, other], '"id":"other"');
    expect(said.filter((line) => line.includes(`"id":${id}`))).toEqual([]);
  });

  test.each([
    ["ping", { _meta: 5 }],
    ["tools/list", { _meta: [] }],
    ["tools/call", { name: "hello", _meta: { "io.modelcontextprotocol/related-task": 5 } }],
    ["tools/call", {}],
    ["prompts/get", { name: 5 }],
    ["completion/complete", {}],
  ])("%s with %j is answered, with invalid params", async (method, params) => {
    expect(await outcomeAsync(initialize("2025-11-25"), request(1, method, params))).toBe(-32602);
  });

  test.each([[1.5], [true], [null]])("the progress token %j stops no call", async (progressToken) => {
    const call = request(1, "tools/call", {
      name: "hello",
      arguments: { name: "W" },
      _meta: { progressToken },
    });
    expect(await outcomeAsync(initialize("2025-11-25"), call)).toMatchObject({
      structuredContent: { greeting: "Hello, W!" },
    });
  });

  test("two requests with one id are both answered", async () => {
    const said = await answersAsync([initialize("2025-11-25"), pingAs("1"), pingAs("1")]);
    expect(said.filter((line) => line.includes('"id":1,'))).toHaveLength(2);
  });

  test("requests that come before the handshake is answered get its dialect", async () => {
    const said = await answersAsync([
      [initialize("2025-06-18"), request(1, "tools/list"), request(2, "ping")].join("\n"),
    ]);
    expect(said.map((line) => JSON.parse(line)).map(({ id, error }) => [id, error])).toEqual([
      ["i", undefined],
      [1, undefined],
      [2, undefined],
    ]);
  });
});

describe("lines that are no JSON text", () => {
  const inString = (...bytes: number[]) =>
    Buffer.concat([
      Buffer.from('{"jsonrpc":"2.0","id":"'),
      Buffer.from(bytes),
      Buffer.from('","method":"ping"}'),
    ]);
  test.each([
    ["an overlong NUL", inString(0xc0, 0x80)],
    ["a surrogate", inString(0xed, 0xa0, 0x80)],
    ["half a character", inString(0xe2, 0x82)],
    ["a tab in a string", inString(0x09)],
    ["a NUL", Buffer.of(0)],
    ["UTF-16", Buffer.from(pingAs("1"), "utf16le")],
    ["two messages", Buffer.from(pingAs("1") + pingAs("2"))],
    ["two messages with a carriage return between them", Buffer.from(`${pingAs("1")}\r${pingAs("2")}`)],
  ])("%s", async (_name, line) => {
    const [said = "", ...more] = await answersAsync([line]);
    expect(JSON.parse(said)).toMatchObject({ id: null, error: { code: -32700 } });
    expect(more).toEqual([]);
  });

  test("nothing is said to blank ones, with a byte order mark or without", async () => {
    expect(
      await answersAsync(["", " \t", "\r", "\ufeff", "\ufeff \r", `\ufeff${pingAs("1")}\r`]),
    ).toHaveLength(1);
  });
});

test.each([
  ["ping", 5, -32600],
  ["ping", false, -32600],
  ["ping", "", -32600],
  ["ping", [], -32602],
  ["no/such", 5, -32600],
  ["no/such", [], -32601],
  ["tools/list", [], -32003],
  ["", {}, -32601],
  ["__proto__", {}, -32601],
  [null, {}, -32600],
  [["ping"], {}, -32600],
])("before anything was negotiated, %j with params %j gets %i", async (method, params, code) => {
  expect(await outcomeAsync(request(1, method, params))).toBe(code);
});

test("a notification that has an id is a request for an unknown method", async () => {
  expect(
    await outcomeAsync(initialize("2025-11-25"), request(1, "notifications/cancelled", { requestId: 1 })),
  ).toBe(-32601);
});

test("initialize without an id is a notification and starts nothing", async () => {
  const { id: _, ...note } = JSON.parse(initialize("1.0"));
  expect(await answersAsync([JSON.stringify(note)])).toEqual([]);
  expect(await outcomeAsync(JSON.stringify(note), request(1, "tools/list"))).toBe(-32003);
});

describe("a handshake", () => {
  test.each(["2.0", "1.00", "1.0.0", "01.0", "0.9"])("for %s is refused by that name", async (version) => {
    const [said = ""] = await answersAsync([initialize(version)]);
    expect(JSON.parse(said)).toMatchObject({
      error: { code: -32602, data: expect.stringContaining(version) },
    });
    expect(await outcomeAsync(initialize(version), request(1, "tools/list"))).toBe(-32003);
  });

  test.each(["", "1", "2025-06-19", "2026-07-28", "v1.0", "1.0 ", " 1.0", "latest"])(
    "for %j is offered 2025-11-25",
    async (version) => {
      expect(await outcomeAsync(initialize(version))).toMatchObject({ protocolVersion: "2025-11-25" });
    },
  );

  test.each([
    ["2025-11-25", { protocolVersion: 1 }],
    ["2025-11-25", { protocolVersion: null }],
    ["2025-11-25", { clientInfo: "x" }],
    ["2025-11-25", { clientInfo: { name: 5 } }],
    ["2025-11-25", { clientInfo: { name: "x", version: 5 } }],
    ["2025-11-25", { clientInfo: undefined }],
    ["2024-11-05", { clientInfo: undefined }],
    ["latest", { clientInfo: undefined }],
    ["2025-11-25", { clientInfo: {} }],
    ["2025-11-25", { capabilities: [] }],
    ["2025-11-25", { capabilities: { roots: 5 } }],
    ["1.0", { clientInfo: null }],
    ["1.0", { clientInfo: { name: "x", version: 5 } }],
  ])("for %s with %j is refused", async (version, more) => {
    expect(await outcomeAsync(initialize(version, more))).toBe(-32602);
  });

  test("of 1.0 says nothing about capabilities", async () => {
    expect(await outcomeAsync(initialize("1.0", { capabilities: 5 }))).toMatchObject({
      protocolVersion: "1.0",
    });
  });
});

test("requests that need no waiting are answered in their order", async () => {
  const lines = [initialize("2025-11-25"), request(1, "tools/list"), request(2, "no/such"), pingAs("3"), "{"];
  const ids = (await answersAsync(lines)).map((line) => JSON.parse(line).id);
  expect(ids).toEqual(["i", 1, 2, 3, undefined]);
});

test("completions of a prompt that does not exist are refused", async () => {
  const asked = (name: string) =>
    request(1, "completion/complete", {
      ref: { type: "ref/prompt", name },
      argument: { name: "who", value: "t" },
    });
  expect(await outcomeAsync(initialize("2025-11-25"), asked("greet"))).toMatchObject({
    completion: { values: ["testing"] },
  });
  expect(await outcomeAsync(initialize("2025-11-25"), asked("nope"))).toBe(-32602);
});
