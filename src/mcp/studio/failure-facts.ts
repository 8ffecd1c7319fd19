/** The failure of a tool as an agent reads it: a sentence without flags of the command line, the next step, the facts. */
import { errorCodes, StudioBridgeError } from "../../protocol/errors.ts";
import type { ErrorCode } from "../../protocol/errors.ts";
import { stringIn } from "../wire/json.ts";
import type { JsonObject } from "../wire/json.ts";

/** Next steps for agents, in the place of hints that name flags of the command line. */
const nextSteps: { readonly [Code in ErrorCode]?: string } = {
  NO_SESSION:
    "Ask the user to open Roblox Studio with the studio-bridge plugin installed. This server never launches Studio.",
  AMBIGUOUS_SESSION: "Choose one of the sessions listed here and pass its sessionId.",
  CONTEXT_UNAVAILABLE: "Start a play session first, or use context: edit.",
  INSTANCE_NOT_FOUND: "Check the path: query its parent with children: true.",
  CANCELLED: "Call the tool again when you are ready.",
  SESSION_GONE: "Call studio_sessions, check the state of the place, then try again if that is safe.",
  HOST_UNREACHABLE: "Call the tool again if that is safe; the connection is made anew.",
  PLACE_NOT_ALLOWED:
    "Tell the user which rule it is; only they decide about it. Reading tools work here, and studio_sessions lists other places.",
  DENIED:
    "Nothing was changed. The user at Studio does not allow this; ask the user before anything else, and do not work around it.",
  UNANSWERED:
    "Nothing was changed. Ask the user to look at the Studio Bridge panel, then make the same call again.",
  PAUSED:
    "Nothing was changed. Ask the user to look at the Studio Bridge panel, where they have paused it, then make the same call again.",
  INVALID_INPUT: "Call the tool again with other arguments.",
  COVERAGE_UNAVAILABLE: "Leave out `coverage`, or leave out `on`: headless Studio counts lines.",
  UNPAIRED: "Ask the user to run `sb install-plugin` and to restart Studio.",
};

export function failureFacts(error: StudioBridgeError, args: JsonObject): JsonObject {
  const { issues: _, ...data } = error.data;
  return {
    error: sentence(error, args),
    code: error.code,
    hint: nextStep(error),
    ...(error.outcome === undefined ? {} : { outcome: error.outcome }),
    ...data,
  };
}

/** Codes of many different mistakes: the hint of one error is more exact than what could be said of them all. */
const codesOfManyMistakes: readonly ErrorCode[] = [
  "INVALID_INPUT",
  "INSTANCE_NOT_FOUND",
  "CONTEXT_UNAVAILABLE",
];

function nextStep({ code, hint, agentHint }: StudioBridgeError): string {
  if (agentHint !== undefined) return agentHint;
  const own = inAgentWords(hint);
  const mine = withoutCommands(own);
  const isExact = codesOfManyMistakes.includes(code) && hint !== errorCodes[code].cure;
  if (isExact && mine !== "") return mine;
  return nextSteps[code] ?? (mine === "" && own !== "" ? `Ask the user to do this: ${own}` : mine);
}

const NAMES_A_COMMAND = /\bsb [a-z]/;

/** The sentences that an agent can follow by itself. */
function withoutCommands(text: string): string {
  const sentences = text.split(/(?<=[.?!]) (?=[A-Z`'])/);
  return sentences.filter((each) => !NAMES_A_COMMAND.test(each)).join(" ");
}

/** The verdicts of an output with their messages in the words of agents. */
export function verdictsForAgents(output: JsonObject): JsonObject {
  const { items } = output;
  if (!Array.isArray(items)) return output;
  const told = items.map((item) => {
    const message = stringIn(item, "message");
    return message === undefined ? item : { ...item, message: inAgentWords(message) };
  });
  return { ...output, items: told };
}

/** The whole sentence of a protocol error, of which clients show the message alone. */
export function withHint({ message, hint }: StudioBridgeError): string {
  return hint === "" ? message : `${message} ${hint}`;
}

/** The facts of a script that was stopped from outside; undefined for any other output. */
export function stopFacts(output: JsonObject): JsonObject | undefined {
  const code = stringIn(output["errorInfo"], "code");
  if (code !== "TIMEOUT" && code !== "CANCELLED") return undefined;
  return { ...output, code, hint: nextSteps[code] ?? inAgentWords(errorCodes[code].cure) };
}

function sentence({ code, message, data }: StudioBridgeError, args: JsonObject): string {
  const sessionId = stringIn(args, "sessionId");
  switch (code) {
    case "NO_SESSION":
      return sessionId === undefined ? message : sessionNotFound(sessionId);
    case "AMBIGUOUS_SESSION":
      return ambiguity(args, data);
    case "CONTEXT_UNAVAILABLE":
      // Another context helps only where the one that was named is not there.
      return "context" in data && !("connected" in data)
        ? `${message} Use context: edit or omit context.`
        : inAgentWords(message);
    default:
      return inAgentWords(message);
  }
}

function sessionNotFound(sessionId: string): string {
  return `Session not found: ${sessionId}. Call studio_sessions to see available sessions.`;
}

/** The sentence does not list the sessions, because the data does. */
function ambiguity(args: JsonObject, { sessions }: JsonObject): string {
  const sessionId = stringIn(args, "sessionId");
  if (sessionId !== undefined)
    return `Several sessions have an id that starts with ${sessionId}. Give more of the sessionId.`;
  const instances = new Set(
    Array.isArray(sessions) ? sessions.map((each) => stringIn(each, "instanceId")) : [],
  );
  return instances.size > 1
    ? "Multiple Studio instances connected. Specify a sessionId."
    : "Several sessions of this Studio fit. Specify a sessionId.";
}

/** Flags whose argument has another name in tools; all others have the name of their flag. */
const argumentNames: { readonly [flag: string]: string } = {
  session: "sessionId",
  instance: "sessionId",
  timeout: "timeoutMs",
};

/** Replaces commands by the tools of the same names, and flags by arguments. Leaves out examples of the command line. */
function inAgentWords(text: string): string {
  return text
    .replace(/ Example: sb .*$/, "")
    .replaceAll(/\bRun (?=[`']sb sessions[`'])/g, "Call ")
    .replaceAll(/[`']sb sessions[`']/g, "studio_sessions")
    .replaceAll("`sb query PATH --children`", "studio_query with children: true")
    .replaceAll("`sb query PATH --properties NAME`", "studio_query with properties")
    .replaceAll(/`sb query (.+?) --children`/g, "studio_query (path: $1, children: true)")
    .replaceAll(/`sb query (.+?)`/g, "studio_query (path: $1)")
    .replaceAll(/`sb exec '(.+?)'`/g, "studio_exec (script: $1)")
    .replaceAll(/`sb api (.+?)`/g, "studio_api (name: $1)")
    .replaceAll(
      /`sb new (\S+) (\S+) Name=(\S+)`/g,
      "studio_edit (op: create, className: $1, parent: $2, name: $3)",
    )
    .replaceAll(/`sb play (start|stop)`/g, "studio_play (action: $1)")
    .replaceAll(/`sb checkpoint diff (.+?)`/g, "studio_checkpoint (action: diff, name: $1)")
    .replaceAll(/`sb (checkpoint|sync)`/g, "studio_$1")
    .replaceAll(
      /`sb script grep \. (.+?) --regex`/g,
      (_, root: string) => `studio_grep with pattern: ".", regex: true and root: ${JSON.stringify(root)}`,
    )
    .replaceAll("--timeout (milliseconds)", "timeoutMs")
    .replaceAll(/--([a-z]+(?:-[a-z]+)*)/g, (_, flag: string) => argumentNames[flag] ?? camelCase(flag));
}

function camelCase(flag: string): string {
  return flag.replaceAll(/-([a-z])/g, (_, letter: string) => letter.toUpperCase());
}
