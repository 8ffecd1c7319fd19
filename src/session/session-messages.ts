/**
 * The sentences about choosing a session, how sessions are listed in them, and what results say of the session they are from.
 */
import type { SessionEvent } from "../bridge/index.ts";
import type { SessionContext } from "../protocol/fields/contexts.ts";
import { StudioBridgeError } from "../protocol/errors.ts";
import { invalidInput, SEE_SESSIONS, sessionNotFound } from "../protocol/messages.ts";
import type { SessionInfo } from "../protocol/network.ts";
import type { Zod } from "../protocol/schema.ts";
import type { SessionTarget } from "./session-target.ts";
import { nearest } from "../util/nearest.ts";
import { visibleOnOneLine } from "../util/visible-controls.ts";

const SHORT_ID_LENGTH = 8;

const limits = { look: "look only", ask: "asks first", askFrom5: "asks first from 5 Instances" } as const;

/** What the person at Studio does not allow, or not without a question; undefined where everything is allowed. */
export function restriction({
  permission,
  pausedSince,
}: Pick<SessionInfo, "permission" | "pausedSince">): string | undefined {
  if (pausedSince !== undefined) return `paused since ${new Date(pausedSince).toTimeString().slice(0, 5)}`;
  return permission === undefined || permission === "everything" ? undefined : limits[permission];
}

/** `edit` for wires, `Edit` for people. */
export function contextTitle({ context, player }: Pick<SessionInfo, "context" | "player">): string {
  const title = context[0]?.toUpperCase() + context.slice(1);
  return player === undefined ? title : `${title} ${visibleOnOneLine(player.name)}`;
}

/** The fewest first characters, eight at least, that no other session shares. */
export function shortSessionId(
  sessionId: string,
  sessions: readonly Pick<SessionInfo, "sessionId">[],
): string {
  return shortId(
    sessionId,
    sessions.map((session) => session.sessionId),
  );
}

/** As much of an id as tells it from all the others. */
export function shortId(id: string, all: readonly string[]): string {
  let length = SHORT_ID_LENGTH;
  const isShared = () => all.some((other) => other !== id && other.startsWith(id.slice(0, length)));
  while (length < id.length && isShared()) length += 1;
  return id.slice(0, length);
}

/** Sessions grouped by Studio, as lines to read and ids to copy. */
function sessionList(sessions: readonly SessionInfo[]): string {
  const lines: string[] = [];
  for (const [instanceId, group] of Map.groupBy(sessions, (session) => session.instanceId)) {
    const placeName = visibleOnOneLine(group[0]?.placeName ?? "");
    lines.push(`  ${placeName} (instance ${visibleOnOneLine(instanceId)})`);
    for (const session of group)
      lines.push(`    ${shortSessionId(session.sessionId, sessions)}  ${contextTitle(session)}`);
  }
  return lines.join("\n");
}

function ambiguous(message: string, sessions: readonly SessionInfo[], hint: string): StudioBridgeError {
  const facts = sessions.map(({ sessionId, instanceId, context, placeName, player }) => ({
    sessionId,
    instanceId,
    context,
    placeName,
    ...(player === undefined ? {} : { player }),
  }));
  return new StudioBridgeError("AMBIGUOUS_SESSION", `${message}\n${sessionList(sessions)}`, {
    hint,
    data: { sessions: facts },
  });
}

function sessionHint(sessions: readonly SessionInfo[]): string {
  const [first] = sessions;
  return first === undefined ? "" : `For example: --session ${shortSessionId(first.sessionId, sessions)}`;
}

export function ambiguousInstance(sessions: readonly SessionInfo[]): StudioBridgeError {
  const message = "Multiple Studio instances connected. Use --session or --instance to specify one:";
  return ambiguous(message, sessions, sessionHint(sessions));
}

export function ambiguousInstanceId(instanceId: string, sessions: readonly SessionInfo[]): StudioBridgeError {
  const message = `Several Studio instances have an id that starts with ${instanceId}:`;
  return ambiguous(message, sessions, "Give more of the id, or choose with --session.");
}

export function ambiguousPlace(name: string, sessions: readonly SessionInfo[]): StudioBridgeError {
  const message = `Several Studio instances have the place ${visibleOnOneLine(name)} open:`;
  return ambiguous(message, sessions, sessionHint(sessions));
}

/** The name of a place without the ending of its file: `Lobby` of `Lobby.rbxl`. */
export function bareName(placeName: string): string {
  return placeName.replace(/\.rbxlx?$/i, "");
}

export function ambiguousSessionId(sessionId: string, sessions: readonly SessionInfo[]): StudioBridgeError {
  const message = `Several sessions have an id that starts with ${sessionId}:`;
  return ambiguous(message, sessions, "Give more of the id.");
}

export function ambiguousContext(sessions: readonly SessionInfo[]): StudioBridgeError {
  return ambiguous("Several contexts are connected. Use --context to specify one:", sessions, "");
}

export function ambiguousClient(sessions: readonly SessionInfo[]): StudioBridgeError {
  const players = sessions.flatMap(({ player }) => (player === undefined ? [] : [player]));
  const [first] = players;
  if (first === undefined) {
    const message = "Several sessions have this context. Use --session to specify one:";
    return ambiguous(message, sessions, sessionHint(sessions));
  }
  const message = "Several clients are connected. Use --player to specify one:";
  return ambiguous(message, sessions, `For example: --player ${first.index}`);
}

/** The message says how to list them all, so the hint says what there is. */
export function unknownSession(sessionId: string, sessions: readonly SessionInfo[]): StudioBridgeError {
  const { code, message, data } = sessionNotFound(sessionId);
  const names = sessions.map(
    (session) => `${shortSessionId(session.sessionId, sessions)} (${placeAndContext(session)})`,
  );
  const guess = nearest(
    sessionId,
    sessions.map(({ placeName }) => bareName(placeName)),
  );
  const question = guess === undefined ? "" : `Did you mean ${visibleOnOneLine(guess)}? `;
  const hint = `${question}${connectedHint(names)}`;
  return new StudioBridgeError(code, message, { data, outcome: "not_started", hint });
}

export function unknownInstance(instanceId: string, sessions: readonly SessionInfo[]): StudioBridgeError {
  const message = `Instance not found: ${instanceId}. ${SEE_SESSIONS}`;
  const names = sessions.map((session) => `${visibleOnOneLine(session.instanceId)} (${placeOf(session)})`);
  return new StudioBridgeError("SESSION_NOT_FOUND", message, {
    data: { instanceId },
    hint: connectedHint([...new Set(names)]),
  });
}

const placeOf = ({ placeName }: SessionInfo) => visibleOnOneLine(placeName);
const placeAndContext = (session: SessionInfo) => `${placeOf(session)}, ${contextTitle(session)}`;

const MAX_NAMED = 4;

function connectedHint(names: readonly string[]): string {
  if (names.length === 0) return "Nothing is connected.";
  const more = names.length > MAX_NAMED ? `, and ${names.length - MAX_NAMED} more` : "";
  return `Connected: ${names.slice(0, MAX_NAMED).join(", ")}${more}.`;
}

export function playerNotFound(player: string, clients: readonly SessionInfo[]): StudioBridgeError {
  const known = clients.map(contextTitle).join(", ");
  const message = `No client belongs to player ${visibleOnOneLine(player)}. Connected: ${known}.`;
  return new StudioBridgeError("SESSION_NOT_FOUND", message, { data: { player } });
}

/** The host knows the session, and its plugin did not come back in time. */
export function sessionDisconnected(sessionId: string): StudioBridgeError {
  const message = `Session ${sessionId} exists but the plugin is not connected. Studio may have been closed.`;
  return new StudioBridgeError("SESSION_GONE", message, {
    data: { sessionId },
    outcome: "not_started",
    hint: SEE_SESSIONS,
  });
}

export function contextMissing(context: SessionContext, group: readonly SessionInfo[]): StudioBridgeError {
  const message = `No ${context} context available. Connected: ${group.map(contextTitle).join(", ")}.`;
  return new StudioBridgeError("CONTEXT_UNAVAILABLE", message, {
    data: { context },
    hint: "Choose one of the connected contexts with --context.",
  });
}

/** A session belongs to one Studio, so an instance beside it may only agree. */
export function wrongInstance({ sessionId, instanceId }: SessionInfo, wanted: string): StudioBridgeError {
  return invalidInput(
    `Session ${sessionId} is of the instance ${visibleOnOneLine(instanceId)}, not ${visibleOnOneLine(wanted)}.`,
    "Leave out one of the two.",
  );
}

/** A session that came, went or changed its mode, as one line. */
export function sessionNews(event: SessionEvent["event"], session: SessionInfo): string {
  const name = `${contextTitle(session)} of ${visibleOnOneLine(session.placeName)} (${shortSessionId(session.sessionId, [])})`;
  return event === "state-changed"
    ? `${name} is in ${session.state} mode, ${session.health}.`
    : `${name} ${event}.`;
}

/** Which session a command uses, and why this one. */
export function chosenText(session: SessionInfo, target: SessionTarget, isOwn: boolean): string {
  const { sessionId, placeName, origin, state } = session;
  const what = `${sessionId} is ${contextTitle(session)} of ${visibleOnOneLine(placeName)}`;
  return `${what} (${origin}, in ${state} mode), chosen ${reasonText(target, isOwn)}`;
}

function reasonText({ sessionId, instanceId, player, context }: SessionTarget, isOwn: boolean): string {
  const reasons = [
    ...(isOwn ? ["as the command's own Studio"] : []),
    ...(sessionId === undefined ? [] : [`by session id ${sessionId}`]),
    ...(instanceId === undefined ? [] : [`by instance id ${instanceId}`]),
    ...(context === undefined ? [] : [`by context ${context}`]),
    ...(player === undefined ? [] : [`by player ${player}`]),
  ];
  return reasons.length > 0 ? reasons.join(", ") : "as the command's default in the only Studio there is";
}

/** For people who wait for a bridge host that was started and is slow to answer. */
export const SLOW_HOST = "(the bridge host is slow to start; still waiting)";

/** What people who wait are told when the bridge host stops answering, and when it answers again. */
export function quietText(isQuiet: boolean): string {
  return isQuiet ? "(the bridge host does not answer; still waiting)" : "(the bridge host answers again)";
}

/** Headless Studio brings its own plugin, so that there is nothing to install. */
export function hasOldPlugin({ pluginUpdateAvailable, origin }: SessionInfo): boolean {
  return pluginUpdateAvailable === true && origin !== "headless";
}

/** A field of results: the changes of a call in a play test are gone when the test ends. Absent in the edited place. */
export const untilTestEndsField = (z: Zod) => ({ untilTestEnds: z.literal(true).optional() });

export function untilTestEnds({ context }: Pick<SessionInfo, "context">): { readonly untilTestEnds?: true } {
  return context === "edit" ? {} : { untilTestEnds: true };
}
