/** What each method answers with. The dialect was decided before; results are stamped afterwards. */
import { notification } from "../wire/answers.ts";
import { datedVersions, plainVersion } from "../wire/dialects.ts";
import type { Dialect } from "../wire/dialects.ts";
import { isObject, objectIn, stringIn } from "../wire/json.ts";
import type { JsonObject } from "../wire/json.ts";
import type {
  CompleteResult,
  GetPromptResult,
  InitializeResult,
  ListPromptsResult,
  ListResourcesResult,
  ListResourceTemplatesResult,
  ListToolsResult,
  ReadResourceResult,
  RequestId,
  ServerCapabilities,
} from "../wire/mcp-types.ts";
import { invalidParams, RpcError } from "../wire/rpc-error.ts";
import { shapeTool } from "../wire/shape.ts";
import { callToolAsync, progressTokenOf } from "./call-tool.ts";
import { InputRequired } from "./asking.ts";
import type {
  Asker,
  CompletionQuestion,
  Features,
  ProgressStep,
  Prompt,
  Prompts,
  Resources,
} from "./features.ts";
import { listenAsync, resourceNotFound } from "./subscriptions.ts";
import type { Notify } from "./subscriptions.ts";
import type { Telemetry } from "./telemetry.ts";

const COMPLETION_LIMIT = 100;

/** One request on its way, past every check but those of its parameters. */
export interface Running {
  readonly id: RequestId;
  readonly method: string;
  readonly params: JsonObject;
  readonly dialect: Dialect;
  readonly features: Features;
  readonly signal: AbortSignal;
  readonly notify: Notify;
  readonly telemetry: Telemetry;
  readonly debug: boolean;
  readonly asker: Asker | undefined;
}

/** Every method that leaves no trace on the connection. */
export function perform(running: Running): JsonObject | Promise<JsonObject> {
  const { method, params, features, signal } = running;
  const { resources, prompts, completeAsync } = features;
  switch (method) {
    case "ping":
      return {};
    case "server/discover":
      return discovery(features);
    case "tools/list":
      return listToolsAsync(running);
    case "tools/call":
      return runToolAsync(running);
    case "resources/list":
      return listResourcesAsync(offered(resources), params);
    case "resources/templates/list":
      return listTemplates(offered(resources), params);
    case "resources/read":
      return readResourceAsync(offered(resources), params, signal);
    case "prompts/list":
      return listPromptsAsync(offered(prompts), params);
    case "prompts/get":
      return getPromptAsync(offered(prompts), params);
    case "completion/complete":
      return completionAsync(offered(completeAsync), prompts, params);
    case "subscriptions/listen":
      return listenAsync(running);
    default:
      throw new RpcError("methodNotFound", `There is no method ${method}.`);
  }
}

function offered<Feature>(feature: Feature | undefined): Feature {
  if (feature === undefined) throw new RpcError("methodNotFound", "This server does not offer that.");
  return feature;
}

/** Whether the features behind a method are there. */
export function offers({ resources, prompts, completeAsync }: Features, method: string): boolean {
  if (method === "resources/subscribe" || method === "resources/unsubscribe")
    return resources?.watchAsync !== undefined;
  if (method.startsWith("resources/")) return resources !== undefined;
  if (method.startsWith("prompts/")) return prompts !== undefined;
  return method !== "completion/complete" || completeAsync !== undefined;
}

function capabilitiesOf({ onToolsChanged, resources, prompts, completeAsync }: Features): ServerCapabilities {
  return {
    tools: onToolsChanged === undefined ? {} : { listChanged: true },
    ...(resources === undefined ? {} : { resources: resourceCapabilities(resources) }),
    ...(prompts === undefined ? {} : { prompts: {} }),
    ...(completeAsync === undefined ? {} : { completions: {} }),
  };
}

function resourceCapabilities({ watchAsync, onListChanged }: Resources) {
  return {
    ...(watchAsync === undefined ? {} : { subscribe: true }),
    ...(onListChanged === undefined ? {} : { listChanged: true }),
  };
}

/** `initialize` in the words of dated revisions. */
export function handshakeResult(features: Features, protocolVersion: string): InitializeResult {
  const { info, instructions } = features;
  return {
    protocolVersion,
    capabilities: capabilitiesOf(features),
    serverInfo: info,
    ...(instructions === undefined ? {} : { instructions }),
  };
}

/** `initialize` in the words of 1.0 (spec 4): capabilities are true or false. */
export function plainHandshakeResult({ info }: Features, protocolVersion: string): JsonObject {
  return {
    protocolVersion,
    serverInfo: { name: info.name, version: info.version },
    capabilities: { tools: true, dynamicToolRegistration: false },
  };
}

function discovery(features: Features): JsonObject {
  const { instructions } = features;
  return {
    supportedVersions: datedVersions,
    capabilities: capabilitiesOf(features),
    ...(instructions === undefined ? {} : { instructions }),
  };
}

async function runToolAsync(running: Running): Promise<JsonObject> {
  const { params, dialect, features, signal, notify, asker } = running;
  const token = dialect === plainVersion ? undefined : progressTokenOf(params);
  let isOver = false;
  const report = (step: ProgressStep) => {
    if (token === undefined || isOver || signal.aborted) return;
    notify(notification({ method: "notifications/progress", params: { progressToken: token, ...step } }));
  };
  try {
    const tools = await features.toolsAsync();
    const call = { signal, report, ...(asker === undefined ? {} : { asker }) };
    return await callToolAsync(params, { ...running, tools, call });
  } catch (error) {
    if (error instanceof InputRequired) return error.result;
    throw error;
  } finally {
    isOver = true;
  }
}

async function listToolsAsync({ features, params, dialect }: Running): Promise<ListToolsResult> {
  // In 1.0 the method has no parameters, and what is unknown is ignored.
  if (dialect !== plainVersion) refuseCursor(params);
  const tools = await features.toolsAsync();
  return { tools: tools.map((tool) => shapeTool(tool, dialect)) };
}

async function listResourcesAsync(resources: Resources, params: JsonObject): Promise<ListResourcesResult> {
  refuseCursor(params);
  return { resources: await resources.listAsync() };
}

function listTemplates({ templates }: Resources, params: JsonObject): ListResourceTemplatesResult {
  refuseCursor(params);
  return { resourceTemplates: templates };
}

async function readResourceAsync(
  resources: Resources,
  params: JsonObject,
  signal: AbortSignal,
): Promise<ReadResourceResult> {
  const uri = uriIn(params);
  const text = await resources.readAsync(uri, signal);
  if (text === undefined) throw resourceNotFound(uri);
  return { contents: [text] };
}

async function listPromptsAsync(prompts: Prompts, params: JsonObject): Promise<ListPromptsResult> {
  refuseCursor(params);
  const all = await prompts.listAsync();
  return { prompts: all.map(({ text: _, ...entry }) => entry) };
}

async function getPromptAsync(prompts: Prompts, params: JsonObject): Promise<GetPromptResult> {
  const name = stringIn(params, "name");
  if (name === undefined) throw invalidParams("name must be a string");
  const prompt = await promptAsync(prompts, name);
  const text = prompt.text(promptArguments(prompt, params["arguments"] ?? {}));
  return {
    description: prompt.description,
    messages: [{ role: "user", content: { type: "text", text } }],
  };
}

async function promptAsync(prompts: Prompts | undefined, name: string): Promise<Prompt> {
  const all = (await prompts?.listAsync()) ?? [];
  const prompt = all.find((each) => each.name === name);
  if (prompt === undefined) throw invalidParams(`Unknown prompt: ${name}`);
  return prompt;
}

function promptArguments(prompt: Prompt, given: unknown): { readonly [name: string]: string } {
  if (!isObject(given)) throw invalidParams("arguments must be an object");
  const missing = prompt.arguments.filter(({ name, required }) => required && given[name] === undefined);
  if (missing.length > 0) {
    const names = missing.map(({ name }) => name).join(", ");
    throw invalidParams(`Missing argument of prompt ${prompt.name}: ${names}`);
  }
  return stringsIn(given);
}

async function completionAsync(
  ask: (question: CompletionQuestion) => Promise<readonly string[]>,
  prompts: Prompts | undefined,
  params: JsonObject,
): Promise<CompleteResult> {
  const argument = objectIn(params, "argument");
  const name = stringIn(argument, "name");
  const typed = stringIn(argument, "value");
  if (name === undefined || typed === undefined) throw invalidParams("argument must have a name and a value");
  const known = stringsIn(objectIn(objectIn(params, "context"), "arguments") ?? {});
  const about = referenceIn(params);
  if ("prompt" in about) await promptAsync(prompts, about.prompt);
  const found = await ask({ about, argument: name, typed, known });
  const values = found.slice(0, COMPLETION_LIMIT);
  return { completion: { values, total: found.length, hasMore: found.length > values.length } };
}

function referenceIn(params: JsonObject): CompletionQuestion["about"] {
  const reference = objectIn(params, "ref");
  const type = stringIn(reference, "type");
  const prompt = stringIn(reference, "name");
  const uriTemplate = stringIn(reference, "uri");
  if (type === "ref/prompt" && prompt !== undefined) return { prompt };
  if (type === "ref/resource" && uriTemplate !== undefined) return { uriTemplate };
  throw invalidParams("ref must be a ref/prompt with a name or a ref/resource with a uri");
}

function stringsIn(values: JsonObject): { readonly [name: string]: string } {
  const entries = Object.entries(values);
  for (const [name, value] of entries) {
    if (typeof value !== "string") throw invalidParams(`argument ${name} must be a string`);
  }
  return Object.fromEntries(entries.map(([name, value]) => [name, String(value)]));
}

export function uriIn(params: JsonObject): string {
  const uri = stringIn(params, "uri");
  if (uri === undefined) throw invalidParams("uri must be a string");
  return uri;
}

/** Nothing here comes in pages, so that every cursor is somebody else's. */
function refuseCursor({ cursor }: JsonObject): void {
  if (cursor !== undefined && cursor !== null)
    throw invalidParams(`Unknown cursor: ${JSON.stringify(cursor)}`);
}
