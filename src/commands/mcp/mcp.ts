/** `sb mcp`: serves coding agents over MCP. What agents are told is decided in `src/mcp/`. */
import { defineSchema } from "../../protocol/schema.ts";
import { defineCommand, streamed } from "../../command-kit/definition.ts";
import { HTTP_PORT, mcpOptionsSchema } from "../../command-kit/surfaces/mcp-options.ts";
import { flagsOf } from "../../command-kit/words/spelling.ts";

export const command = defineCommand({
  name: "mcp",
  summary: "Serve coding agents over MCP",
  description:
    "Speaks the Model Context Protocol on stdin and stdout, so that a coding agent can look into Studio and run Luau there. It ends when stdin does. It never launches Studio.",
  group: "Bridge",
  examples: [
    { command: "sb mcp", note: "what an agent's configuration runs" },
    { command: "sb mcp --project ~/games/obby", note: "for a client that starts its servers elsewhere" },
    { command: "sb mcp --read-only", note: "look, change nothing" },
    { command: "sb mcp --tools core", note: "a list of six tools, which takes less context" },
    { command: "sb mcp --tools compat", note: "run_code, insert_model, start_stop_play, …" },
    { command: "sb mcp --tools core,script,test", note: "several sets" },
    { command: "sb mcp --log mcp.jsonl", note: "keep a record of every request" },
    { command: "sb mcp --log-level info", note: "watch on stderr what an agent calls" },
  ],
  surfaces: ["cli"],
  target: "surface",
  stays: true,
  endsWithReader: () => true,
  annotations: { readOnly: false, destructive: true, idempotent: false },
  input: mcpOptionsSchema,
  output: defineSchema((z) => z.object({})),
  cli: {
    workingFolderFlag: "project",
    flags: flagsOf(mcpOptionsSchema, {
      project: { kind: "string", label: "DIR", lookup: "files" },
      readOnly: "boolean",
      allowCloud: "boolean",
      allowBefore: "boolean",
      tools: { kind: "list", label: "SET" },
      logLevel: { kind: "string", label: "LEVEL" },
      logArguments: "boolean",
      debug: "boolean",
      log: { kind: "string", label: "FILE" },
      http: { kind: "number", label: "[PORT]", bareValue: HTTP_PORT },
    }),
  },
  async handler(options, context) {
    await context.surfaces.mcpAsync(options, context);
    return streamed;
  },
});
