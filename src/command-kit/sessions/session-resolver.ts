/** Picks the session that a command means from those connected. Pure: it does not wait, start a Studio or ask. */
import type { SessionContext } from "../../protocol/fields/contexts.ts";
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
  ambiguousPlace,
  ambiguousSessionId,
  bareName,
  contextMissing,
  playerNotFound,
  unknownInstance,
  unknownSession,
  wrongInstance,
} from "../../session/session-messages.ts";
import type { SessionTarget } from "../../session/session-target.ts";

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
  const named = withPlaceName(preferConnected(sessions), target.sessionId);
  if (target.sessionId !== undefined && named.length > 0) {
    const group = oneInstance(named, target.instanceId, () => ambiguousPlace(target.sessionId ?? "", named));
    return byContext(group, context, target.player, defaultContext);
  }
  if (target.sessionId !== undefined) {
    const session = bySessionId(sessions, target.sessionId);
    if (target.instanceId !== undefined && !startsWith(session.instanceId, target.instanceId))
      throw wrongInstance(session, target.instanceId);
    const isMeant = context === undefined || (context === session.context && target.player === undefined);
    return isMeant ? session : byContext(studioOf(session, sessions), context, target.player, defaultContext);
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

/** The whole id, or those that start with these characters, in any letter case. */
function withId<Item>(items: readonly Item[], idOf: (item: Item) => string, wanted: string): readonly Item[] {
  const exact = items.filter((item) => idOf(item).toLowerCase() === wanted.toLowerCase());
  return exact.length > 0 ? exact : items.filter((item) => startsWith(idOf(item), wanted));
}

function startsWith(id: string, wanted: string): boolean {
  return id.toLowerCase().startsWith(wanted.toLowerCase());
}

/** A place that has exactly this name, in any letter case and also without the ending of its file, counts before ids. */
function withPlaceName(sessions: readonly SessionInfo[], wanted = ""): readonly SessionInfo[] {
  const names = (placeName: string) => [placeName, bareName(placeName)].map((name) => name.toLowerCase());
  return sessions.filter(({ placeName }) => names(placeName).includes(wanted.toLowerCase()));
}

function bySessionId(sessions: readonly SessionInfo[], wanted: string): SessionInfo {
  const matches = withId(sessions, ({ sessionId }) => sessionId, wanted);
  const [match, second] = matches;
  if (match === undefined) throw unknownSession(wanted, sessions);
  if (second !== undefined) throw ambiguousSessionId(wanted, matches);
  return match;
}

/** A session beside a context or a player says which Studio is meant; those choose the session in it. */
function studioOf({ instanceId }: SessionInfo, sessions: readonly SessionInfo[]): readonly SessionInfo[] {
  return sessions.filter((other) => other.instanceId === instanceId);
}

function oneInstance(
  sessions: readonly SessionInfo[],
  instanceId: string | undefined,
  ambiguity = () => ambiguousInstance(sessions),
): SessionInfo[] {
  if (sessions.length === 0) throw noSessions();
  const groups = [...Map.groupBy(sessions, (session) => session.instanceId).values()];
  if (instanceId === undefined) {
    const [group, second] = groups;
    if (group === undefined) throw noSessions();
    if (second !== undefined) throw ambiguity();
    return group;
  }
  const matches = withId(groups, ([first]) => first?.instanceId ?? "", instanceId);
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
