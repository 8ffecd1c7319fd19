/**
 * How a command turns into another surface: its definition calls the surface by name, `main` imports it when that
 * happens. Commands never import a surface.
 */
import type { McpOptions } from "./mcp.ts";
import type { SurfaceCommandContext } from "./define.ts";

export interface Surfaces {
  readonly mcpAsync: (options: McpOptions, context: SurfaceCommandContext) => Promise<void>;
}
