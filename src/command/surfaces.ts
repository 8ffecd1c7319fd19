/**
 * How a command turns into another surface: its definition calls the surface by name, `main` imports it when that
 * happens. Commands never import a surface.
 */
import type { McpSetup, McpSetupResult } from "./surfaces/mcp-setup.ts";
import type { McpOptions } from "./surfaces/mcp-options.ts";
import type { SessionCommandContext, SurfaceCommandContext } from "./definition.ts";
import type { TerminalOutcome } from "./surfaces/terminal-record.ts";
import type { ProjectToolList } from "./surfaces/project-tools.ts";
import type { ToolServing } from "./surfaces/tool-words.ts";

export interface Surfaces {
  readonly terminalAsync: (context: SessionCommandContext) => Promise<TerminalOutcome>;
  readonly mcpAsync: (options: McpOptions, context: SurfaceCommandContext) => Promise<void>;
  readonly toolAsync: (serving: ToolServing, context: SurfaceCommandContext) => Promise<void>;
  readonly mcpSetupAsync: (setup: McpSetup) => Promise<McpSetupResult>;
  readonly projectToolsAsync: (folder: string) => Promise<ProjectToolList>;
}
