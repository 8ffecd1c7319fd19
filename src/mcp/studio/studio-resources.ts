/** What clients may read without calling a tool: sessions, logs, the DataModel, sources, and long answers. */
import type { BridgeConnection } from "../../bridge/index.ts";
import { wirePath } from "../../command/words/instance-path.ts";
import { StudioBridgeError } from "../../protocol/errors.ts";
import type { Resources } from "../server/features.ts";
import type { JsonObject } from "../wire/json.ts";
import type { Resource, TextResourceContents } from "../wire/mcp-types.ts";
import { RpcError } from "../wire/rpc-error.ts";
import type { BridgeLink } from "./bridge-link.ts";
import { cutText, fit } from "./fit.ts";
import type { KeptResults } from "./kept-results.ts";
import { logsUri, parseStudioUri, SESSIONS_URI, studioTemplates } from "./studio-uris.ts";
import type { StudioUri } from "./studio-uris.ts";
import { ResourceWatch } from "./resource-watch.ts";

const LOG_LINES = 200;
/** Clients read what they chose to read, so more than a tool's answer; far below what a line may hold. */
const BUDGET_BYTES = 1024 * 1024;

/** `pauseMs`: between looks at what nobody pushes. */
export function studioResources(
  link: BridgeLink,
  kept: KeptResults,
  { pauseMs }: { readonly pauseMs?: number } = {},
): Resources {
  return {
    templates: studioTemplates,
    listAsync: async () => listAsync(await link.bridgeAsync()),
    readAsync: async (uri, signal) => {
      const named = parseStudioUri(uri);
      if (named === undefined) return kept.read(uri);
      const bridge = await link.bridgeAsync();
      return orUndefinedAsync(async () => ({ uri, ...(await readAsync(named, bridge, signal)) }));
    },
    watchAsync: async (uri, onUpdate) => {
      const named = parseStudioUri(uri);
      if (named?.kind === "tree" || named?.kind === "script")
        return watchReadingAsync(named, link, onUpdate, pauseMs);
      return watchPushesAsync(named, link, onUpdate);
    },
    onListChanged: (listener) =>
      link.onSessionEvent(({ event }) => {
        if (event !== "state-changed") listener();
      }),
  };
}

async function listAsync(bridge: BridgeConnection): Promise<Resource[]> {
  const sessions = await bridge.sessionsAsync();
  const mimeType = "application/json";
  return [
    {
      uri: SESSIONS_URI,
      name: "sessions",
      title: "Connected Studios",
      description: "Every session of every Studio. Can be subscribed to.",
      mimeType,
    },
    ...sessions.map(({ sessionId, placeName, context }) => ({
      uri: logsUri(sessionId),
      name: `logs of ${placeName} (${context})`,
      mimeType,
    })),
  ];
}

async function readAsync(
  named: StudioUri,
  bridge: BridgeConnection,
  signal: AbortSignal,
): Promise<Pick<TextResourceContents, "mimeType" | "text">> {
  if (named.kind === "sessions") {
    const sessions = await bridge.sessionsAsync();
    return jsonText({ sessions });
  }
  const session = bridge.session(named.sessionId);
  if (named.kind === "logs")
    return jsonText(await session.callAsync("queryLogs", { count: LOG_LINES }, { signal }));
  const path = wirePath(named.path);
  if (named.kind === "tree") {
    const request = { path, depth: 1, includeAttributes: true };
    return jsonText(await session.callAsync("queryDataModel", request, { signal }));
  }
  const request = { path, properties: ["Source"] };
  const { instance } = await session.callAsync("queryDataModel", request, { signal });
  const source = instance.properties["Source"];
  return { mimeType: "text/x-luau", text: typeof source === "string" ? source : JSON.stringify(source) };
}

/** What had to go is said in the text itself. */
function jsonText(facts: JsonObject) {
  const { value, cuts } = fit(facts, BUDGET_BYTES);
  const told = cuts.length === 0 ? value : { ...value, cut: cuts.map(cutText) };
  return { mimeType: "application/json", text: JSON.stringify(told) };
}

/** What Studio tells about by itself. */
async function watchPushesAsync(
  named: StudioUri | undefined,
  link: BridgeLink,
  onUpdate: () => void,
): Promise<AsyncDisposable | undefined> {
  if (named?.kind === "sessions") {
    await link.bridgeAsync();
    const stop = link.onSessionEvent(onUpdate);
    return { [Symbol.asyncDispose]: async () => stop() };
  }
  if (named?.kind !== "logs") return undefined;
  const bridge = await link.bridgeAsync();
  return orUndefinedAsync(() => bridge.session(named.sessionId).subscribeAsync(["logPush"], onUpdate));
}

/** What Studio tells nothing about. */
async function watchReadingAsync(
  named: StudioUri,
  link: BridgeLink,
  onUpdate: () => void,
  pauseMs?: number,
): Promise<AsyncDisposable | undefined> {
  const textAsync = async (signal: AbortSignal) => {
    const bridge = await link.bridgeAsync();
    const read = await orUndefinedAsync(() => readAsync(named, bridge, signal));
    return read?.text;
  };
  const first = await textAsync(new AbortController().signal);
  return first === undefined ? undefined : new ResourceWatch(first, textAsync, onUpdate, pauseMs);
}

/** What is not there is undefined; other failures are told. */
async function orUndefinedAsync<T>(readingAsync: () => Promise<T>): Promise<T | undefined> {
  try {
    return await readingAsync();
  } catch (error) {
    if (!(error instanceof StudioBridgeError)) throw error;
    const absent = ["SESSION_NOT_FOUND", "SESSION_GONE", "INSTANCE_NOT_FOUND", "PROPERTY_NOT_FOUND"];
    if (absent.includes(error.code)) return undefined;
    throw new RpcError("internalError", error.message, { code: error.code, hint: error.hint });
  }
}
