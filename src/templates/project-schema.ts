/** The schema of `sb.config.json`. Published as docs/sb.config.schema.json, so every field is described. */
import { projectSettingsSchema } from "../project/project-settings.ts";
import { testSettingsSchema } from "../project/test-settings.ts";
import { TIMEOUT_LIMIT_MS } from "../session/session-target.ts";
import { contextSchema } from "../protocol/fields/contexts.ts";
import { defineSchema, loadZod } from "../protocol/schema.ts";
import type { Zod } from "../protocol/schema.ts";

const words = (z: Zod, what: string) =>
  z
    .union([z.string(), z.array(z.string()).min(1, "expected at least one word")], {
      error: "expected a line or a list of words",
    })
    .describe(
      `${what}, as one line or as a list of words; {name}, [name], {names...} and [--flag] are fields`,
    );

const shared = (z: Zod) => ({
  title: z.string().min(1, "the title is empty").optional().describe("What people see"),
  description: z
    .string()
    .min(1, "the description is empty")
    .optional()
    .describe("What the tool does, for the agent that chooses it"),
  readOnly: z
    .boolean()
    .default(false)
    .describe("It changes nothing, so that `sb mcp --read-only` offers it too"),
});

export const commandEntrySchema = defineSchema((z) =>
  z.strictObject({
    command: words(z, "A program and its arguments"),
    timeoutMs: z
      .int("expected a whole number of milliseconds")
      .min(1, "expected at least 1 millisecond")
      .max(TIMEOUT_LIMIT_MS, `expected at most ${TIMEOUT_LIMIT_MS} milliseconds`)
      .optional()
      .describe("End the program and all that it started after this many milliseconds"),
    ...shared(z),
  }),
);

export const scriptEntrySchema = defineSchema((z) =>
  z.strictObject({
    script: words(z, "A Luau file and the arguments that reach it as ..."),
    context: contextSchema(z)
      .default("server")
      .describe("Where it runs while Studio plays, unless the call says otherwise"),
    ...shared(z),
  }),
);

export const TOOL_NAME = /^[A-Za-z][A-Za-z0-9_-]{0,63}$/;

/** Entries stay unknown here: a broken one must not take the others with it. */
export const projectFileSchema = defineSchema((z) =>
  z.strictObject({
    $schema: z.string().optional(),
    ...projectSettingsSchema(z).shape,
    // Read by `sb test` alone, so that a fault in it costs no tools.
    test: z.unknown().optional(),
    tools: z.record(z.string(), z.unknown()).default({}),
  }),
);

/** The whole file as JSON Schema, for editors. */
export function projectJsonSchema(): unknown {
  const z = loadZod();
  const file = projectFileSchema().extend({
    $schema: z.string().optional().describe("The address of this schema"),
    test: testSettingsSchema().optional().describe("Settings of `sb test`"),
    tools: z
      .record(z.string().regex(TOOL_NAME), z.union([commandEntrySchema(), scriptEntrySchema()]))
      .optional()
      .describe("Tools that `sb mcp` serves beside its own, by name"),
  });
  return {
    title: "studio-bridge project file",
    ...z.toJSONSchema(file, { io: "input", target: "draft-7" }),
  };
}
