/** A command template as an MCP tool. Faults of a call are results that the agent can act on. */
import { issuesOf } from "../../protocol/input.ts";
import { StudioBridgeError } from "../../protocol/errors.ts";
import { InvalidArguments } from "../server/features.ts";
import type { Tool } from "../server/features.ts";
import { errorResult, programResult } from "./program-result.ts";
import { runProgramAsync } from "../../programs/run-program.ts";
import { defaultDescription } from "../../templates/template.ts";
import type { Template } from "../../templates/template.ts";

interface CommandToolOptions {
  readonly name?: string;
  readonly title?: string;
  readonly description?: string;
  readonly readOnly?: boolean;
  readonly timeoutMs?: number | undefined;
  /** This process's own where absent. */
  readonly folder?: string;
}

export function commandTool(template: Template, options: CommandToolOptions = {}): Tool {
  const { timeoutMs, folder, readOnly = false } = options;
  return {
    name: options.name ?? template.toolName,
    title: options.title ?? template.title,
    description: options.description ?? defaultDescription(template),
    inputSchema: { ...template.inputSchema },
    annotations: {
      readOnlyHint: readOnly,
      destructiveHint: !readOnly,
      idempotentHint: readOnly,
      openWorldHint: true,
    },
    async callAsync(args, { signal }) {
      try {
        const outcome = await runProgramAsync({
          argv: template.render(args, { refuseOptions: true }),
          signal,
          ...(folder === undefined ? {} : { cwd: folder }),
          ...(timeoutMs === undefined ? {} : { timeoutMs }),
        });
        return programResult(template.title, outcome, timeoutMs);
      } catch (error) {
        if (!(error instanceof StudioBridgeError) || error.code === "CANCELLED") throw error;
        const result = errorResult(error);
        const issues = issuesOf(error);
        if (issues.length > 0) throw new InvalidArguments(issues, result);
        return result;
      }
    },
  };
}
