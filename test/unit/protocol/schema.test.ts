/** Schemas are read without zod; what is read must be what zod would have made of it, for every schema there is. */
import { describe, expect, test } from "bun:test";
import type { z } from "zod";
import { healthSchema } from "../../../src/protocol/network.ts";
import { messageSchemas } from "../../../src/protocol/codec.ts";
import { messageExamples } from "../../../src/protocol/examples.ts";
import { valueExamples } from "../../../src/protocol/examples/values.ts";
import { defineSchema } from "../../../src/protocol/schema.ts";
import type { Schema } from "../../../src/protocol/schema.ts";
import { fieldsOfTag } from "../../../src/protocol/values.ts";
import type { ValueType } from "../../../src/protocol/values.ts";
import { optionsSchema } from "../../../src/cli/options.ts";
import { commands as catalog } from "../../../src/commands/index.ts";
import { sessionTargetSchema } from "../../../src/session/session-target.ts";
import { codeTools } from "../../../src/mcp/compat/code-tools.ts";
import { ConsoleReader } from "../../../src/mcp/compat/console.ts";
import { playTools } from "../../../src/mcp/compat/play-tools.ts";
import { scriptTool } from "../../../src/mcp/compat/script-tool.ts";
import { syncTool } from "../../../src/mcp/compat/sync-tool.ts";

const commands = await catalog.allAsync();

const strangers = [
  undefined,
  null,
  true,
  -1,
  0,
  0.5,
  70_000,
  2 ** 60,
  Number.NaN,
  Number.POSITIVE_INFINITY,
  "",
  "x",
  "edit",
  "Print",
  "2024-02-29T10:00:00.5Z",
  "2023-02-29T10:00:00Z",
  "2024-01-01T24:00:00Z",
  "a".repeat(300),
  [],
  ["x"],
  [1, 2, 3],
  {},
  { name: "x", value: 1 },
  JSON.parse('{"__proto__":{"a":1},"b":2}'),
] as const;

type Members = { readonly [key: string]: unknown };
const isMembers = (value: unknown): value is Members =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** The value with one thing changed in it, anywhere, in each way there is. */
function* changed(value: unknown, keys: readonly string[] = []): Generator<unknown> {
  yield* strangers;
  if (Array.isArray(value)) {
    for (const [index, item] of value.entries())
      for (const other of changed(item)) yield value.with(index, other);
    yield [...value, ...value];
    yield value.slice(1);
  } else if (isMembers(value)) {
    for (const key of new Set([...Object.keys(value), ...keys, "toString", "unknown"])) {
      for (const other of changed(value[key])) yield { ...value, [key]: other };
      const { [key]: _, ...rest } = value;
      yield rest;
    }
  }
}

function expectAgreement(schema: Schema<z.ZodType>, value: unknown): void {
  const parsed = schema().safeParse(value);
  const read = schema.read(value);
  const [expected, found] = [parsed.success ? { value: parsed.data } : undefined, read];
  if (!Bun.deepEquals(found, expected, true))
    expect({ value, outcome: found }).toEqual({ value, outcome: expected });
}

/** An object with a member for each field, taken from the strangers where one of them fits. */
function fullValue(schema: z.ZodObject): Members {
  return Object.fromEntries(
    Object.entries(schema.shape).flatMap(([key, field]) => {
      const fit = strangers.find((value) => value !== undefined && field.safeParse(value).success);
      return fit === undefined ? [] : [[key, fit]];
    }),
  );
}

const isObjectSchema = (schema: z.ZodType): schema is z.ZodObject => "shape" in schema;

describe("reads as zod does", () => {
  test.each([...messageSchemas()])("%s", (type, schema) => {
    const examples = messageExamples.filter((example) => example.type === type);
    expect(examples.length).toBeGreaterThan(0);
    for (const { payload } of examples)
      for (const value of [payload, ...changed(payload, schema.keys())]) expectAgreement(schema, value);
  });

  test.each(Object.entries(valueExamples))("a value of type %s", (tag, example) => {
    const schema = defineSchema((z) =>
      z.object({ type: z.literal(tag), ...fieldsOfTag(z, tag as ValueType) }),
    );
    for (const value of [example, ...changed(example, schema.keys())]) expectAgreement(schema, value);
  });

  const console = new ConsoleReader();
  const compat = [...codeTools(console), ...playTools(console), scriptTool, syncTool];
  const own = [...commands, ...compat].flatMap(({ name, input, output }): [string, Schema<z.ZodType>][] => [
    [`the input of ${name}`, input],
    [`the output of ${name}`, output],
  ]);
  test.each([
    ...own,
    ["the options of the command line", optionsSchema] as const,
    ["which session", sessionTargetSchema] as const,
    ["health", healthSchema] as const,
  ])("%s", (_, schema) => {
    const full = schema();
    const bases = isObjectSchema(full) ? [{}, fullValue(full)] : [{}];
    for (const base of bases)
      for (const value of [base, ...changed(base, schema.keys())]) expectAgreement(schema, value);
  });
});
