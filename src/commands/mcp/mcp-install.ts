/** `sb mcp install`: enters `sb mcp` into the configuration of MCP clients. */
import { defineSchema } from "../../protocol/schema.ts";
import { defineCommand } from "../../command-kit/definition.ts";
import {
  setupFailed,
  setupInputShape,
  setupSchema,
  setupText,
} from "../../command-kit/surfaces/mcp-setup.ts";
import { flagsOf } from "../../command-kit/words/spelling.ts";

const input = defineSchema((z) =>
  z.strictObject({
    ...setupInputShape(z),
    readOnly: z.boolean().default(false).describe("Let clients look, but change nothing"),
  }),
);

export const command = defineCommand({
  name: "mcp install",
  summary: "Add sb to MCP clients",
  description:
    "Adds studio-bridge to the configuration of coding agents, and shows what changed. Nothing else in their files is touched, comments stay, and each file as it was is kept beside it as .bak. Claude Desktop and Windsurf start servers outside of any project: run this in the folder of your project, so that their configuration names it.",
  group: "Setup",
  examples: [
    { command: "sb mcp install", note: "every client that is found" },
    { command: "sb mcp install claude-code cursor", note: "" },
    { command: "sb mcp install --print", note: "only show it" },
    { command: "sb mcp install --project", note: "write .mcp.json" },
  ],
  surfaces: ["cli"],
  target: "none",
  annotations: { readOnly: false, destructive: false, idempotent: true },
  input,
  output: setupSchema,
  cli: {
    positionals: [{ key: "clients", label: "CLIENT", repeated: true }],
    flags: flagsOf(input, {
      print: "boolean",
      project: "boolean",
      readOnly: "boolean",
    }),
  },
  failed: setupFailed,
  format: setupText,
  async handler(options) {
    const { setUpMcpAsync } = await import("../../mcp-setup/index.ts");
    return setUpMcpAsync({ action: "install", ...options });
  },
});
