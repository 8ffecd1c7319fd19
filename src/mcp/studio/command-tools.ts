/** Makes a tool of every command that agents may use. It reads definitions and names no command. */
import type { Caller } from "../../protocol/actions.ts";
import type { CommandContext } from "../../command/context.ts";
import type { Command } from "../../command/definition.ts";
import type { CommandResult } from "../../command/dispatch.ts";
import { dispatchAsync } from "../../command/dispatch.ts";
import { issuesOf } from "../../command/input.ts";
import { StudioBridgeError } from "../../protocol/errors.ts";
import { InvalidArguments } from "../server/features.ts";
import type { ArgumentIssue, Tool, ToolCall, ToolResult } from "../server/features.ts";
import { isObject } from "../wire/json.ts";
import type { JsonObject } from "../wire/json.ts";
import type { BridgeLink } from "./bridge-link.ts";
import { withChoiceAsync } from "./choose-session.ts";
import { failureFacts, stopFacts } from "./failure-facts.ts";
import type { KeptResults } from "./kept-results.ts";
import { boundedResult, failureResult, pictureResult, successResult } from "./results.ts";
import { contextIssues, sessionArguments } from "./session-arguments.ts";
import { inputSchemaOf, outputSchemaOf } from "./tool-schemas.ts";
import { Waiting } from "./waiting.ts";

export interface StudioWorld {
  /** Whose the undo steps are that the tools make. */
  readonly caller: Caller;
  readonly catalog: CommandContext["catalog"];
  readonly link: BridgeLink;
  readonly isRemote: boolean;
  readonly kept: KeptResults;
}

export function commandTools(commands: readonly Command[], world: StudioWorld): Tool[] {
  return commands
    .filter(({ surfaces }) => surfaces.includes("mcp"))
    .map((command) => commandTool(command, `studio_${command.toolName ?? command.name}`, world));
}

export function commandTool(command: Command, name: string, world: StudioWorld): Tool {
  const { readOnly, destructive, idempotent } = command.annotations;
  const outputSchema = outputSchemaOf(command);
  return {
    name,
    title: command.summary,
    description: (command.agentDescription ?? command.description).trim(),
    inputSchema: inputSchemaOf(command),
    ...(outputSchema === undefined ? {} : { outputSchema }),
    annotations: {
      readOnlyHint: readOnly,
      destructiveHint: destructive,
      idempotentHint: idempotent,
      // A script may reach anything that Studio can reach.
      openWorldHint: !readOnly,
    },
    callAsync: (args, call) => runAsync(command, args, call, world),
  };
}

async function runAsync(
  command: Command,
  given: JsonObject,
  call: ToolCall,
  { caller, catalog, link, isRemote, kept }: StudioWorld,
): Promise<ToolResult> {
  // Models send null for what they leave out.
  const args = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== null));
  refusePersonal(command, args);
  const issues = command.target === "session" ? contextIssues(args) : [];
  if (issues.length > 0) throw new InvalidArguments(issues);
  using waiting = new Waiting(call);
  const environment = {
    signal: call.signal,
    caller,
    catalog,
    isRemote,
    headless: false,
    bridgeAsync: () => link.bridgeAsync(),
    emit: waiting.emit,
    status: waiting.say,
    readStdinAsync: async () => new Uint8Array(),
  };
  try {
    const result = await withChoiceAsync(args, call.asker, (input) =>
      dispatchAsync(command, { ...sessionArguments(input), ...command.agentInput }, environment),
    );
    return resultOf(result, kept);
  } catch (error) {
    if (!(error instanceof StudioBridgeError)) throw error;
    const issues = issuesOf(error);
    if (issues.length > 0) throw invalidArguments(issues, args, command);
    return failureResult(await factsAsync(error, args, link), kept);
  }
}

function resultOf({ output, media, agentNote }: CommandResult, kept: KeptResults): ToolResult {
  if (typeof output === "string") return boundedResult({ content: [{ type: "text", text: output }] }, kept);
  const facts = isObject(output) ? output : {};
  const stopped = stopFacts(facts);
  if (stopped !== undefined) return failureResult(stopped, kept);
  const result = media.length === 0 ? successResult(facts, kept) : pictureResult(facts, media, kept);
  if (agentNote === undefined) return result;
  return { ...result, content: [...result.content, { type: "text", text: agentNote }] };
}

/** Refuses input that the schema of the tool does not show, because it only makes sense to a person. */
function refusePersonal(command: Command, args: JsonObject): void {
  const stray = (command.personalInput ?? []).filter((key) => key in args);
  if (stray.length === 0) return;
  const issues = stray.map((key) => ({ key: "", message: `unknown argument ${JSON.stringify(key)}` }));
  throw invalidArguments(issues, args, command);
}

/** Where an argument is unknown, the error names all that there are. */
function invalidArguments(
  issues: readonly ArgumentIssue[],
  args: JsonObject,
  command: Command,
): InvalidArguments {
  const { properties } = inputSchemaOf(command);
  const known = isObject(properties) ? Object.keys(properties) : [];
  if (Object.keys(args).every((key) => known.includes(key))) return new InvalidArguments(issues);
  const names = known.length === 0 ? "none" : known.join(", ");
  return new InvalidArguments([...issues, { key: "", message: `there are ${names}` }]);
}

/** Where the session does not exist, the facts list those that do. */
async function factsAsync(error: StudioBridgeError, args: JsonObject, link: BridgeLink): Promise<JsonObject> {
  const facts = failureFacts(error, args);
  if (error.code !== "SESSION_NOT_FOUND") return facts;
  const bridge = await link.bridgeAsync();
  const sessions = await bridge.sessionsAsync();
  return {
    ...facts,
    sessions: sessions.map(({ sessionId, instanceId, context, placeName }) => ({
      sessionId,
      instanceId,
      context,
      placeName,
    })),
  };
}
