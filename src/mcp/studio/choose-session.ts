/**
 * Asks which of several sessions a call means, if the client can ask its user; the call then continues with that
 * session.
 */
import { shortSessionId } from "../../session/session-messages.ts";
import { StudioBridgeError } from "../../protocol/errors.ts";
import type { Asker, Elicited, Question } from "../server/features.ts";
import { isObject, objectIn, stringIn } from "../wire/json.ts";
import type { JsonObject } from "../wire/json.ts";

/** The arguments that name a session, which are the questions that can be asked. */
const targets = ["instanceId", "sessionId"] as const;
type Target = (typeof targets)[number];

/** Throws what `runAsync` throws; AMBIGUOUS_SESSION only if no session was chosen. */
export async function withChoiceAsync<T>(
  args: JsonObject,
  asker: Asker | undefined,
  runAsync: (args: JsonObject) => Promise<T>,
): Promise<T> {
  const earlier = asker === undefined ? {} : chosenBefore(asker);
  try {
    return await runAsync({ ...args, ...earlier });
  } catch (error) {
    const isOpen = error instanceof StudioBridgeError && error.code === "AMBIGUOUS_SESSION";
    if (!isOpen || asker === undefined || Object.keys(earlier).length > 0) throw error;
    const target = targetOf(error, args);
    const chosen = chosenIn(target, await asker.askAsync(questionOf(target, error)));
    if (chosen === undefined) throw error;
    return runAsync({ ...args, ...chosen });
  }
}

/** A choice made before this call holds, even if only one session is left, because that one may be another. */
function chosenBefore(asker: Asker): JsonObject {
  for (const target of targets) {
    const answer = asker.answered(target);
    const chosen = answer === undefined ? undefined : chosenIn(target, answer);
    if (chosen !== undefined) return chosen;
  }
  return {};
}

function chosenIn(target: Target, { action, content }: Elicited): JsonObject | undefined {
  const id = stringIn(content, target);
  return action === "accept" && id !== undefined ? { [target]: id } : undefined;
}

/** With several Studios the question is which Studio, whose context the command chooses; otherwise which session. */
function targetOf(error: StudioBridgeError, args: JsonObject): Target {
  const instances = new Set(sessionsIn(error).map(({ instanceId }) => instanceId));
  return instances.size > 1 && args["sessionId"] === undefined ? "instanceId" : "sessionId";
}

function questionOf(target: Target, error: StudioBridgeError): Question {
  const sessions = sessionsIn(error);
  const choices =
    target === "instanceId"
      ? sessions.filter(
          ({ instanceId }, index) => sessions.findIndex((each) => each.instanceId === instanceId) === index,
        )
      : sessions;
  const noun = target === "instanceId" ? "Roblox Studio" : "session";
  return {
    key: target,
    message: `Several ${noun}s fit. Which one is meant?`,
    form: {
      type: "object",
      properties: {
        [target]: {
          type: "string",
          title: noun,
          oneOf: choices.map((each) => ({
            const: each[target],
            title:
              target === "instanceId"
                ? `${each.placeName} (${shortSessionId(each.sessionId, sessions)})`
                : `${each.placeName}, ${each.label} (${shortSessionId(each.sessionId, sessions)})`,
          })),
        },
      },
      required: [target],
    },
  };
}

function sessionsIn({ data }: StudioBridgeError) {
  const { sessions } = data;
  if (!Array.isArray(sessions)) return [];
  return sessions.filter(isObject).map((session) => ({
    sessionId: stringIn(session, "sessionId") ?? "",
    instanceId: stringIn(session, "instanceId") ?? "",
    placeName: stringIn(session, "placeName") ?? "",
    label: stringIn(objectIn(session, "player"), "name") ?? stringIn(session, "context") ?? "",
  }));
}
