/** Candidates for what a person types into a prompt or a resource template: session ids and DataModel paths. */
import { wirePath } from "../../tree/instance-path.ts";
import { StudioBridgeError } from "../../protocol/errors.ts";
import type { CompletionQuestion } from "../server/features.ts";
import type { BridgeLink } from "./bridge-link.ts";

/** A person who types must not wait longer than this for candidates. */
const TIMEOUT_MS = 2_000;

/** Empty where there is no candidate. */
export async function completeAsync(link: BridgeLink, question: CompletionQuestion): Promise<string[]> {
  const { argument, typed, known } = question;
  if (argument === "sessionId") return sessionIdsAsync(link, typed);
  if (argument === "path" || argument === "parent") return pathsAsync(link, typed, known["sessionId"]);
  return [];
}

async function sessionIdsAsync(link: BridgeLink, typed: string): Promise<string[]> {
  const bridge = await link.bridgeAsync();
  const sessions = await bridge.sessionsAsync();
  return sessions.map(({ sessionId }) => sessionId).filter((id) => id.startsWith(typed));
}

async function pathsAsync(link: BridgeLink, typed: string, known: string | undefined): Promise<string[]> {
  const sessionId = known ?? (await sessionIdsAsync(link, ""))[0];
  if (sessionId === undefined) return [];
  const dot = typed.lastIndexOf(".");
  const [parent, start] =
    dot === -1 ? ["game", typed] : [wirePath(typed.slice(0, dot)), typed.slice(dot + 1)];
  const names = await childNamesAsync(link, sessionId, parent);
  const before = typed.slice(0, dot + 1);
  return names
    .filter((name) => name.toLowerCase().startsWith(start.toLowerCase()))
    .map((name) => `${before}${name.replaceAll(".", "\\.")}`);
}

async function childNamesAsync(link: BridgeLink, sessionId: string, path: string): Promise<string[]> {
  const bridge = await link.bridgeAsync();
  const request = path === "game" ? { listServices: true } : { path, depth: 1 };
  try {
    const { instance } = await bridge
      .session(sessionId)
      .callAsync("queryDataModel", request, { timeoutMs: TIMEOUT_MS });
    return [...new Set((instance.children ?? []).map(({ name }) => name))];
  } catch (error) {
    if (error instanceof StudioBridgeError) return [];
    throw error;
  }
}
