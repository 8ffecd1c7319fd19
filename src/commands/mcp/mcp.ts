/** `sb mcp`: serves coding agents over MCP (spec 1). What it says to them is the business of the surface. */
import { defineSchema } from "../../protocol/schema.ts";
import { defineCommand, streamed } from "../../command/definition.ts";
import type { OutputOf } from "../../protocol/schema.ts";
import { portSchema } from "../../command/words/port.ts";
import { flagFor } from "../../command/words/spelling.ts";

/** Near the bridge's own ports, and none of them. */
const HTTP_PORT = 38750;

const input = defineSchema((z) =>
  z.strictObject({
    readOnly: z.boolean().default(false).describe("Offer only tools that change nothing"),
    tools: z
      .enum(["studio", "compat"])
      .default("studio")
      .describe("Which tools: studio, or compat for those of other Studio servers by their names"),
    logLevel: z
      .enum(["error", "warn", "info", "debug"])
      .default("error")
      .describe("How much to say on stderr: error, warn, info or debug"),
    debug: z.boolean().default(false).describe("Tell every request on stderr, and stack traces in errors"),
    log: z
      .string()
      .min(1, "expected a file name")
      .optional()
      .describe("Append every request to this file, as JSONL"),
    http: portSchema(z)
      .optional()
      .describe(`Serve Streamable HTTP instead of stdio (default port ${HTTP_PORT})`),
  }),
);
export type McpOptions = OutputOf<typeof input>;

export const mcpCommand = defineCommand({
  name: "mcp",
  summary: "Serve coding agents over MCP",
  description:
    "Speaks the Model Context Protocol on stdin and stdout, so that a coding agent can look into Studio and run Luau there. It ends when stdin does. It never launches Studio.",
  group: "Bridge",
  examples: [
    { command: "sb mcp", note: "what an agent's configuration runs" },
    { command: "sb mcp --read-only", note: "look, change nothing" },
    { command: "sb mcp --tools compat", note: "run_code, insert_model, start_stop_play, …" },
    { command: "sb mcp --log mcp.jsonl", note: "keep a record of every request" },
  ],
  surfaces: ["cli"],
  target: "surface",
  stays: true,
  annotations: { readOnly: false, destructive: true, idempotent: false },
  input,
  output: defineSchema((z) => z.object({})),
  cli: {
    flags: [
      flagFor(input, "readOnly", { name: "read-only", kind: "boolean" }),
      flagFor(input, "tools", { kind: "string", label: "SET" }),
      flagFor(input, "logLevel", { name: "log-level", kind: "string", label: "LEVEL" }),
      flagFor(input, "debug", { kind: "boolean" }),
      flagFor(input, "log", { kind: "string", label: "FILE" }),
      flagFor(input, "http", { kind: "number", label: "[PORT]", bareValue: HTTP_PORT }),
    ],
  },
  async handler(options, context) {
    await context.surfaces.mcpAsync(options, context);
    return streamed;
  },
});
