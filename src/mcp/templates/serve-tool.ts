/** `sb tool`: one command template as the only tool of an MCP server on stdin and stdout. */
import type { SurfaceCommandContext } from "../../command-kit/context.ts";
import type { ToolServing } from "../../command-kit/surfaces/tool-words.ts";
import { version } from "../../version.ts";
import { serveStdioAsync } from "../server/stdio.ts";
import type { Tool } from "../server/features.ts";
import { openTelemetry } from "../server/telemetry.ts";
import { KeptResults } from "../studio/kept-results.ts";
import { resultTemplate } from "../studio/studio-uris.ts";
import { commandTool } from "./command-tool.ts";
import { isProgramFound } from "../../programs/run-program.ts";
import { parseTemplate } from "../../templates/template.ts";
import { truncatedResult } from "./truncated-result.ts";
import { expectLongRun } from "../../util/long-run.ts";

/** Throws TEMPLATE_ERROR before anything is read or written. */
export async function serveToolAsync(
  { command, debug, log, timeoutMs }: ToolServing,
  context: SurfaceCommandContext,
): Promise<void> {
  expectLongRun();
  const template = parseTemplate(command);
  const tellStderr = (line: string) => context.emit({ stream: "stderr", text: () => line });
  // It may be installed while the server runs, so this is no error.
  const missing = isProgramFound(template.title) ? [] : [missingProgram(template.title)];
  for (const warning of [...template.warnings, ...missing]) tellStderr(`warning: ${warning}`);
  const { telemetry, flushAsync } = openTelemetry({ debug, log }, tellStderr, (text) =>
    tellStderr(`warning: ${text}`),
  );
  const kept = new KeptResults();
  const program = commandTool(template, { timeoutMs });
  const tool: Tool = {
    ...program,
    callAsync: async (args, call) => truncatedResult(await program.callAsync(args, call), kept),
  };
  await serveStdioAsync(
    {
      features: {
        info: { name: "studio-bridge", version },
        toolsAsync: async () => [tool],
        resources: {
          listAsync: async () => [],
          templates: [resultTemplate],
          readAsync: async (uri) => kept.read(uri),
        },
      },
      telemetry,
      debug,
    },
    { input: Bun.stdin.stream(), write: (text) => context.write(text), signal: context.signal },
  );
  await flushAsync();
}

function missingProgram(program: string): string {
  const where = /[/\\]/.test(program) ? "is not a program" : "is not in PATH";
  return `${program} ${where}, so calls fail until it is`;
}
