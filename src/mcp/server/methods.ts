/**
 * The result of each method. The caller has decided on the dialect before, and adds what every result of a dialect carries.
 */
import { datedVersions, plainVersion } from "../wire/dialects.ts";
import { isObject, objectIn, stringIn } from "../wire/json.ts";
import type { JsonObject } from "../wire/json.ts";
import type {
  CompleteResult,
  GetPromptResult,
  ListPromptsResult,
  ListResourcesResult,
  ListResourceTemplatesResult,
  ListToolsResult,
  ReadResourceResult,
  ServerCapabilities,
} from "../wire/mcp-types.ts";
import { invalidParams, RpcError } from "../wire/rpc-error.ts";
import { shapeTool } from "../wire/shape.ts";
import { callToolAsync, progressTokenOf } from "./call-tool.ts";
import { InputRequired } from "./asking.ts";
import type {
  CompletionQuestion,
  Features,
  ProgressStep,
  Prompt,
  Prompts,
  Resources,
  ToolCall,
} from "./features.ts";
import type { OpenRequest, ServerOptions } from "./open-request.ts";
import { listenAsync, resourceNotFound } from "./subscriptions.ts";
import { mayBecomeTask, taskResult, tasksExtension } from "./tasks.ts";

const COMPLETION_LIMIT = 100;

/** Every method but `initialize`, `resources/subscribe` and `resources/unsubscribe`, which change the connection. */
export function perform(request: OpenRequest): JsonObject | Promise<JsonObject> {
  const { method, params, features, signal } = request;
  const { resources, prompts, completeAsync } = features;
  switch (method) {
    case "ping":
      return {};
    case "server/discover":
      return discovery(request);
    case "tools/list":
      return listToolsAsync(request);
    case "tools/call":
      return runToolAsync(request);
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
      return listenAsync(request);
    case "tasks/get":
    case "tasks/update":
    case "tasks/cancel":
      return taskResult(method, params, offered(request.tasks));
    default:
      throw new RpcError("methodNotFound", `There is no method ${method}.`);
  }
}

function offered<Feature>(feature: Feature | undefined): Feature {
  if (feature === undefined) throw new RpcError("methodNotFound", "This server does not offer that.");
  return feature;
}

/** Whether the server has the feature that a method needs. */
export function offers({ features, tasks }: ServerOptions, method: string): boolean {
  const { resources, prompts, completeAsync } = features;
  if (method.startsWith("tasks/")) return tasks !== undefined;
  if (method === "resources/subscribe" || method === "resources/unsubscribe")
    return resources?.watchAsync !== undefined;
  if (method.startsWith("resources/")) return resources !== undefined;
  if (method.startsWith("prompts/")) return prompts !== undefined;
  return method !== "completion/complete" || completeAsync !== undefined;
}

export function capabilitiesOf({
  onToolsChanged,
  resources,
  prompts,
  completeAsync,
}: Features): ServerCapabilities {
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

/** The result of `initialize` in 1.0, whose capabilities are true or false. */
export function plainHandshakeResult({ info }: Features, protocolVersion: string): JsonObject {
  return {
    protocolVersion,
    serverInfo: { name: info.name, version: info.version },
    capabilities: { tools: true, dynamicToolRegistration: false },
  };
}

function discovery({ features, tasks }: OpenRequest): JsonObject {
  const { instructions } = features;
  const extensions = tasks === undefined ? {} : { extensions: tasksExtension };
  return {
    supportedVersions: datedVersions,
    capabilities: { ...capabilitiesOf(features), ...extensions },
    ...(instructions === undefined ? {} : { instructions }),
  };
}

async function runToolAsync(request: OpenRequest): Promise<JsonObject> {
  const { params, dialect, client, features, signal, notify, asker, rootsAsync } = request;
  const token = dialect === plainVersion ? undefined : progressTokenOf(params);
  let isOver = false;
  const report = (step: ProgressStep) => {
    if (token === undefined || isOver || signal.aborted) return;
    notify({ method: "notifications/progress", params: { progressToken: token, ...step } });
  };
  try {
    const tools = await features.toolsAsync();
    const call = {
      client,
      signal,
      report,
      ...(asker === undefined ? {} : { asker }),
      ...(rootsAsync === undefined ? {} : { rootsAsync }),
    };
    const runAsync = (parts: Partial<ToolCall> = {}) =>
      callToolAsync(params, { ...request, tools, call: { ...call, ...parts } });
    const tool = tools.find(({ name }) => name === params["name"]);
    const { tasks } = request;
    return await (tasks === undefined || !mayBecomeTask(dialect, params, tool)
      ? runAsync()
      : tasks.runAsync(call, runAsync));
  } catch (error) {
    if (error instanceof InputRequired) return error.result;
    throw error;
  } finally {
    isOver = true;
  }
}

async function listToolsAsync({ features, params, dialect }: OpenRequest): Promise<ListToolsResult> {
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

/** No list here comes in pages, so no cursor can have come from this server. */
function refuseCursor({ cursor }: JsonObject): void {
  if (cursor !== undefined && cursor !== null)
    throw invalidParams(`Unknown cursor: ${JSON.stringify(cursor)}`);
}
