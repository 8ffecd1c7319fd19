/** Thousands of random messages: each gets the answers that it is due, and none stops the conversation. */
import { expect, test } from "bun:test";
import { McpConnection } from "../../../../src/mcp/server/connection.ts";
import { noTelemetry } from "../../../../src/mcp/server/telemetry.ts";
import { isObject } from "../../../../src/mcp/wire/json.ts";
import { fixtureFeatures } from "../../../fixtures/mcp-server.ts";

const ROUNDS = 4_000;

/** Numbers that are the same in every run. */
function generator(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

const envelope = {
  "io.modelcontextprotocol/protocolVersion": "2026-07-28",
  "io.modelcontextprotocol/clientCapabilities": {},
};
const scraps: readonly unknown[] = [
  ...[null, true, 0, -1, 1.5, "", "x", [], {}, [[]], { a: null }, "__proto__", "\ud800", 1e308],
  ...["hello", "boom", "test://a", "greet", "1.0", "2025-03-26", "2025-11-25", "2.0", "2026-07-28"],
  ...[{ name: "W" }, { type: "ref/prompt", name: "greet" }, { name: "who", value: "t" }, envelope],
];
const methods = [
  ...[
    "initialize",
    "ping",
    "tools/list",
    "tools/call",
    "resources/list",
    "resources/read",
    "resources/subscribe",
  ],
  ...[
    "resources/unsubscribe",
    "resources/templates/list",
    "prompts/list",
    "prompts/get",
    "completion/complete",
  ],
  ...["server/discover", "notifications/cancelled", "logging/setLevel", "toString", "", "__proto__"],
];
const keys = [
  "name",
  "arguments",
  "uri",
  "_meta",
  "protocolVersion",
  "clientInfo",
  "ref",
  "argument",
  "cursor",
  "requestId",
];

test("random messages", async () => {
  const random = generator(20_260_728);
  const pick = <T>(list: readonly T[]): T | undefined => list[Math.floor(random() * list.length)];
  const connection = new McpConnection({
    features: fixtureFeatures,
    telemetry: noTelemetry,
    debug: false,
    send: () => undefined,
  });
  const faults: unknown[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const params: { [key: string]: unknown } = {};
    for (let count = Math.floor(random() * 4); count > 0; count -= 1) params[pick(keys) ?? ""] = pick(scraps);
    const hasId = random() < 0.8;
    const message = {
      ...(random() < 0.95 ? { jsonrpc: "2.0" } : {}),
      ...(random() < 0.95 ? { method: random() < 0.97 ? pick(methods) : pick(scraps) } : {}),
      ...(hasId ? { id: random() < 0.9 ? round : pick(scraps) } : {}),
      ...(random() < 0.9 ? { params: random() < 0.9 ? params : pick(scraps) } : {}),
    };
    // Through text and back, as it would come.
    const sent: unknown = JSON.parse(JSON.stringify(message));
    const answer = await connection.answerAsync(sent, 1);
    if (!isDue(sent, answer)) faults.push({ sent, answer });
  }
  expect(faults).toEqual([]);
  expect(await connection.answerAsync({ jsonrpc: "2.0", id: "end", method: "ping" }, 1)).toEqual({
    jsonrpc: "2.0",
    id: "end",
    result: {},
  });
});

/** One answer with the id for a request, an error for what is malformed, silence for the rest. */
function isDue(sent: unknown, answer: unknown): boolean {
  const { jsonrpc, id, method, params } = Object(sent);
  const isCall = jsonrpc === "2.0" && typeof method === "string" && typeof (params ?? {}) === "object";
  if (typeof id === "string" || typeof id === "number")
    return isObject(answer) && answer["id"] === id && "result" in answer !== "error" in answer;
  if (isCall && id === undefined) return answer === undefined;
  return isObject(answer) && isObject(answer["error"]) && answer["error"]["code"] === -32600;
}
