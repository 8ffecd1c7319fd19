/** Reports faults of the input with the words that the user typed. */
import { StudioBridgeError } from "../../protocol/errors.ts";
import type { CommandFacts } from "../facts.ts";
import { badInput, issuesOf } from "../../protocol/input.ts";
import { commandLineVoice } from "./check-words.ts";
import type { Voice } from "./check-words.ts";
import type { ParsedWords } from "./parse-words.ts";

/** Input faults told in the words that were typed; anything else as it is. */
export function respelled(
  thrown: unknown,
  command: CommandFacts,
  parsed: ParsedWords,
  voice: Voice = commandLineVoice,
): unknown {
  if (!(thrown instanceof StudioBridgeError)) return thrown;
  const issues = issuesOf(thrown);
  // Who types the words of a list knows it by its flag, and not by a place in it.
  const unplaced = issues.map(({ key, message }) => ({ key, message }));
  if (issues.length > 0) return badInput(unplaced, parsed.nameOf, voice.seeHelp(command.name));
  return strayWord(thrown, command, parsed) ?? fromVariable(thrown, parsed) ?? thrown;
}

/** The command line did not name the session, so the message says that SB_SESSION did. */
function fromVariable(
  error: StudioBridgeError,
  { input, nameOf }: ParsedWords,
): StudioBridgeError | undefined {
  const { code, message, data, outcome } = error;
  const origin = nameOf("sessionId");
  const isRefused = data["sessionId"] !== undefined && data["sessionId"] === input["sessionId"];
  if (!isRefused || code !== "SESSION_NOT_FOUND" || origin !== "SB_SESSION") return undefined;
  const hint = `${origin} names that session. ${error.hint}`;
  return new StudioBridgeError(code, message, { hint, data, ...(outcome === undefined ? {} : { outcome }) });
}

/** Where quotes are forgotten, the next word is taken for a session that is not there, or that cannot be. */
function strayWord(
  { code, message, data, outcome }: StudioBridgeError,
  { cli: { positionals = [] } }: CommandFacts,
  { input, nameOf }: ParsedWords,
): StudioBridgeError | undefined {
  const index = positionals.findIndex(({ key }) => key === "sessionId");
  const [before, session] = [positionals[index - 1], positionals[index]];
  const isRefused = data["sessionId"] !== undefined && data["sessionId"] === input["sessionId"];
  if (!isRefused || before === undefined || session === undefined) return undefined;
  if (code !== "SESSION_NOT_FOUND" && code !== "INVALID_INPUT") return undefined;
  if (nameOf("sessionId") !== session.label) return undefined;
  const hint = `The last word is the ${session.label}; if it belongs to the ${before.label}, put that in quotes.`;
  return new StudioBridgeError(code, message, { hint, data, ...(outcome === undefined ? {} : { outcome }) });
}
