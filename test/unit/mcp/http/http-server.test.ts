/** Streamable HTTP with the fixture tools: every HTTP case, the token, the official client in a session. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { join } from "node:path";
import { HttpServer } from "../../../../src/mcp/http/http-server.ts";
import type { Tool } from "../../../../src/mcp/server/features.ts";
import { noTelemetry } from "../../../../src/mcp/server/telemetry.ts";
import type { TelemetryEvent } from "../../../../src/mcp/server/telemetry.ts";
import { isObject } from "../../../../src/mcp/wire/json.ts";
import { fixtureFeatures } from "../../../fixtures/mcp-server.ts";
import { matches } from "../jsonrpc-cases.ts";

interface Exchange {
  readonly request: {
    readonly method: string;
    readonly session?: boolean;
    readonly headers?: { readonly [name: string]: string };
    readonly body?: string;
    readonly bodyBytes?: number;
  };
  readonly expect: { readonly status: unknown; readonly json?: unknown };
  readonly then?: Exchange;
}

const golden = join(import.meta.dir, "../../../golden/jsonrpc-cases.json");
const { http }: { readonly http: readonly (Exchange & { readonly id: string })[] } =
  await Bun.file(golden).json();

const options = { features: fixtureFeatures, telemetry: noTelemetry, debug: false, port: 0 };
const jsonHeaders = { Accept: "application/json, text/event-stream", "Content-Type": "application/json" };
const initialize = JSON.stringify({
  jsonrpc: "2.0",
  id: "i",
  method: "initialize",
  params: { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "probe", version: "1" } },
});

let server: HttpServer;
beforeAll(() => {
  server = new HttpServer(options);
});
afterAll(async () => {
  await server[Symbol.asyncDispose]();
});

const urlOf = ({ port }: HttpServer) => `http://127.0.0.1:${port}/mcp`;

async function openSessionAsync(): Promise<string> {
  const opened = await fetch(urlOf(server), { method: "POST", headers: jsonHeaders, body: initialize });
  return opened.headers.get("Mcp-Session-Id") ?? "";
}

/** The problem with what came back, if any. */
async function exchangeAsync({ request, expect: wanted, then }: Exchange, former = ""): Promise<string> {
  const session = request.session === true ? await openSessionAsync() : former;
  const { method, headers = {}, body, bodyBytes } = request;
  const response = await fetch(urlOf(server), {
    method,
    headers: { ...headers, ...(session === "" ? {} : { "Mcp-Session-Id": session }) },
    ...(method === "POST" ? { body: body ?? "x".repeat(bodyBytes ?? 0) } : {}),
  });
  const text = await response.text();
  if (!matches(response.status, wanted.status)) return `status ${response.status}: ${text}`;
  if (wanted.json !== undefined && !matches(JSON.parse(text), wanted.json)) return text;
  return then === undefined ? "" : exchangeAsync(then, session);
}

describe("the HTTP cases", () => {
  test.each(http.map((each) => [each.id, each] as const))("%s", async (_id, each) => {
    expect(await exchangeAsync(each)).toBe("");
  });
});

test.each([
  ["GET", {}, 405],
  ["GET", { "Mcp-Session-Id": "nope" }, 404],
  ["DELETE", { "Mcp-Session-Id": "nope" }, 404],
  ["PUT", {}, 405],
  ["OPTIONS", {}, 405],
])("%s with %j is answered with %i", async (method, headers, status) => {
  expect((await fetch(urlOf(server), { method, headers })).status).toBe(status);
});

test("a port that another program holds is reported", () => {
  expect(() => new HttpServer({ ...options, port: server.port })).toThrow(
    `Port ${server.port} cannot be used for HTTP: another program holds it.`,
  );
});

test("a request without the token gets 401, and a sentence that says where the token is", async () => {
  await using guarded = new HttpServer({ ...options, token: "right" });
  const responseAsync = (authorization: string | undefined) => {
    const headers = { ...jsonHeaders, ...(authorization === undefined ? {} : { authorization }) };
    return fetch(urlOf(guarded), { method: "POST", headers, body: initialize });
  };
  const statusAsync = async (authorization: string | undefined) =>
    (await responseAsync(authorization)).status;
  expect(await (await responseAsync(undefined)).text()).toContain("that STUDIO_BRIDGE_MCP_TOKEN set");
  expect(await statusAsync(undefined)).toBe(401);
  expect(await statusAsync("Bearer wrong")).toBe(401);
  expect(await statusAsync("right")).toBe(401);
  expect(await statusAsync("Bearer right")).toBe(200);
  expect(await statusAsync("bearer right")).toBe(200);
});

test.each([
  ["http://localhost:3000", 200],
  ["http://127.0.0.1", 200],
  ["https://example.com", 403],
  ["http://localhost.example.com", 403],
  ["http://127.0.0.1@example.com", 403],
  ["file://", 403],
  ["", 200],
])("origin %j is answered with %i", async (origin, status) => {
  const headers = { ...jsonHeaders, ...(origin === "" ? {} : { Origin: origin }) };
  const response = await fetch(urlOf(server), { method: "POST", headers, body: initialize });
  expect(response.status).toBe(status);
  expect([...response.headers.keys()].filter((name) => name.startsWith("access-control"))).toEqual([]);
});

test.each([
  ["application/json", 200],
  ["Application/JSON; charset=utf-8", 200],
  ["application/jsonp", 415],
  ["text/plain", 415],
])("a body of the type %j is answered with %i", async (type, status) => {
  const headers = { ...jsonHeaders, "Content-Type": type };
  const response = await fetch(urlOf(server), { method: "POST", headers, body: initialize });
  expect(response.status).toBe(status);
});

test.each([
  ['[{"jsonrpc":"2.0","id":1,"method":"ping"}]', {}, 400],
  ['{"jsonrpc":"1.0","id":1,"method":"ping"}', {}, 400],
  ['{"jsonrpc":"2.0","id":1,"method":"no/such"}', {}, 200],
  ['{"jsonrpc":"2.0","id":1,"method":"ping"}', { "MCP-Protocol-Version": "1900-01-01" }, 400],
  ['{"jsonrpc":"2.0","id":1,"method":"ping"}', { "MCP-Protocol-Version": "1.0" }, 400],
  ['{"jsonrpc":"2.0","id":1,"method":"ping"}', { "MCP-Protocol-Version": "2025-11-25" }, 200],
  ['{"jsonrpc":"2.0","method":"no/such"}', {}, 202],
])("in a session, %s with %j is answered with %i", async (body, more, status) => {
  const headers = { ...jsonHeaders, ...more, "Mcp-Session-Id": await openSessionAsync() };
  const response = await fetch(urlOf(server), { method: "POST", headers, body });
  expect(response.status).toBe(status);
});

/** The JSON-RPC messages of a stream of events that has ended. */
async function messagesAsync(response: Response): Promise<unknown[]> {
  const lines = (await response.text()).split("\n").filter((line) => line.startsWith("data: "));
  return lines.map((line) => JSON.parse(line.slice("data: ".length)));
}

describe("a session of a dated revision", () => {
  test("is answered with a stream of events", async () => {
    const headers = { ...jsonHeaders, "Mcp-Session-Id": await openSessionAsync() };
    const body = '{"jsonrpc":"2.0","id":1,"method":"ping"}';
    const response = await fetch(urlOf(server), { method: "POST", headers, body });
    expect(response.headers.get("content-type")).toBe("text/event-stream");
    expect(await messagesAsync(response)).toEqual([{ jsonrpc: "2.0", id: 1, result: {} }]);
  });

  test.each([
    ["accepts no streams", '{"jsonrpc":"2.0","id":1,"method":"ping"}', { Accept: "application/json" }],
    ["counts with fractions", '{"jsonrpc":"2.0","id":1.5,"method":"ping"}', {}],
  ])("gets plain JSON where its client %s", async (_why, body, more) => {
    const headers = { ...jsonHeaders, "Mcp-Session-Id": await openSessionAsync(), ...more };
    const response = await fetch(urlOf(server), { method: "POST", headers, body });
    expect(await response.json()).toEqual({ ...JSON.parse(body), method: undefined, result: {} });
  });

  test("also where its client accepted no stream for the handshake", async () => {
    const headers = { ...jsonHeaders, Accept: "application/json" };
    const opened = await fetch(urlOf(server), { method: "POST", headers, body: initialize });
    const session = { "Mcp-Session-Id": opened.headers.get("Mcp-Session-Id") ?? "" };
    const body = '{"jsonrpc":"2.0","id":1,"method":"ping"}';
    const response = await fetch(urlOf(server), {
      method: "POST",
      headers: { ...jsonHeaders, ...session },
      body,
    });
    expect(await response.json()).toEqual({ jsonrpc: "2.0", id: 1, result: {} });
  });

  test("ends the stream of a request that is cancelled, without an answer", async () => {
    const headers = { ...jsonHeaders, "Mcp-Session-Id": await openSessionAsync() };
    const call = '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"slow"}}';
    const response = await fetch(urlOf(server), { method: "POST", headers, body: call });
    const cancel = '{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}';
    await fetch(urlOf(server), { method: "POST", headers, body: cancel });
    expect(await messagesAsync(response)).toEqual([]);
  });

  test("takes batches under 2025-03-26, and answers each message", async () => {
    const body = initialize.replace("2025-11-25", "2025-03-26");
    const opened = await fetch(urlOf(server), { method: "POST", headers: jsonHeaders, body });
    const headers = { ...jsonHeaders, "Mcp-Session-Id": opened.headers.get("Mcp-Session-Id") ?? "" };
    const batch = '[{"jsonrpc":"2.0","id":1,"method":"ping"},{"jsonrpc":"2.0","id":2,"method":"ping"}]';
    const response = await fetch(urlOf(server), { method: "POST", headers, body: batch });
    expect(await messagesAsync(response)).toEqual([
      { jsonrpc: "2.0", id: 1, result: {} },
      { jsonrpc: "2.0", id: 2, result: {} },
    ]);
  });

  test("is not opened for a version that is not spoken", async () => {
    const body = initialize.replace("2025-11-25", "7.1");
    const response = await fetch(urlOf(server), { method: "POST", headers: jsonHeaders, body });
    expect(response.headers.get("Mcp-Session-Id")).toBeNull();
    expect(await response.json()).toMatchObject({ id: "i", error: { code: -32602 } });
  });
});

test("a session of 1.0 is answered with plain JSON and has no stream", async () => {
  const body = initialize.replace("2025-11-25", "1.0");
  const opened = await fetch(urlOf(server), { method: "POST", headers: jsonHeaders, body });
  expect(await opened.json()).toMatchObject({ result: { protocolVersion: "1.0" } });
  const headers = { ...jsonHeaders, "Mcp-Session-Id": opened.headers.get("Mcp-Session-Id") ?? "" };
  const call = '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"nope"}}';
  const answer = await fetch(urlOf(server), { method: "POST", headers, body: call });
  expect(await answer.json()).toMatchObject({ error: { code: -32000 } });
  expect((await fetch(urlOf(server), { headers })).status).toBe(405);
});

/** Sends these bytes and nothing more; everything that comes back until the server closes the connection. */
async function untilClosedAsync(port: number, text: string): Promise<string> {
  const { promise, resolve } = Promise.withResolvers<void>();
  let said = "";
  const socket = await Bun.connect({
    hostname: "127.0.0.1",
    port,
    socket: { data: (_socket, part) => void (said += part.toString()), close: () => resolve() },
  });
  socket.write(text);
  await promise;
  return said;
}

test.each([
  ["never comes", "Bearer right", "408"],
  ["never comes, and the token is wrong,", "Bearer wrong", "401"],
])(
  "a connection whose body %s is answered before it is closed",
  async (_why, authorization, status) => {
    await using guarded = new HttpServer({ ...options, token: "right", bodyTimeoutS: 2 });
    const headers = [
      "Content-Type: application/json",
      "Content-Length: 100",
      `Authorization: ${authorization}`,
    ];
    const request = ["POST /mcp HTTP/1.1", "Host: localhost", ...headers, "", "{"].join("\r\n");
    // Bun ends connections at the ticks of a clock, of four seconds, and these begin all over the time between two of them.
    const answers = [0, 1, 2, 3].map(async (second) => {
      await Bun.sleep(second * 1000);
      return await untilClosedAsync(guarded.port, request);
    });
    for (const answer of await Promise.all(answers)) expect(answer).toStartWith(`HTTP/1.1 ${status} `);
  },
  120_000,
);

test("the official client calls tools, hears progress, and ends its session", async () => {
  const client = new Client({ name: "test", version: "1" });
  const transport = new StreamableHTTPClientTransport(new URL(urlOf(server)));
  await client.connect(transport);
  const steps: number[] = [];
  const result = await client.callTool({ name: "slow", arguments: {} }, undefined, {
    onprogress: ({ progress }) => steps.push(progress),
  });
  expect(result.content).toEqual([{ type: "text", text: "done" }]);
  expect(steps).toEqual([1, 2, 3, 4, 5]);
  await transport.terminateSession();
  await client.close();
});

test("hanging up cancels a stateless call", async () => {
  const { promise: cancelled, resolve } = Promise.withResolvers<void>();
  const endless: Tool = {
    name: "endless",
    title: "Endless",
    description: "Runs until it is cancelled",
    inputSchema: { type: "object" },
    callAsync: async (_args, { signal }) => {
      await new Promise<void>((done) => signal.addEventListener("abort", () => done()));
      resolve();
      return { content: [] };
    },
  };
  await using patient = new HttpServer({
    ...options,
    features: { ...fixtureFeatures, toolsAsync: async () => [endless] },
  });
  const controller = new AbortController();
  const _meta = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientCapabilities": {},
  };
  const body = JSON.stringify({
    jsonrpc: "2.0",
    id: 1,
    method: "tools/call",
    params: { name: "endless", _meta: { ..._meta, progressToken: 1 } },
  });
  const headers = {
    ...jsonHeaders,
    "MCP-Protocol-Version": "2026-07-28",
    "Mcp-Method": "tools/call",
    "Mcp-Name": "endless",
  };
  const response = await fetch(urlOf(patient), { method: "POST", headers, body, signal: controller.signal });
  expect(response.headers.get("content-type")).toBe("text/event-stream");
  controller.abort();
  await cancelled;
});

test("telemetry hears of requests that are refused before they reach a session", async () => {
  const events: TelemetryEvent[] = [];
  await using told = new HttpServer({ ...options, telemetry: (event) => events.push(event) });
  const postAsync = (body: string, headers: { [name: string]: string } = {}) =>
    fetch(urlOf(told), { method: "POST", headers: { ...jsonHeaders, ...headers }, body });
  const ping = JSON.stringify({ jsonrpc: "2.0", id: 7, method: "ping" });
  await postAsync("{");
  await postAsync(ping);
  await postAsync(ping, { "Mcp-Session-Id": "nope" });
  const pair = [
    { event: "request.received", method: "ping", id: 7, bytes: ping.length },
    { event: "request.completed", method: "ping", id: 7, outcome: "error", code: -32600 },
  ];
  expect(events).toMatchObject([
    { event: "request.completed", id: null, outcome: "error", code: -32700 },
    ...pair,
    ...pair,
  ]);
});

test("a session hears of changes on its own stream", async () => {
  const listeners = new Set<() => void>();
  const { resources } = fixtureFeatures;
  if (!isObject(resources)) throw new Error("the fixture has resources");
  const changing = {
    ...resources,
    onListChanged: (listener: () => void) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
  await using told = new HttpServer({ ...options, features: { ...fixtureFeatures, resources: changing } });
  const opened = await fetch(urlOf(told), { method: "POST", headers: jsonHeaders, body: initialize });
  const session = { "Mcp-Session-Id": opened.headers.get("Mcp-Session-Id") ?? "" };
  const stream = await fetch(urlOf(told), { headers: { Accept: "text/event-stream", ...session } });
  const reader = stream.body?.getReader();
  for (const listener of listeners) listener();
  let heard = "";
  while (!heard.includes("\ndata: ")) heard += new TextDecoder().decode((await reader?.read())?.value);
  expect(heard).toContain("notifications/resources/list_changed");
  await reader?.cancel();
});
