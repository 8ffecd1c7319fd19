/** Reads a line such as `.run "my file.luau"`: which dot-command it means, and its input. Runs nothing. */
import type { Command } from "../command-kit/definition.ts";
import { StudioBridgeError } from "../protocol/errors.ts";
import { invalidInput } from "../protocol/messages.ts";
import { parseWords } from "../command-kit/words/parse-words.ts";
import type { ParsedWords } from "../command-kit/words/parse-words.ts";
import type { Voice } from "../command-kit/words/check-words.ts";
import { commandAt, familyOf, secondWordFault } from "../command-kit/words/families.ts";
import { guessCommands } from "../command-kit/words/other-words.ts";
import type { Positional } from "../command-kit/words/spelling.ts";

interface DotLine {
  readonly command: Command;
  readonly parsed: ParsedWords;
}

export const dotVoice: Voice = {
  call: (words) => `.${words}`,
  seeHelp: (name) => `See \`.help ${name}\`.`,
};

/** A dot and a letter; `.5` and `..` are Luau. */
export function isDotLine(text: string): boolean {
  return /^\s*\.[A-Za-z?]/.test(text);
}

/** Whether the line begins with the words of a dot-command. */
export function namesDotCommand(line: string, catalog: readonly Command[]): boolean {
  return commandAt(splitWords(line.trim().slice(1)), catalog) !== undefined;
}

/** Throws INVALID_INPUT, with the nearest dot-command where there is one. */
export function parseDotLine(line: string, catalog: readonly Command[]): DotLine {
  const words = splitWords(line.trim().slice(1));
  const found = commandAt(words, catalog);
  if (found === undefined) throw unknown(words, catalog);
  const command = inDots(found.command);
  const { name } = command;
  const parsed = parseWords(command, words.slice(found.used), dotVoice);
  const { json: _json, pretty: _pretty, ...foreign } = parsed.options;
  const [option] = Object.keys(foreign);
  if (option !== undefined)
    throw invalidInput(`--${option} belongs to the command line.`, dotVoice.seeHelp(name));
  return { command, parsed };
}

/** The same failure, with the commands that it names written as they are typed here. */
export function inDotWords(error: StudioBridgeError, catalog: readonly Command[]): StudioBridgeError {
  const dotted = (text: string) =>
    text.replace(/(['`])sb ([a-z-]+)/g, (all, quote, name) =>
      commandAt([name], catalog) !== undefined || familyOf(name, catalog).length > 0
        ? `${quote}.${name}`
        : all,
    );
  const { code, message, hint, data, outcome } = error;
  return new StudioBridgeError(code, dotted(message), {
    hint: dotted(hint),
    data,
    cause: error,
    ...(outcome === undefined ? {} : { outcome }),
  });
}

/** The command as it is written here: its session is known already. */
export function inDots(command: Command): Command {
  const { positionals = [] } = command.cli;
  const words = command.dotWords ?? positionals.filter((each) => !isKnownSession(each));
  return { ...command, cli: { ...command.cli, positionals: words } };
}

function isKnownSession({ key, required }: Positional): boolean {
  return key === "sessionId" && required !== true;
}

/** Words are apart by blanks; quotes keep a word together, and stay where they are inside one, as in `a["b c"]`. */
export function splitWords(text: string): string[] {
  const words = text.matchAll(/"([^"]*)"(?=\s|$)|'([^']*)'(?=\s|$)|((?:"[^"]*"|'[^']*'|\S)+)/g);
  return Array.from(words, ([, double, single, plain]) => double ?? single ?? plain ?? "");
}

/** ` Did you mean .query or .find?`; empty where nothing is near. */
export function dotQuestion(word: string, names: readonly string[]): string {
  const guesses = guessCommands(word, names);
  return guesses.length === 0 ? "" : ` Did you mean ${guesses.map((each) => `.${each}`).join(" or ")}?`;
}

function unknown([name = "", second]: readonly string[], catalog: readonly Command[]) {
  const family = familyOf(name, catalog);
  if (family.length > 0) {
    const { message, hint } = secondWordFault(name, second, family, dotVoice.call);
    return invalidInput(message, hint);
  }
  const names = catalog.map((command) => command.name);
  const question = dotQuestion(name, names);
  return invalidInput(`Unknown dot-command .${name}.${question}`, "See `.help`.");
}
