/** The options of `sb mcp`: the input of the command, and what the MCP server is told. */
import { defineSchema } from "../../protocol/schema.ts";
import type { OutputOf } from "../../protocol/schema.ts";
import { toolGroups } from "../facts.ts";
import { portSchema } from "../../protocol/port.ts";

/** Near the bridge's own ports, and none of them. */
export const HTTP_PORT = 38750;

/** Each is made in `src/mcp/tool-sets.ts`. */
export const toolSets = ["default", ...toolGroups, "compat"] as const;
export type ToolSetName = (typeof toolSets)[number];

export const mcpOptionsSchema = defineSchema((z) =>
  z.strictObject({
    project: z
      .string()
      .min(1, "expected a folder")
      .optional()
      .describe("Work in this folder, as if the server had been started there"),
    readOnly: z.boolean().default(false).describe("Offer only tools that change nothing"),
    allowCloud: z
      .boolean()
      .default(false)
      .describe("Let studio_test run tests in the universe of sb.config.json, with the key for Open Cloud"),
    allowBefore: z
      .boolean()
      .default(false)
      .describe("Let studio_test run the program of test.before in sb.config.json, such as a compiler"),
    tools: z
      .array(z.enum(toolSets))
      .min(1, "expected a set of tools")
      .default(["default"])
      .describe(
        "Which sets of tools: default; core for the six most used; edit, script, play, test, sync, look or ui for those of one task; compat for those of other Studio servers by their names",
      ),
    logLevel: z
      .enum(["error", "warn", "info", "debug"])
      .default("error")
      .describe(
        "How much to say on stderr: error, warn, info (agents and their calls) or debug (every message)",
      ),
    logArguments: z
      .boolean()
      .default(false)
      .describe("With --log-level info: also the arguments of calls and the beginning of results"),
    debug: z.boolean().default(false).describe("Write every request to stderr, and stack traces into errors"),
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
export type McpOptions = OutputOf<typeof mcpOptionsSchema>;
