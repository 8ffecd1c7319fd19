/**
 * Turns the words after a command into its input, strictly: every word is understood or refused with the next step.
 * It knows spellings only; whether a value makes sense is for the schemas to say.
 */
import { StudioBridgeError } from "../../protocol/errors.ts";
import type { Command } from "../definition.ts";
import { badInput, issuesOf } from "../input.ts";
import { everySharedFlag, flagSections } from "./shared-flags.ts";
import type { SharedFlag } from "./shared-flags.ts";
import type { Positional } from "./spelling.ts";
import { invalidInput } from "../../protocol/messages.ts";
import { nearest } from "../../util/nearest.ts";

export interface ParsedWords {
  readonly input: { readonly [key: string]: unknown };
  readonly options: { readonly [key: string]: unknown };
  /** The input field whose value is to be read from stdin. */
  readonly stdinKey: string | undefined;
  /** `--help` was among the words, which ends the checks. */
  readonly wantsHelp: boolean;
  /** How a field is spelled on the command line: `--timeout`, `FILE`. */
  readonly nameOf: (key: string) => string;
}

/** How a surface writes a command and the way to its help. */
export interface Voice {
  readonly call: (words: string) => string;
  readonly seeHelp: (name: string) => string;
}

const commandLineVoice: Voice = {
  call: (words) => `sb ${words}`,
  seeHelp: (name) => `See \`sb help ${name}\`.`,
};

/** Throws INVALID_INPUT. */
export function parseWords(
  command: Command,
  words: readonly string[],
  voice: Voice = commandLineVoice,
): ParsedWords {
  const { raw } = command.cli;
  if (raw !== undefined) return rawWords(raw.key, words);
  const end = words.indexOf("--");
  const before = end === -1 ? words : words.slice(0, end);
  const after = end === -1 ? [] : words.slice(end + 1);
  const reader = new FlagReader(command, voice);
  const plain = reader.readAll(before);
  const nameOf = (key: string) => spellingOf(command, key, reader.seen);
  if (reader.seen.has("help"))
    return { input: {}, options: {}, stdinKey: undefined, wantsHelp: true, nameOf };
  const { rest } = command.cli;
  const placed = placeWords(command, rest === undefined ? [...plain, ...after] : plain, plain.length, reader);
  checkConflicts(command, reader, Object.keys(placed.input));
  const restInput = rest === undefined || end === -1 ? {} : { [rest.key]: after };
  return {
    input: { ...reader.input, ...placed.input, ...restInput },
    options: reader.options,
    stdinKey: placed.stdinKey,
    wantsHelp: false,
    nameOf,
  };
}

function rawWords(key: string, words: readonly string[]): ParsedWords {
  return { input: { [key]: words }, options: {}, stdinKey: undefined, wantsHelp: false, nameOf: () => key };
}

/** The flag that was typed, where several set the same field. */
function spellingOf(command: Command, key: string, seen: ReadonlySet<string>): string {
  const flags = flagSections(command)
    .flatMap((section) => section.flags)
    .filter((flag) => Object.hasOwn(flag.sets([]), key));
  const flag = flags.find(({ name }) => seen.has(name));
  const positional = command.cli.positionals?.find((each) => each.key === key);
  if (flag === undefined && positional !== undefined) return positional.label;
  const name = flag?.name ?? flags[0]?.name;
  return name === undefined ? key : `--${name}`;
}

/** Input faults told in the words that were typed; anything else as it is. */
export function respelled(
  thrown: unknown,
  command: Command,
  parsed: ParsedWords,
  voice: Voice = commandLineVoice,
): unknown {
  if (!(thrown instanceof StudioBridgeError)) return thrown;
  const issues = issuesOf(thrown);
  if (issues.length > 0) return badInput(issues, parsed.nameOf, voice.seeHelp(command.name));
  return strayWord(thrown, command, parsed) ?? thrown;
}

/** Where quotes are forgotten, the next word is taken for a session that is not there, or that cannot be. */
function strayWord(
  { code, message, data, outcome }: StudioBridgeError,
  { cli: { positionals = [] } }: Command,
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

class FlagReader {
  readonly voice: Voice;
  readonly input: { [key: string]: unknown } = {};
  readonly options: { [key: string]: unknown } = {};
  readonly seen = new Set<string>();
  readonly #command: Command;
  readonly #flags = new Map<string, SharedFlag>();
  readonly #lists = new Map<string, string[]>();

  constructor(command: Command, voice: Voice) {
    this.voice = voice;
    this.#command = command;
    for (const flag of flagSections(command).flatMap(({ flags }) => flags)) {
      this.#flags.set(`--${flag.name}`, flag);
      if (flag.alias !== undefined) this.#flags.set(`-${flag.alias}`, flag);
      if (flag.negatable === true) this.#flags.set(`--no-${flag.name}`, flag);
    }
  }

  /** Gives the words that are no flags. */
  readAll(words: readonly string[]): string[] {
    const plain: string[] = [];
    for (let index = 0; index < words.length; index++) {
      const word = words[index] ?? "";
      if (!looksLikeFlag(word)) plain.push(word);
      else if (this.#read(word, words[index + 1])) index += 1;
    }
    return plain;
  }

  /** True when the next word was its value. */
  #read(word: string, next: string | undefined): boolean {
    const equals = word.indexOf("=");
    const spelled = equals === -1 ? word : word.slice(0, equals);
    const flag = this.#flags.get(spelled) ?? this.#unknown(spelled);
    const attached = equals === -1 ? undefined : word.slice(equals + 1);
    this.#once(flag, spelled);
    if (flag.kind === "boolean") {
      if (attached !== undefined) throw this.#usage(`${spelled} takes no value.`);
      this.#set(flag, spelled !== `--no-${flag.name}`);
      return false;
    }
    const value = attached ?? next;
    const isMissing =
      value === undefined || value === "" || (attached === undefined && isNextFlag(flag, value));
    if (isMissing && flag.bareValue !== undefined && attached === undefined) {
      this.#set(flag, flag.bareValue);
      return false;
    }
    if (isMissing) throw this.#usage(`${spelled} needs a value: ${spelled} ${flag.label ?? "VALUE"}.`);
    this.#set(flag, this.#valueOf(flag, spelled, value));
    return attached === undefined;
  }

  #valueOf(flag: SharedFlag, spelled: string, text: string): string | number | readonly string[] {
    if (flag.kind === "number") {
      if (/^-?\d+(\.\d+)?$/.test(text)) return Number(text);
      throw this.#usage(`${spelled} needs a number, got ${JSON.stringify(text)}.`);
    }
    if (flag.kind === "string") return text;
    const list = this.#lists.get(flag.name) ?? [];
    list.push(...text.split(",").map((item) => item.trim()));
    this.#lists.set(flag.name, list);
    return list;
  }

  /** Lists may be given in several pieces; anything else given twice is a mistake. */
  #once(flag: SharedFlag, spelled: string): void {
    if (this.seen.has(flag.name) && flag.kind !== "list") throw this.#usage(`${spelled} is given twice.`);
    this.seen.add(flag.name);
  }

  #set(flag: SharedFlag, value: string | number | boolean | readonly string[]): void {
    Object.assign(flag.scope === "option" ? this.options : this.input, flag.sets(value));
  }

  #unknown(spelled: string): never {
    const shown = [...this.#flags].filter(([, flag]) => flag.hidden !== true).map(([name]) => name);
    if (everySharedFlag.some(({ name }) => `--${name}` === spelled))
      throw this.#usage(`${this.voice.call(this.#command.name)} has no use for ${spelled}.`);
    const short = this.#flags.get(spelled.slice(0, 2));
    if (short !== undefined && short.kind !== "boolean" && !spelled.startsWith("--"))
      throw this.#usage(`Unknown flag ${spelled}. Did you mean ${spelled.slice(0, 2)} ${spelled.slice(2)}?`);
    // Every short flag is one letter away from every other.
    const guess = spelled.length <= 3 ? undefined : nearest(spelled, shown);
    if (guess !== undefined) throw this.#usage(`Unknown flag ${spelled}. Did you mean ${guess}?`);
    const takesText = this.#command.cli.positionals?.some(({ dashReadsStdin }) => dashReadsStdin) === true;
    const hint = `Put -- before code that starts with a dash: ${this.voice.call(`${this.#command.name} -- '${spelled}'`)}`;
    throw takesText
      ? invalidInput(`Unknown flag ${spelled}.`, hint)
      : this.#usage(`Unknown flag ${spelled}.`);
  }

  #usage(message: string) {
    return invalidInput(message, this.voice.seeHelp(this.#command.name));
  }
}

/** `-` is a word, and so is anything with a blank where a flag's name would be, such as a Luau comment. */
function looksLikeFlag(word: string): boolean {
  return word.length > 1 && /^-[^\s=]+(=|$)/.test(word);
}

/** A negative number may be a number flag's value; it is refused with a better reason later. */
function isNextFlag(flag: SharedFlag, value: string): boolean {
  return looksLikeFlag(value) && !(flag.kind === "number" && /^-\d/.test(value));
}

function checkConflicts(command: Command, { seen, voice }: FlagReader, placed: readonly string[]): void {
  for (const { flags, positional, message, hint } of command.cli.conflicts ?? []) {
    const hasAll = flags.every((name) => seen.has(name));
    if (hasAll && (positional === undefined || placed.includes(positional)))
      throw invalidInput(message, hint ?? voice.seeHelp(command.name));
  }
}

/** `plainCount` words stood before `--`; only those may be a `-` that means stdin. */
function placeWords(
  command: Command,
  words: readonly string[],
  plainCount: number,
  reader: FlagReader,
): { readonly input: { readonly [key: string]: unknown }; readonly stdinKey: string | undefined } {
  const { positionals = [] } = command.cli;
  const input: { [key: string]: unknown } = {};
  let stdinKey: string | undefined;
  let index = 0;
  for (const positional of positionals) {
    const word = words[index];
    if (word === undefined) {
      if (positional.required === true) throw missingWord(command, positional, reader.voice);
      break;
    }
    if (Object.hasOwn(reader.input, positional.key))
      throw invalidInput(
        `Unexpected word ${JSON.stringify(word)}.`,
        `${positional.label} is given by a flag too.`,
      );
    if (positional.repeated === true) {
      input[positional.key] = words.slice(index);
      index = words.length;
    } else {
      if (positional.dashReadsStdin === true && word === "-" && index < plainCount) stdinKey = positional.key;
      else input[positional.key] = word;
      index += 1;
    }
  }
  const extra = words[index];
  if (extra !== undefined) throw extraWord(command, extra, reader.voice);
  return { input, stdinKey };
}

function missingWord({ name, examples }: Command, { label }: Positional, { call, seeHelp }: Voice) {
  const [first] = examples;
  const example = first === undefined ? "" : ` Example: ${call(first.command.replace(/^sb /, ""))}`;
  return invalidInput(`${label} is required.${example}`, seeHelp(name));
}

function extraWord({ name, cli }: Command, word: string, { call, seeHelp }: Voice) {
  const labels = (cli.positionals ?? []).map(({ label }) => label);
  const taken = labels.length === 0 ? "no words" : `only ${labels.join(" and ")}`;
  const hint = `${call(name)} takes ${taken}; quote text that has spaces. ${seeHelp(name)}`;
  return invalidInput(`Unexpected word ${JSON.stringify(word)}.`, hint);
}
