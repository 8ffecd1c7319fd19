/** Makes a tool of every command that agents may use. It reads definitions and names no command. */
import type { Caller } from "../../protocol/fields/callers.ts";
import type { CommandContext, WholeText } from "../../command-kit/context.ts";
import type { Decision } from "../../output/decisions.ts";
import type { FileRoots } from "../../project/file-roots.ts";
import type { Command } from "../../command-kit/definition.ts";
import type { CommandResult } from "../../command-kit/dispatch.ts";
import { dispatchAsync } from "../../command-kit/dispatch.ts";
import { issuesOf, placeOf } from "../../protocol/input.ts";
import { version } from "../../version.ts";
import { StudioBridgeError } from "../../protocol/errors.ts";
import type { ClientIdentity } from "../server/client-identity.ts";
import { InvalidArguments } from "../server/features.ts";
import type { ArgumentIssue, Tool, ToolCall, ToolResult } from "../server/features.ts";
import { isObject } from "../wire/json.ts";
import type { JsonObject } from "../wire/json.ts";
import type { BridgeLink } from "./bridge-link.ts";
import { withChoiceAsync } from "./choose-session.ts";
import { decideAsync } from "./decide.ts";
import { failureFacts, stopFacts, verdictsForAgents } from "./failure-facts.ts";
import type { KeptResults } from "./kept-results.ts";
import {
  boundedResult,
  DEFAULT_BYTES,
  failureResult,
  MAX_BYTES,
  pictureResult,
  successResult,
  withWholes,
} from "./results.ts";
import type { AnswerRoom } from "./results.ts";
import { contextIssues, sessionArguments } from "./session-arguments.ts";
import { inputSchemaOf } from "./tool-schemas.ts";
import { Waiting } from "./waiting.ts";

export interface StudioWorld {
  readonly catalog: CommandContext["catalog"];
  readonly link: BridgeLink;
  readonly isRemote: boolean;
  /** Tools that may change something are not offered, or are held to looking. */
  readonly isReadOnly: boolean;
  /** Tests may run in the cloud. */
  readonly allowsCloud?: boolean;
  /** Tests may run the program of test.before. */
  readonly allowsBefore?: boolean;
  readonly kept: KeptResults;
}

export function commandTools(commands: readonly Command[], world: StudioWorld): Tool[] {
  return commands
    .filter(({ surfaces }) => surfaces.includes("mcp"))
    .map((command) => commandTool(command, studioToolName(command), world));
}

export const studioToolName = ({ name, toolName }: Command) => `studio_${toolName ?? name}`;

const LEAST_BYTES = 1024;

const LOOKING = { readOnly: true, destructive: false, idempotent: true };

export function commandTool(command: Command, name: string, world: StudioWorld): Tool {
  const { isReadOnly } = world;
  const isHeld = isReadOnly && command.readOnlyInput !== undefined;
  const { readOnly, destructive, idempotent } = isHeld ? LOOKING : command.annotations;
  const description = (command.agentDescription ?? command.description).trim();
  return {
    name,
    title: command.summary,
    description: isHeld ? `${description} This server is read-only: nothing is changed.` : description,
    inputSchema: inputSchemaOf(command, isReadOnly),
    annotations: {
      readOnlyHint: readOnly,
      destructiveHint: destructive,
      idempotentHint: idempotent,
      // A script may reach anything that Studio can reach.
      openWorldHint: !readOnly,
    },
    ...(command.takesLong === true ? { takesLong: true } : {}),
    callAsync: (args, call) => runAsync(command, args, call, world),
  };
}

async function runAsync(
  command: Command,
  given: JsonObject,
  call: ToolCall,
  { catalog, link, isRemote, isReadOnly, allowsCloud, allowsBefore, kept }: StudioWorld,
): Promise<ToolResult> {
  // Models send null for what they leave out.
  const { maxBytes = DEFAULT_BYTES, ...args }: JsonObject = Object.fromEntries(
    Object.entries(given).filter(([, value]) => value !== null),
  );
  const room = { kept, maxBytes: checkedMaxBytes(maxBytes) };
  refusePersonal(command, args);
  const fixed = isReadOnly ? (command.readOnlyInput ?? {}) : {};
  const faults = [
    ...(command.target === "session" ? contextIssues(args) : []),
    ...readOnlyIssues(args, fixed),
  ];
  if (faults.length > 0) throw new InvalidArguments(faults);
  const held = Object.fromEntries(Object.entries(fixed).filter(([, value]) => value !== undefined));
  const { asker, client } = call;
  using waiting = new Waiting(call);
  const wholes: WholeText[] = [];
  const environment = {
    signal: call.signal,
    caller: callerOf(client),
    catalog,
    isRemote,
    headless: false,
    bridgeAsync: () => link.bridgeAsync(),
    emit: waiting.emit,
    status: waiting.say,
    readStdinAsync: async () => new Uint8Array(),
    ...(allowsCloud === undefined ? {} : { allowsCloud }),
    ...(allowsBefore === undefined ? {} : { allowsBefore }),
    keepWhole: (whole: WholeText) => void wholes.push(whole),
    fileRoots: { own: process.cwd(), othersAsync: rootsOf(call) },
    ...(asker === undefined
      ? {}
      : {
          decideAsync: (message: string, decisions: readonly Decision[]) =>
            decideAsync(message, decisions, asker),
        }),
  };
  try {
    const result = await withChoiceAsync(args, asker, (input) =>
      dispatchAsync(command, { ...sessionArguments(input), ...command.agentInput, ...held }, environment),
    );
    const output = command.agentOutput?.(result.output, await catalog.allAsync()) ?? result.output;
    return withWholes(resultOf({ ...result, output }, room), wholes, kept);
  } catch (error) {
    if (!(error instanceof StudioBridgeError)) throw error;
    const issues = issuesOf(error);
    if (issues.length > 0) {
      const placed = issues.map((issue) => ({ key: placeOf(issue.key, issue), message: issue.message }));
      throw invalidArguments(placed, args, command);
    }
    return failureResult(await factsAsync(error, args, link), room);
  }
}

/** The client is asked at most once in a call. */
function rootsOf({ rootsAsync }: ToolCall): FileRoots["othersAsync"] {
  let roots: Promise<readonly string[]> | undefined;
  return () => (roots ??= rootsAsync?.() ?? Promise.resolve([]));
}

/** Steps are listed with the name that the client has given itself. */
function callerOf({ id, name }: ClientIdentity): Caller {
  return { id, name: name === undefined ? "sb mcp" : `${name} (sb mcp)`, version, pid: process.pid };
}

function resultOf({ output, failed, media, agentNote }: CommandResult, room: AnswerRoom): ToolResult {
  if (typeof output === "string") {
    const text = boundedResult({ content: [{ type: "text", text: output }] }, room);
    return failed ? { ...text, isError: true } : text;
  }
  const facts = verdictsForAgents(isObject(output) ? output : {});
  const stopped = stopFacts(facts);
  if (stopped !== undefined) return failureResult(stopped, room);
  const result = media.length === 0 ? successResult(facts, room) : pictureResult(facts, media, room);
  if (agentNote === undefined) return result;
  return { ...result, content: [...result.content, { type: "text", text: agentNote }] };
}

/** `maxBytes` belongs to every tool; the schemas do not repeat it. */
function checkedMaxBytes(value: unknown): number {
  if (Number.isInteger(value) && Number(value) >= LEAST_BYTES && Number(value) <= MAX_BYTES)
    return Number(value);
  throw new InvalidArguments([
    { key: "maxBytes", message: `expected a whole number from ${LEAST_BYTES} to ${MAX_BYTES}` },
  ]);
}

/** Arguments that ask for more than looking. */
function readOnlyIssues(args: JsonObject, fixed: JsonObject): readonly ArgumentIssue[] {
  return Object.entries(fixed)
    .filter(([key, value]) => key in args && args[key] !== value)
    .map(([key, value]) => ({
      key,
      message: `${value === undefined ? "is not taken" : `is always ${JSON.stringify(value)}`}, because this server was started with --read-only`,
    }));
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
  return new InvalidArguments([...issues, { key: "", message: `known: ${names}` }]);
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
