/**
 * Picks the session that a command means, out of those connected. Pure: it waits
 * for nothing, starts nothing and asks nobody.
 */
import type { SessionContext } from "../../protocol/actions.ts";
import { StudioBridgeError } from "../../protocol/errors.ts";
import {
  contextUnavailable,
  invalidInput,
  noSessions,
  playContextUnavailable,
} from "../../protocol/messages.ts";
import type { SessionInfo } from "../../protocol/network.ts";
import {
  ambiguousClient,
  ambiguousContext,
  ambiguousInstance,
  ambiguousInstanceId,
  ambiguousSessionId,
  contextMissing,
  playerNotFound,
  unknownInstance,
  unknownSession,
  wrongContext,
  wrongInstance,
} from "./session-messages.ts";
import type { SessionTarget } from "./session-target.ts";

/**
 * Throws NO_SESSION, SESSION_NOT_FOUND, AMBIGUOUS_SESSION, CONTEXT_UNAVAILABLE, PLAY_CONTEXT_UNAVAILABLE (with the
 * context and the Studio that it misses in `data`) or INVALID_INPUT.
 */
export function resolveSession(
  sessions: readonly SessionInfo[],
  target: SessionTarget,
  defaultContext: SessionContext = "edit",
): SessionInfo {
  const context = requestedContext(target);
  if (target.sessionId !== undefined) {
    const session = bySessionId(sessions, target.sessionId, context);
    if (target.instanceId !== undefined && !session.instanceId.startsWith(target.instanceId))
      throw wrongInstance(session, target.instanceId);
    return session;
  }
  const group = oneInstance(preferConnected(sessions), target.instanceId);
  return byContext(group, context, target.player, defaultContext);
}

/** Undefined where `resolveSession` throws. */
export function findSession(...args: Parameters<typeof resolveSession>): SessionInfo | undefined {
  try {
    return resolveSession(...args);
  } catch (error) {
    if (error instanceof StudioBridgeError) return undefined;
    throw error;
  }
}

/** A Studio that has just gone is no choice beside one that is there. */
function preferConnected(sessions: readonly SessionInfo[]): readonly SessionInfo[] {
  const connected = sessions.filter(({ health }) => health !== "reconnecting");
  return connected.length > 0 ? connected : sessions;
}

/** `--player` means a client. */
function requestedContext({ context, player }: SessionTarget): SessionContext | undefined {
  if (player === undefined || context === "client") return context;
  if (context === undefined) return "client";
  throw invalidInput(
    `Cannot use --player with --context ${context}.`,
    "--player chooses between clients; leave out one of the two.",
  );
}

function bySessionId(
  sessions: readonly SessionInfo[],
  sessionId: string,
  context: SessionContext | undefined,
): SessionInfo {
  const wanted = sessionId.toLowerCase();
  const exact = sessions.find((session) => session.sessionId.toLowerCase() === wanted);
  const matches = exact
    ? [exact]
    : sessions.filter((session) => session.sessionId.toLowerCase().startsWith(wanted));
  const [match, second] = matches;
  if (match === undefined) throw unknownSession(sessionId, sessions);
  if (second !== undefined) throw ambiguousSessionId(sessionId, matches);
  if (context !== undefined && context !== match.context) throw wrongContext(match, context, sessions);
  return match;
}

function oneInstance(sessions: readonly SessionInfo[], instanceId: string | undefined): SessionInfo[] {
  if (sessions.length === 0) throw noSessions();
  const groups = [...Map.groupBy(sessions, (session) => session.instanceId).values()];
  if (instanceId === undefined) {
    const [group, second] = groups;
    if (group === undefined) throw noSessions();
    if (second !== undefined) throw ambiguousInstance(sessions);
    return group;
  }
  const idOf = (group: readonly SessionInfo[]) => group[0]?.instanceId ?? "";
  const exact = groups.find((group) => idOf(group) === instanceId);
  if (exact !== undefined) return exact;
  const matches = groups.filter((group) => idOf(group).startsWith(instanceId));
  const [match, second] = matches;
  if (match === undefined) throw unknownInstance(instanceId, sessions);
  if (second !== undefined) throw ambiguousInstanceId(instanceId, matches.flat());
  return match;
}

function byContext(
  group: readonly SessionInfo[],
  context: SessionContext | undefined,
  player: string | undefined,
  defaultContext: SessionContext,
): SessionInfo {
  const of = (wanted: SessionContext) => group.filter((session) => session.context === wanted);
  if (context !== undefined) {
    const matches = of(context);
    if (matches.length > 0) return onePlayer(matches, player);
    if (group.some((session) => session.context !== "edit")) throw contextMissing(context, group);
    const playing = group.find(({ state }) => state === "Play");
    throw playing === undefined
      ? contextUnavailable(context)
      : playContextUnavailable(context, playing.instanceId);
  }
  const [only, second] = group;
  if (only !== undefined && second === undefined) return only;
  for (const choice of [of(defaultContext), of("edit")]) {
    if (choice.length > 0) return onePlayer(choice, player);
  }
  throw ambiguousContext(group);
}

function onePlayer(candidates: readonly SessionInfo[], player: string | undefined): SessionInfo {
  const matches =
    player === undefined
      ? candidates
      : candidates.filter(
          ({ player: own }) =>
            own !== undefined &&
            (own.name.toLowerCase() === player.toLowerCase() || String(own.index) === player),
        );
  const [match, second] = matches;
  if (match === undefined) throw playerNotFound(player ?? "", candidates);
  if (second !== undefined) throw ambiguousClient(matches);
  return match;
}
