/** Asks the person at the terminal to choose when several sessions fit. */
import type { SessionContext } from "../../protocol/fields/contexts.ts";
import { StudioBridgeError } from "../../protocol/errors.ts";
import type { SessionInfo } from "../../protocol/network.ts";
import { visibleOnOneLine } from "../../util/visible-controls.ts";
import type { CommandContext } from "../context.ts";
import { contextTitle, shortSessionId } from "../../session/session-messages.ts";
import { resolveSession } from "./session-resolver.ts";
import type { SessionTarget } from "../../session/session-target.ts";

interface Ambiguity {
  readonly error: unknown;
  readonly target: SessionTarget;
  readonly defaultContext: SessionContext | undefined;
}

/**
 * Asks the person at the terminal which session to use. Throws the given error if it is not about several sessions, or
 * if no person can answer.
 */
export async function chosenSessionAsync(
  { chooseAsync }: Pick<CommandContext, "chooseAsync">,
  sessions: readonly SessionInfo[],
  { error, target, defaultContext }: Ambiguity,
): Promise<SessionInfo> {
  if (!(error instanceof StudioBridgeError) || error.code !== "AMBIGUOUS_SESSION") throw error;
  const fitting = fittingIn(error, sessions);
  const studios = new Set(fitting.map(({ instanceId }) => instanceId));
  // With several Studios the question is which one; the command's own rules choose the context in it.
  const choices =
    studios.size > 1
      ? [...studios].flatMap((id) => fitting.find(({ instanceId }) => instanceId === id) ?? [])
      : fitting;
  const chosen = await chooseAsync?.(
    studios.size > 1 ? "Which Studio?" : "Which session?",
    choices.map((session) => ({
      value: session.sessionId,
      label: visibleOnOneLine(session.placeName),
      hint: `${studios.size > 1 ? "" : `${contextTitle(session)}, `}${shortSessionId(session.sessionId, sessions)}`,
    })),
  );
  const session = choices.find(({ sessionId }) => sessionId === chosen);
  if (session === undefined) throw error;
  if (studios.size <= 1) return session;
  const { sessionId: _, ...rest } = target;
  return resolveSession(sessions, { ...rest, instanceId: session.instanceId }, defaultContext);
}

function fittingIn({ data }: StudioBridgeError, sessions: readonly SessionInfo[]): readonly SessionInfo[] {
  const listed: readonly unknown[] = Array.isArray(data["sessions"]) ? data["sessions"] : [];
  const ids = new Set(listed.map((each) => Object(each).sessionId));
  return sessions.filter(({ sessionId }) => ids.has(sessionId));
}
