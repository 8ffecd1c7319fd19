/** The MCP surface: serves agents until stdin ends or the process is told to stop. */
import type { SurfaceCommandContext } from "../commands/define.ts";
import type { McpOptions } from "../commands/mcp.ts";

export async function runMcpAsync(_options: McpOptions, _context: SurfaceCommandContext): Promise<void> {
  throw new Error("not there yet");
}
