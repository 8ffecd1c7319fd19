/** `tools/call`: finds the tool, runs it, and gives its result or failure the form that the dialect has for it. */
import { isSince, plainVersion } from "../wire/dialects.ts";
import type { Dialect } from "../wire/dialects.ts";
import { isObject, objectIn, stringIn } from "../wire/json.ts";
import type { JsonObject } from "../wire/json.ts";
import type { RequestId } from "../wire/mcp-types.ts";
import { isRequestId } from "../wire/messages.ts";
import { invalidParams, RpcError } from "../wire/rpc-error.ts";
import { shapeToolResult } from "../wire/shape.ts";
import { InputRequired } from "./asking.ts";
import { InvalidArguments } from "./features.ts";
import type { Tool, ToolCall, ToolResult } from "./features.ts";
import type { ServerOptions } from "./open-request.ts";
import type { Outcome } from "./telemetry.ts";

interface ToolContext extends ServerOptions {
  readonly tools: readonly Tool[];
  readonly dialect: Dialect;
  readonly call: ToolCall;
}

/** Throws RpcError. */
export async function callToolAsync(params: JsonObject, context: ToolContext): Promise<JsonObject> {
  const name = stringIn(params, "name");
  if (name === undefined) throw invalidParams("name must be a string");
  const args = params["arguments"] ?? {};
  if (!isObject(args)) throw invalidParams("arguments must be an object");
  const tool = context.tools.find((each) => each.name === name);
  if (tool === undefined) throw unknownTool(name, context);
  return shapeToolResult(await invokeAsync(tool, args, context), context.dialect);
}

/** Clients show the message alone, so it names the reason or the tools that there are. */
function unknownTool(name: string, { tools, dialect, features }: ToolContext): RpcError {
  const available = tools.map((each) => each.name);
  const names = available.length === 0 ? "This server has none." : `Tools: ${available.join(", ")}.`;
  const message = `Unknown tool: ${name}. ${features.whyWithheld?.(name) ?? names}`;
  const data = { tool: name, available };
  return dialect === plainVersion
    ? new RpcError("toolNotFound", message, data)
    : invalidParams(message, data);
}

async function invokeAsync(tool: Tool, args: JsonObject, context: ToolContext): Promise<ToolResult> {
  const startedAt = performance.now();
  let outcome: Outcome = "error";
  try {
    const result = checked(tool, await tool.callAsync(args, context.call));
    if (result.isError === true && context.dialect === plainVersion)
      throw toolFailed(tool, textOf(result), undefined);
    outcome = result.isError === true ? "error" : "success";
    return result;
  } catch (error) {
    if (error instanceof InputRequired) {
      outcome = "success";
      throw error;
    }
    return failure(tool, error, context);
  } finally {
    context.telemetry({
      event: "tool.invoked",
      tool: tool.name,
      durationMs: performance.now() - startedAt,
      outcome: context.call.signal.aborted ? "cancelled" : outcome,
      argumentKeys: Object.keys(args),
    });
  }
}

/** Output that does not fit the tool's own schema counts as a failure of the tool. */
function checked(tool: Tool, result: ToolResult): ToolResult {
  if (result.structuredContent === undefined || result.isError === true) return result;
  const problem = tool.outputProblem?.(result.structuredContent);
  return problem === undefined
    ? result
    : errorResult(`The tool's output does not fit its schema: ${problem}`);
}

function failure(tool: Tool, error: unknown, { dialect, debug }: ToolContext): ToolResult {
  const isPlain = dialect === plainVersion;
  if (error instanceof InvalidArguments) {
    if (!isPlain && error.result !== undefined) return error.result;
    // From this revision on the protocol wants them as results, because only those reach the model.
    if (isSince(dialect, "2025-11-25")) return argumentsResult(tool, error);
    throw invalidArguments(tool, error, isPlain);
  }
  if (error instanceof RpcError && (!isPlain || error.code !== "internalError")) throw error;
  const message = error instanceof Error ? error.message : String(error);
  const stack = debug && error instanceof Error ? error.stack : undefined;
  if (isPlain) throw toolFailed(tool, message, stack);
  return errorResult(message, stack);
}

function invalidArguments(tool: Tool, { message, issues }: InvalidArguments, isPlain: boolean): RpcError {
  if (!isPlain) return invalidParams(`Invalid input: ${message}`, { tool: tool.name, issues });
  const errors = Object.fromEntries(issues.map((issue) => [issue.key, issue.message]));
  return new RpcError("invalidToolParams", message, { tool: tool.name, errors });
}

function argumentsResult(tool: Tool, { message }: InvalidArguments): ToolResult {
  const hint = `Call ${tool.name} again with other arguments.`;
  const facts = { error: `Invalid input: ${message}`, code: "INVALID_INPUT", hint };
  return { content: [{ type: "text", text: JSON.stringify(facts) }], isError: true };
}

function toolFailed(tool: Tool, error: string, stacktrace: string | undefined): RpcError {
  const data = { tool: tool.name, error, ...(stacktrace === undefined ? {} : { stacktrace }) };
  return new RpcError("toolFailed", error, data);
}

/** `{"error": …}` as text, the form that every failure of a tool has. */
function errorResult(error: string, stacktrace?: string): ToolResult {
  const text = JSON.stringify({ error, ...(stacktrace === undefined ? {} : { stacktrace }) });
  return { content: [{ type: "text", text }], isError: true };
}

function textOf({ content }: ToolResult): string {
  return content.flatMap((block) => (block.type === "text" ? [block.text] : [])).join("\n");
}

/** The token that progress is to be sent under; undefined where the client wants none. */
export function progressTokenOf(params: JsonObject): RequestId | undefined {
  const token = objectIn(params, "_meta")?.["progressToken"];
  return isRequestId(token) ? token : undefined;
}
