/** What the place of a connected Studio offers at the Tab key: paths, properties of an Instance, checkpoints. */
import type { BridgeConnection } from "../../bridge/index.ts";
import { findSession } from "../sessions/session-resolver.ts";
import { propertyCandidates } from "./api-candidates.ts";
import type { Candidate } from "./completion-candidates.ts";
import { typedFlag } from "./typed-flag.ts";
import { loadClassApiAsync } from "../../headless/index.ts";
import { contexts } from "../../protocol/fields/contexts.ts";
import type { SessionInfo } from "../../protocol/network.ts";
import { listCheckpointsAsync } from "../../tree/checkpoints/checkpoint-store.ts";
import { wirePath } from "../../tree/instance-path.ts";

/** Only such a name needs no quotes in a path, and none for the shell. */
const PLAIN = /^[A-Za-z_]\w*$/;

/** The session that the words of a command mean; undefined where they leave it open. */
export function meantSession(
  sessions: readonly SessionInfo[],
  words: readonly string[],
): SessionInfo | undefined {
  const sessionId = typedFlag(words, "session") ?? process.env["SB_SESSION"];
  const instanceId = typedFlag(words, "instance");
  const typedContext = typedFlag(words, "context");
  const context = contexts.find((name) => name === typedContext);
  return findSession(sessions, {
    ...(sessionId === undefined ? {} : { sessionId }),
    ...(instanceId === undefined ? {} : { instanceId }),
    ...(context === undefined ? {} : { context }),
  });
}

/** The children of what `partial` leads to before its last dot, and its properties where these are meant too. */
export async function pathCandidatesAsync(
  bridge: BridgeConnection,
  session: SessionInfo,
  partial: string,
  hasMembers = false,
): Promise<readonly Candidate[]> {
  const dot = partial.lastIndexOf(".");
  const lead = partial.slice(0, dot + 1);
  const parent = dot === -1 ? "game" : wirePath(partial.slice(0, dot));
  const { instance } = await bridge
    .session(session.sessionId)
    .callAsync("queryDataModel", { path: parent, depth: 1, properties: [] });
  const byName = new Map((instance.children ?? []).map(({ name, className }) => [name, className]));
  // There are many properties in each Instance, so that they wait for a first letter where there are children.
  const showsMembers = hasMembers && (partial.length > lead.length || byName.size === 0);
  const members = showsMembers ? propertyCandidates(await loadClassApiAsync(), instance.className) : [];
  return [
    ...[...byName]
      .filter(([name]) => PLAIN.test(name))
      .map(([name, className]) => ({ value: `${lead}${name}`, description: className })),
    ...members.map(({ value, description }) => ({ value: `${lead}${value}`, description })),
  ];
}

export async function classAtAsync(
  bridge: BridgeConnection,
  session: SessionInfo,
  path: string,
): Promise<string> {
  const { instance } = await bridge
    .session(session.sessionId)
    .callAsync("queryDataModel", { path: wirePath(path), properties: [] });
  return instance.className;
}

export async function checkpointCandidatesAsync(session: SessionInfo): Promise<readonly Candidate[]> {
  const checkpoints = await listCheckpointsAsync(session);
  return checkpoints.map(({ name }) => ({ value: name, description: "" }));
}

/** Checkpoints as `sb diff` takes them. */
export async function checkpointSidesAsync(session: SessionInfo): Promise<readonly Candidate[]> {
  const checkpoints = await checkpointCandidatesAsync(session);
  return checkpoints.map(({ value }) => ({ value: `checkpoint:${value}`, description: "" }));
}
