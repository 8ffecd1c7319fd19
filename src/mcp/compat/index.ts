/**
 * `sb mcp --tools compat`: the tools of other Studio servers under their own names and schemas (spec 5), made by the
 * adapter that makes all others.
 */
import type { Command } from "../../command/definition.ts";
import type { Tool } from "../server/features.ts";
import { commandTool } from "../studio/command-tools.ts";
import type { StudioWorld } from "../studio/command-tools.ts";
import { bareSchema } from "../studio/tool-schemas.ts";
import { codeTools } from "./code-tools.ts";
import { ConsoleReader } from "./console.ts";
import instructions from "./instructions.md" with { type: "text" };
import { playTools } from "./play-tools.ts";
import { scriptTools } from "./script-tools.ts";

export { instructions };

export function compatTools(world: StudioWorld, { readOnly }: { readonly readOnly: boolean }): Tool[] {
  const console = new ConsoleReader();
  return [...codeTools(console), ...playTools(console), ...scriptTools]
    .filter(({ annotations }) => annotations.readOnly || !readOnly)
    .map((command) => compatTool(command, world));
}

/** Which session is meant may be said, but is no part of these schemas. */
function compatTool(command: Command, world: StudioWorld): Tool {
  return {
    ...commandTool(command, command.name, world),
    inputSchema: bareSchema(command.input(), "input"),
  };
}
