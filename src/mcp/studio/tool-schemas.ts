/** The JSON Schemas that tools advertise, from the commands' zod schemas; everything a client cannot use is left out. */
import type { core, z } from "zod";
import type { Command } from "../../command-kit/definition.ts";
import { EXECUTE_TIMEOUT_MS } from "../../protocol/actions/scripts.ts";
import { loadZod } from "../../protocol/schema.ts";
import type { Zod } from "../../protocol/schema.ts";
import type { JsonObject } from "../wire/json.ts";
import type { ObjectSchema } from "../wire/mcp-types.ts";

/** Tells as much as the instructions of the server do not, because every tool repeats it. */
function targetShape(z: Zod, { defaultContext = "edit", waitsFor, timeoutInWords }: Command) {
  const ofScripts = waitsFor === "execute" ? `${EXECUTE_TIMEOUT_MS / 1_000} seconds` : undefined;
  const wait = timeoutInWords ?? ofScripts;
  return {
    sessionId: z.string().optional(),
    context: z.string().optional().describe(`edit, server, client:2; default ${defaultContext}`),
    ...(wait === undefined ? {} : { timeoutMs: z.int().optional().describe(`Default ${wait}`) }),
  };
}

/** `isReadOnly`: without the input that is then fixed. */
export function inputSchemaOf(command: Command, isReadOnly = false): ObjectSchema {
  const z = loadZod();
  const { personalInput = [], readOnlyInput = {} } = command;
  const hidden = [...personalInput, ...(isReadOnly ? Object.keys(readOnlyInput) : [])];
  const own = Object.entries(command.input().shape).filter(([key]) => !hidden.includes(key));
  const shape = {
    ...Object.fromEntries(own),
    ...(command.target === "session" ? targetShape(z, command) : {}),
  };
  return bareSchema(z.strictObject(shape));
}

const isEmptyList = (value: unknown): boolean => Array.isArray(value) && value.length === 0;

/**
 * What agents assume of each argument: a text is short and not empty, a count is not negative, a switch is off, a list is
 * empty, an object has the members that are listed, or any where none is. The command itself refuses what is otherwise.
 */
function leaveOutCommonplaces(schema: core.JSONSchema.BaseSchema): void {
  if (Object.keys(schema.properties ?? {}).length > 0) delete schema.additionalProperties;
  delete schema.maxLength;
  delete schema.pattern;
  if (schema.minLength === 1) delete schema.minLength;
  if (schema.minimum === 0 || schema.minimum === 1) delete schema.minimum;
  if (schema.exclusiveMinimum === 0) delete schema.exclusiveMinimum;
  if (schema.default === false || isEmptyList(schema.default)) delete schema.default;
  if (schema.propertyNames === undefined) return;
  delete schema.propertyNames;
  delete schema.additionalProperties;
}

/** The JSON Schema of arguments, which MCP wants as an object. */
export function bareSchema(schema: z.ZodType): ObjectSchema {
  const { $schema: _, ...bare }: JsonObject = loadZod().toJSONSchema(schema, {
    io: "input",
    unrepresentable: "any",
    override: ({ jsonSchema }) => {
      // zod bounds whole numbers by what JavaScript can count to, which tells an agent nothing.
      if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
      if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
      // The pattern repeats at length what the format says.
      if (jsonSchema.format !== undefined) delete jsonSchema.pattern;
      leaveOutCommonplaces(jsonSchema);
    },
  });
  return { ...bare, type: "object" };
}
