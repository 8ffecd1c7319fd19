/** `sb mcp uninstall`: takes `sb mcp` out of the configuration of MCP clients again. */
import { defineSchema } from "../../protocol/schema.ts";
import { defineCommand } from "../../command-kit/definition.ts";
import {
  setupFailed,
  setupInputShape,
  setupSchema,
  setupText,
} from "../../command-kit/surfaces/mcp-setup.ts";
import { flagsOf } from "../../command-kit/words/spelling.ts";

const input = defineSchema((z) => z.strictObject(setupInputShape(z)));

export const command = defineCommand({
  name: "mcp uninstall",
  summary: "Remove sb from MCP clients",
  description:
    "Removes studio-bridge from the configuration of coding agents, and shows what changed. Nothing else in their files is touched.",
  group: "Setup",
  examples: [
    { command: "sb mcp uninstall", note: "every client that has it" },
    { command: "sb mcp uninstall zed", note: "" },
  ],
  surfaces: ["cli"],
  target: "none",
  annotations: { readOnly: false, destructive: true, idempotent: true },
  input,
  output: setupSchema,
  cli: {
    positionals: [{ key: "clients", label: "CLIENT", repeated: true }],
    flags: flagsOf(input, {
      print: "boolean",
      project: "boolean",
    }),
  },
  failed: setupFailed,
  format: setupText,
  async handler(options) {
    const { setUpMcpAsync } = await import("../../mcp-setup/index.ts");
    return setUpMcpAsync({ action: "uninstall", readOnly: false, ...options });
  },
});
