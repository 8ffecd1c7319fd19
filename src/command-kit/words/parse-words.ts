/** Turns the words after a command into its input: they are checked strictly, citty reads them, fields take the values. */
import type { Positional } from "./spelling.ts";
import { parseArgs } from "citty";
import type { ArgsDef, ParsedArgs } from "citty";
import type { CommandFacts } from "../facts.ts";
import { checkWords, SEPARATORS } from "./check-words.ts";
import type { CheckedWords, Voice } from "./check-words.ts";
import { choicesOf } from "./choices.ts";
import { flagSections } from "./shared-flags.ts";
import type { SharedFlag } from "./shared-flags.ts";

export interface ParsedWords extends Pick<CheckedWords, "stdinKey" | "wantsHelp" | "nameOf"> {
  readonly input: { readonly [key: string]: unknown };
  readonly options: { readonly [key: string]: unknown };
}

/** Throws INVALID_INPUT. */
export function parseWords(command: CommandFacts, words: readonly string[], voice?: Voice): ParsedWords {
  const checked = checkWords(command, words, voice);
  return fieldsOf(command, checked, parseArgs([...checked.words], cittyArgsOf(command, checked)));
}

/**
 * A command's words and flags as citty declares them. A flag that is not among the words is left out, because citty takes
 * time for each (1.0 ms for all flags of `exec`, 0.7 without). Nothing is required here: the words are checked before.
 */
export function cittyArgsOf(command: CommandFacts, checked: CheckedWords): ArgsDef {
  const { positionals = [] } = command.cli;
  return Object.fromEntries([
    ...givenFlags(command, checked).map(({ name, alias, kind, label }) => [
      name,
      {
        type: kind === "boolean" ? ("boolean" as const) : ("string" as const),
        ...(alias === undefined ? {} : { alias }),
        ...(label === undefined ? {} : { valueHint: label }),
      },
    ]),
    ...positionals.map(({ label }) => [label, { type: "positional" as const, required: false }]),
  ]);
}

/** What citty has read, as the fields of the command's input and the options of the command line. */
export function fieldsOf(command: CommandFacts, checked: CheckedWords, args: ParsedArgs): ParsedWords {
  const { stdinKey, wantsHelp, nameOf } = checked;
  const { raw, rest } = command.cli;
  const input: { [key: string]: unknown } = {};
  const options: { [key: string]: unknown } = {};
  for (const flag of givenFlags(command, checked)) {
    const value = args[flag.name];
    if (value !== undefined)
      Object.assign(flag.scope === "option" ? options : input, flag.sets(typed(flag, value)));
  }
  Object.assign(input, raw === undefined ? placedFields(command, args._, stdinKey) : { [raw.key]: args._ });
  if (rest !== undefined && checked.rest !== undefined) input[rest.key] = checked.rest;
  return wantsHelp
    ? { input: {}, options: {}, stdinKey, wantsHelp, nameOf }
    : { input: inKnownCase(command, input), options, stdinKey, wantsHelp, nameOf };
}

type Fields = { readonly [key: string]: unknown };

/** Where a field takes a few known words, they may be typed in any letter case. */
function inKnownCase(command: CommandFacts, fields: Fields): Fields {
  return Object.fromEntries(
    Object.entries(fields).map(([key, value]) => {
      const choices = choicesOf(command, key);
      const known = (word: unknown) =>
        choices.find((choice) => choice.toLowerCase() === String(word).toLowerCase()) ?? word;
      return [key, Array.isArray(value) ? value.map(known) : known(value)];
    }),
  );
}

/** citty has no list of words, so that all are taken by their place. */
function placedFields(
  { cli: { positionals = [] } }: CommandFacts,
  words: readonly string[],
  stdinKey: string | undefined,
): { [key: string]: unknown } {
  const given = positionals.slice(0, words.length).filter(({ key }) => key !== stdinKey);
  return Object.fromEntries(
    given.map((positional) => {
      const index = positionals.indexOf(positional);
      return [
        positional.key,
        positional.repeated === true ? words.slice(index) : valueOf(positional, words[index]),
      ];
    }),
  );
}

/** A word that is no number stays text, which the schema refuses by name. */
function valueOf({ isNumber }: Positional, word: string | undefined): string | number | undefined {
  return isNumber === true && word !== undefined && /^\d+$/.test(word) ? Number(word) : word;
}

/** citty knows neither numbers nor several values. */
function typed({ kind }: SharedFlag, value: string | number | boolean | string[]) {
  if (kind === "number" || kind === "time") return Number(value);
  const separator = SEPARATORS[kind];
  if (separator === undefined) return value;
  const items = String(value).split(separator);
  return kind === "list" ? items.map((item) => item.trim()) : items;
}

function givenFlags(command: CommandFacts, { flags: names }: CheckedWords): readonly SharedFlag[] {
  if (names.size === 0) return [];
  return flagSections(command).flatMap(({ flags }) => flags.filter(({ name }) => names.has(name)));
}
