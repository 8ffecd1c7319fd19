/**
 * The lines of `sb mcp --log-level info` on stderr: which agent connects, which tools it calls and how they end; with
 * `debug` every message as well. Arguments and results are only in them with `--log-arguments`, because they may be secret.
 */
import type { McpOptions } from "../command-kit/surfaces/mcp-options.ts";
import { log } from "../log.ts";
import { visibleOnOneLine } from "../util/visible-controls.ts";
import type { Tool, ToolResult } from "./server/features.ts";
import type { Telemetry, TelemetryEvent } from "./server/telemetry.ts";

const RESULT_CHARACTERS = 200;

type LogOptions = Pick<McpOptions, "logLevel" | "logArguments">;

const isAskedFor = ({ logLevel }: LogOptions) => logLevel === "info" || logLevel === "debug";

/** The same tool, which logs its calls if these lines are asked for. */
export function loggedTool(tool: Tool, options: LogOptions): Tool {
  if (!isAskedFor(options)) return tool;
  const { logArguments } = options;
  const tell = (...words: readonly string[]) => log.info(words.join(" "));
  return {
    ...tool,
    callAsync: async (args, call) => {
      const startedAt = performance.now();
      const duration = () => `${Math.round(performance.now() - startedAt)} ms`;
      tell(`MCP call: ${tool.name}`, ...(logArguments ? [JSON.stringify(args)] : []));
      try {
        const result = await tool.callAsync(args, call);
        const outcome = result.isError === true ? "error" : "success";
        tell(
          `MCP result: ${tool.name} ${outcome}, ${duration()}`,
          ...(logArguments ? [excerpt(result)] : []),
        );
        return result;
      } catch (error) {
        const reason = error instanceof Error ? error.message : String(error);
        const outcome = call.signal.aborted ? "cancelled" : "error";
        tell(`MCP result: ${tool.name} ${outcome}, ${duration()}`, ...(logArguments ? [cut(reason)] : []));
        throw error;
      }
    },
  };
}

/** The same telemetry, which logs messages if these lines are asked for. */
export function loggedTelemetry(telemetry: Telemetry, options: LogOptions): Telemetry {
  if (!isAskedFor(options)) return telemetry;
  return (event) => {
    logMessage(event);
    telemetry(event);
  };
}

function logMessage(event: TelemetryEvent): void {
  switch (event.event) {
    case "request.received":
      return log.debug(
        `MCP request: ${event.method} (id ${event.id}, ${event.bytes} bytes, ${event.dialect})`,
      );
    case "notification.received":
      return log.debug(`MCP notification: ${event.method}`);
    case "request.completed":
      if (event.method === "initialize" && event.outcome === "success") log.info("MCP agent connected");
      return log.debug(
        `MCP answer: ${event.method ?? "unreadable message"} (id ${event.id}) ${event.outcome}, ${Math.round(event.durationMs)} ms`,
      );
    case "tool.invoked":
      return;
  }
}

function excerpt({ content }: ToolResult): string {
  return cut(content.map((block) => (block.type === "text" ? block.text : `(${block.type})`)).join(" "));
}

const cut = (text: string) => visibleOnOneLine(text.slice(0, RESULT_CHARACTERS));
