/** A Luau script template as a command on a session, so that it runs the way `sb run` runs files. */
import type { z } from "zod";
import type { Command } from "../command-kit/definition.ts";
import { defineCommand } from "../command-kit/definition.ts";
import { executeScriptAsync, scriptResultSchema } from "../command-kit/scripts/execute-script.ts";
import { readScriptFileAsync } from "../files/script-source.ts";
import { defineSchema } from "../protocol/schema.ts";
import type { Zod } from "../protocol/schema.ts";
import type { ProjectEntry } from "./project-file.ts";
import type { ParameterSchema, InputSchema } from "./schema.ts";

type ScriptEntry = Extract<ProjectEntry, { kind: "script" }>;

export function scriptCommand({
  name,
  title,
  description,
  readOnly,
  template,
  context: defaultContext,
  scriptPath,
}: ScriptEntry): Command {
  return defineCommand({
    name,
    summary: title,
    description,
    group: "Scripts",
    examples: [],
    surfaces: ["mcp"],
    target: "session",
    defaultContext,
    waitsFor: "execute",
    annotations: { readOnly, destructive: !readOnly, idempotent: readOnly },
    input: defineSchema((z) => inputOf(z, template.inputSchema)),
    output: scriptResultSchema,
    cli: {},
    failed: ({ success }) => !success,
    async prepareAsync(input) {
      const [path = "", ...args] = template.render(input, { refuseOptions: false });
      const { text } = await readScriptFileAsync(scriptPath);
      return (context) => executeScriptAsync(context, { text, name: path, args });
    },
  });
}

function inputOf(z: Zod, { properties, required }: InputSchema): z.ZodObject {
  return z.strictObject(
    Object.fromEntries(
      Object.entries(properties).map(([property, schema]) => {
        const described = withDescription(valueSchema(z, schema), schema.description);
        return [property, required.includes(property) ? described : described.optional()];
      }),
    ),
  );
}

function valueSchema(z: Zod, { type }: ParameterSchema): z.ZodType {
  if (type === "boolean") return z.boolean();
  return type === "array" ? z.array(z.string()) : z.string();
}

function withDescription(schema: z.ZodType, description: string | undefined): z.ZodType {
  return description === undefined ? schema : schema.describe(description);
}
