/**
 * `sb mcp --tools compat`: tools with the names and schemas that other Studio servers gave them, made by the adapter that
 * makes all tools.
 */
import type { Command } from "../../command-kit/definition.ts";
import type { Tool } from "../server/features.ts";
import { commandTool } from "../studio/command-tools.ts";
import type { StudioWorld } from "../studio/command-tools.ts";
import { bareSchema } from "../studio/tool-schemas.ts";
import { codeTools } from "./code-tools.ts";
import { ConsoleReader } from "./console.ts";
import instructions from "./instructions.md" with { type: "text" };
import { playTools } from "./play-tools.ts";
import { scriptTool } from "./script-tool.ts";
import { syncTool } from "./sync-tool.ts";

export { instructions };

export function compatTools(world: StudioWorld): Tool[] {
  return compatCommands().map((command) => compatTool(command, world));
}

export function compatCommands(): readonly Command[] {
  const console = new ConsoleReader();
  return [...codeTools(console), ...playTools(console), scriptTool, syncTool];
}

/** A call may name a session, which these schemas do not show. */
function compatTool(command: Command, world: StudioWorld): Tool {
  return {
    ...commandTool(command, command.name, world),
    inputSchema: bareSchema(command.input()),
  };
}
