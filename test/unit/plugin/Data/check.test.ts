/** The plugin checks requests by generated rules; it must accept, and fill in, exactly what the schemas do. */
import { expect, test } from "bun:test";
import { openPluginStudioAsync, readPluginTreeAsync } from "../plugin-studio.ts";
import { noNetwork } from "../../../headless/run-spec.ts";
import { actions } from "../../../../src/protocol/actions.ts";
import { controls, events } from "../../../../src/protocol/events.ts";
import { messageExamples } from "../../../../src/protocol/examples.ts";

const schemas = new Map([
  ...Object.entries(actions).map(([type, { request }]) => [type, request] as const),
  ...controls.map((type) => [type, events[type].payload] as const),
]);

/** No null and no number beyond 2^53: Luau has no null, and every number is whole to it beyond that. */
const strangers = [true, -1, 0, 0.5, 1, 70_000, "", "tail", "a".repeat(256), "é".repeat(257), [], ["x"], [1]];

interface Case {
  readonly type: string;
  readonly payload: object;
}

/** Each example as it is, without each of its fields, and with each field replaced by each stranger. */
function cases(): Case[] {
  return [...schemas].flatMap(([type, schema]) => {
    const examples = messageExamples.filter((example) => example.type === type);
    const payloads = examples.flatMap(({ payload }) => {
      const fields: { readonly [key: string]: unknown } = Object(payload);
      const changed = schema.keys().flatMap((key) => {
        const { [key]: _, ...rest } = fields;
        return [rest, ...strangers.map((stranger) => ({ ...fields, [key]: stranger }))];
      });
      return [fields, ...changed];
    });
    return payloads.map((payload) => ({ type, payload }));
  });
}

/** Luau has one empty table for both. */
const plain = (value: unknown): unknown =>
  JSON.parse(
    JSON.stringify(value)
      .replaceAll("{}", "[]")
      .replace(/^\[\]$/, "{}"),
  );

async function luauOutcomesAsync(all: readonly Case[]): Promise<unknown[]> {
  const lines: string[] = [];
  const tree = { ...(await readPluginTreeAsync()), className: "Folder", source: "" } as const;
  const log = (_type: number, text: string): void => void lines.push(text);
  const { studio, start } = await openPluginStudioAsync({ ...noNetwork, log }, tree);
  using _studio = studio;
  start();
  studio.runSource(
    "=check",
    `local bridge = engine("./Classes/Plugin").container().StudioBridge
    local Check = require(bridge.Data.Check)
    local rules = require(bridge.Protocol.Generated).REQUESTS
    local HttpService = game:GetService("HttpService")
    for _, case in HttpService:JSONDecode([==[${JSON.stringify(all)}]==]) do
      local accepted = Check.fields(rules[case.type], case.payload)
      print(if accepted == nil then '"refused"' elseif next(accepted) == nil then "{}" else HttpService:JSONEncode(accepted))
    end`,
  );
  return lines.map((line) => JSON.parse(line));
}

test("the plugin accepts and completes a request exactly as its schema does", async () => {
  const all = cases();
  const outcomes = await luauOutcomesAsync(all);
  expect(outcomes).toHaveLength(all.length);
  for (const [index, { type, payload }] of all.entries()) {
    const read = schemas.get(type)?.read(payload);
    const expected = read === undefined ? "refused" : plain(read.value);
    expect({ type, payload, outcome: plain(outcomes[index]) }).toEqual({ type, payload, outcome: expected });
  }
  expect(new Set(outcomes.map((outcome) => outcome === "refused"))).toEqual(new Set([true, false]));
});
