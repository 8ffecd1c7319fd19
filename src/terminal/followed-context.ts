/** Which context of a Studio a terminal works in while play tests begin and end, and how people name it. */
import type { SessionCommandContext } from "../command-kit/context.ts";
import { findSession } from "../command-kit/sessions/session-resolver.ts";
import type { SessionContext } from "../protocol/fields/contexts.ts";
import { contexts } from "../protocol/fields/contexts.ts";
import { StudioBridgeError } from "../protocol/errors.ts";
import { invalidInput } from "../protocol/messages.ts";
import type { SessionInfo } from "../protocol/network.ts";

export interface Followed {
  readonly context: SessionContext;
  /** Name or number of a client. */
  readonly player?: string;
}

type Place = Pick<SessionInfo, "context" | "player" | "state">;

/** Undefined for a terminal whose caller named a session or a context: it stays there. */
export function followedOf({ followedContext }: SessionCommandContext): Followed | undefined {
  return followedContext === undefined ? undefined : { context: followedContext };
}

/** `edit`, `server`, `client`, `client 1`, `client:1`. Throws INVALID_INPUT. */
export function namedContext(word: string): Followed {
  const [, name, player] = /^(\w+)(?:[\s:]+(.+))?$/.exec(word.trim()) ?? [];
  const context = contexts.find((each) => each === name?.toLowerCase());
  if (context === undefined || (player !== undefined && context !== "client"))
    throw invalidInput(`There is no context ${word}.`, "Use edit, server, client or client 2.");
  return { context, ...(player === undefined ? {} : { player }) };
}

/** The session in the same Studio; unless it must be just that context, the edited place stands in for one that is not there. */
export function followedIn(
  sessions: readonly SessionInfo[],
  { instanceId }: Pick<SessionInfo, "instanceId">,
  followed: Followed,
  mustBeThat = false,
): SessionInfo | undefined {
  const own = sessions.filter((each) => each.instanceId === instanceId && each.health !== "reconnecting");
  const found = findSession(own, followed);
  return found ?? (mustBeThat ? undefined : own.find(({ context }) => context === "edit"));
}

export function noContext(word: string, sessions: readonly SessionInfo[]): StudioBridgeError {
  const { context, player } = namedContext(word);
  const isUnclear = player === undefined && sessions.some((session) => session.context === context);
  const message = isUnclear ? "There are several clients." : `There is no ${word} now.`;
  return new StudioBridgeError("CONTEXT_UNAVAILABLE", message, {
    hint: `Contexts: ${sessions.map(contextLabel).join(", ")}.`,
  });
}

/** `edit`, `server`, `client 1`. */
function contextLabel({ context, player }: Pick<Place, "context" | "player">): string {
  return player === undefined ? context : `${context} ${player.index}`;
}

/** What stands before the prompt; empty while nothing plays, because there is one place to be in. */
export function promptLabel(session: Place | undefined): string {
  if (session === undefined || (session.context === "edit" && session.state === "Edit")) return "";
  return contextLabel(session);
}

export function whereText(session: Place): string {
  if (session.context === "edit") return "the edited place";
  const article = session.player === undefined ? "the " : "";
  return `${article}${contextLabel(session)} of the test`;
}

/** All contexts of a Studio, the current one first. */
export function contextsText(own: readonly SessionInfo[], current: SessionInfo): string {
  const others = own.filter(({ sessionId }) => sessionId !== current.sessionId).map(contextLabel);
  const rest = others.length === 0 ? "No test plays." : `.context goes to ${others.join(", ")}.`;
  return `In ${whereText(current)}. ${rest}`;
}
