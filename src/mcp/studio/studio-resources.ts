/** The resources of the server: sessions, logs, the DataModel, sources, and answers that were too long for a message. */
import type { BridgeConnection } from "../../bridge/index.ts";
import { wirePath } from "../../tree/instance-path.ts";
import { StudioBridgeError } from "../../protocol/errors.ts";
import type { Resources } from "../server/features.ts";
import type { JsonObject } from "../wire/json.ts";
import type { Resource, TextResourceContents } from "../wire/mcp-types.ts";
import { RpcError } from "../wire/rpc-error.ts";
import type { BridgeLink } from "./bridge-link.ts";
import { withHint } from "./failure-facts.ts";
import { cutText, fit } from "./fit.ts";
import type { KeptResults } from "./kept-results.ts";
import { logsUri, parseStudioUri, SESSIONS_URI, studioTemplates } from "./studio-uris.ts";
import type { StudioUri } from "./studio-uris.ts";
import { ResourceWatch } from "./resource-watch.ts";

const LOG_LINES = 200;
/** More than the answer of a tool, because the client chose to read it, and far below the limit of a line. */
const BUDGET_BYTES = 1024 * 1024;

/** `pauseMs`: the time between two looks at a resource whose changes Studio does not report. */
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

/** A text that was cut says so itself. */
function jsonText(facts: JsonObject) {
  const { value, cuts } = fit(facts, BUDGET_BYTES);
  const told = cuts.length === 0 ? value : { ...value, cut: cuts.map(cutText) };
  return { mimeType: "application/json", text: JSON.stringify(told) };
}

/** Watches resources whose changes Studio reports. */
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

/** Watches resources whose changes Studio does not report. */
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

/** Undefined if the Instance or session does not exist. Throws other failures. */
async function orUndefinedAsync<T>(readingAsync: () => Promise<T>): Promise<T | undefined> {
  try {
    return await readingAsync();
  } catch (error) {
    if (!(error instanceof StudioBridgeError)) throw error;
    const absent = ["SESSION_NOT_FOUND", "SESSION_GONE", "INSTANCE_NOT_FOUND", "PROPERTY_NOT_FOUND"];
    if (absent.includes(error.code)) return undefined;
    throw new RpcError("internalError", withHint(error), { code: error.code, hint: error.hint });
  }
}
