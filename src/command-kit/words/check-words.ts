/**
 * Checks the words after a command strictly: every word is understood or refused with the next step. citty, which reads
 * them afterwards, takes flags that are not declared, keeps only the last of a repeated flag, and reads code that begins
 * with dashes as flags. So the words are handed on in a spelling that leaves it nothing to guess. Whether a value makes
 * sense is for the schemas to say.
 */
import type { StudioBridgeError } from "../../protocol/errors.ts";
import { invalidInput } from "../../protocol/messages.ts";
import { nearest } from "../../util/nearest.ts";
import { parseTimeSpan } from "../../util/time-span.ts";
import type { CommandFacts } from "../facts.ts";
import { everySharedFlag, flagSections } from "./shared-flags.ts";
import type { SharedFlag } from "./shared-flags.ts";
import type { Positional } from "./spelling.ts";

export interface CheckedWords {
  /** `--name=value` for each flag, then `--` and the other words. */
  readonly words: readonly string[];
  /** The names of the flags among them. */
  readonly flags: ReadonlySet<string>;
  /** The words behind `--`, where the command has a field of their own for them. */
  readonly rest: readonly string[] | undefined;
  /** The input field whose value is to be read from stdin. */
  readonly stdinKey: string | undefined;
  /** `--help` was among the words, which ends the checks. */
  readonly wantsHelp: boolean;
  /** How a field is spelled on the command line: `--timeout`, `FILE`. */
  readonly nameOf: (key: string) => string;
}

/** What stands between the values of flags that take several. No word of a command line holds a NUL. */
export const SEPARATORS: { readonly [kind: string]: string | undefined } = { list: ",", repeats: "\0" };

const PLAIN_NUMBER = /^-?\d+(\.\d+)?$/;

/** How a surface writes a command and the way to its help. */
export interface Voice {
  readonly call: (words: string) => string;
  readonly seeHelp: (name: string) => string;
}

export const commandLineVoice: Voice = {
  call: (words) => `sb ${words}`,
  seeHelp: (name) => `See \`sb help ${name}\`.`,
};

/** Throws INVALID_INPUT. */
export function checkWords(
  command: CommandFacts,
  words: readonly string[],
  voice: Voice = commandLineVoice,
): CheckedWords {
  const nothing = { rest: undefined, stdinKey: undefined, wantsHelp: false };
  if (command.cli.raw !== undefined)
    return { ...nothing, words: ["--", ...words], flags: new Set(), nameOf: (key) => key };
  const end = words.indexOf("--");
  const before = end === -1 ? words : words.slice(0, end);
  const after = end === -1 ? [] : words.slice(end + 1);
  const flags = new FlagChecker(command, voice);
  const plain = flags.checkAll(before);
  const nameOf = (key: string) => spellingOf(command, key, flags.seen);
  if (flags.seen.has("help"))
    return { ...nothing, words: ["--help"], flags: new Set(["help"]), wantsHelp: true, nameOf };
  const hasRest = command.cli.rest !== undefined;
  const placed = hasRest ? plain : [...plain, ...after];
  const stdinKey = checkPlaces(command, placed, plain.length, flags, hasRest ? after : []);
  checkConflicts(command, flags, placed.length);
  return {
    words: [...flags.spelled(), "--", ...placed],
    flags: flags.seen,
    rest: hasRest && end !== -1 ? after : undefined,
    stdinKey,
    wantsHelp: false,
    nameOf,
  };
}

/** The flag that was typed, where several set the same field. */
function spellingOf(command: CommandFacts, key: string, seen: ReadonlySet<string>): string {
  const flags = flagSections(command)
    .flatMap((section) => section.flags)
    .filter((flag) => Object.hasOwn(flag.sets([]), key));
  const flag = flags.find(({ name }) => seen.has(name));
  const positional = command.cli.positionals?.find((each) => each.key === key);
  if (flag === undefined && positional !== undefined) return positional.label;
  const name = flag?.name ?? flags[0]?.name;
  return name === undefined ? key : `--${name}`;
}

class FlagChecker {
  readonly voice: Voice;
  readonly seen = new Set<string>();
  readonly #command: CommandFacts;
  readonly #flags = new Map<string, SharedFlag>();
  /** What each flag that was given is set to, as text; true and false for switches. */
  readonly #values = new Map<SharedFlag, string | boolean>();

  constructor(command: CommandFacts, voice: Voice) {
    this.voice = voice;
    this.#command = command;
    for (const flag of flagSections(command).flatMap(({ flags }) => flags)) {
      this.#flags.set(`--${flag.name}`, flag);
      if (flag.alias !== undefined) this.#flags.set(`-${flag.alias}`, flag);
      if (flag.negatable === true) this.#flags.set(`--no-${flag.name}`, flag);
    }
  }

  /** Gives the words that are no flags. */
  checkAll(words: readonly string[]): string[] {
    const plain: string[] = [];
    for (let index = 0; index < words.length; index++) {
      const word = words[index] ?? "";
      if (!looksLikeFlag(word)) plain.push(word);
      else if (this.#check(word, words[index + 1])) index += 1;
    }
    return plain;
  }

  /** Every flag that was given, once, each in one word. */
  spelled(): string[] {
    return [...this.#values].map(([{ name }, value]) => {
      if (typeof value === "string") return `--${name}=${value}`;
      return value ? `--${name}` : `--no-${name}`;
    });
  }

  /** The keys of the input that flags set. */
  setsKey(key: string): boolean {
    return [...this.#values.keys()].some(
      ({ scope, sets }) => scope === "input" && Object.hasOwn(sets([]), key),
    );
  }

  /** True when the next word was its value. */
  #check(word: string, next: string | undefined): boolean {
    const equals = word.indexOf("=");
    const spelled = equals === -1 ? word : word.slice(0, equals);
    const flag = this.#flags.get(spelled) ?? this.#unknown(spelled);
    const attached = equals === -1 ? undefined : word.slice(equals + 1);
    this.#once(flag, spelled);
    if (flag.kind === "boolean") {
      if (attached !== undefined) throw this.#usage(`${spelled} takes no value.`);
      this.#values.set(flag, spelled !== `--no-${flag.name}`);
      return false;
    }
    const value = attached ?? next;
    const isMissing =
      value === undefined ||
      (value === "" && flag.mayBeEmpty !== true) ||
      (attached === undefined && (isNextFlag(flag, value) || flag.isValue?.(value) === false));
    if (isMissing && flag.bareValue !== undefined && attached === undefined) {
      this.#values.set(flag, String(flag.bareValue));
      return false;
    }
    if (isMissing) throw this.#usage(`${spelled} needs a value: ${spelled} ${flag.label ?? "VALUE"}.`);
    this.#values.set(flag, this.#valueOf(flag, spelled, value));
    return attached === undefined;
  }

  #valueOf(flag: SharedFlag, spelled: string, text: string): string {
    if (flag.kind === "number" && !PLAIN_NUMBER.test(text))
      throw this.#usage(`${spelled} needs a number, got ${JSON.stringify(text)}.`);
    if (flag.kind === "time") return this.#millisecondsOf(spelled, text);
    const before = this.#values.get(flag);
    const separator = SEPARATORS[flag.kind];
    return separator === undefined || before === undefined ? text : `${before}${separator}${text}`;
  }

  #millisecondsOf(spelled: string, text: string): string {
    if (PLAIN_NUMBER.test(text)) return text;
    const timeMs = parseTimeSpan(text);
    if (timeMs !== undefined) return String(timeMs);
    throw this.#usage(
      `${spelled} needs a time such as 500ms, 30s or 2m, or a number of milliseconds; got ${JSON.stringify(text)}.`,
    );
  }

  /** Flags with several values may be given several times; any other flag given twice is a mistake. */
  #once(flag: SharedFlag, spelled: string): void {
    if (this.seen.has(flag.name) && SEPARATORS[flag.kind] === undefined)
      throw this.#usage(`${spelled} is given twice.`);
    this.seen.add(flag.name);
  }

  /** A flag of other commands; what it says may be a word without a flag here. */
  #useless({ name }: SharedFlag, spelled: string): StudioBridgeError {
    const call = this.voice.call(this.#command.name);
    const positional = this.#command.cli.positionals?.find(({ key }) => key === name);
    const message = `${call} does not take ${spelled}.`;
    if (name === "timeout") return invalidInput(message, "It has no time limit; Ctrl+C ends it.");
    return positional === undefined
      ? this.#usage(message)
      : invalidInput(message, `Write it without the flag: ${call} ${positional.label}`);
  }

  #unknown(spelled: string): never {
    const shown = [...this.#flags].filter(([, flag]) => flag.hidden !== true).map(([name]) => name);
    const shared = everySharedFlag.find(({ name }) => `--${name}` === spelled);
    if (shared !== undefined) throw this.#useless(shared, spelled);
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
  return looksLikeFlag(value) && !((flag.kind === "number" || flag.kind === "time") && /^-\d/.test(value));
}

/** `placedCount` words that are no flags fill the first places of the command. */
function checkConflicts(command: CommandFacts, { seen, voice }: FlagChecker, placedCount: number): void {
  const placed = (command.cli.positionals ?? []).slice(0, placedCount).map(({ key }) => key);
  for (const { flags, positional, message, hint } of command.cli.conflicts ?? []) {
    const hasAll = flags.every((name) => seen.has(name));
    if (hasAll && (positional === undefined || placed.includes(positional)))
      throw invalidInput(message, hint ?? voice.seeHelp(command.name));
  }
}

/**
 * Throws for a word too many and for one that is missing. `plainCount` words stood before `--`; only those may be a `-`
 * that means stdin. `rest` are the words behind `--` that are no words of the command. Gives the field that stdin fills.
 */
function checkPlaces(
  command: CommandFacts,
  words: readonly string[],
  plainCount: number,
  flags: FlagChecker,
  rest: readonly string[],
): string | undefined {
  const { positionals = [] } = command.cli;
  let stdinKey: string | undefined;
  let index = 0;
  for (const positional of positionals) {
    const word = words[index];
    if (word === undefined) {
      if (positional.required === true) throw missingWord(command, positional, flags.voice, rest);
      break;
    }
    if (flags.setsKey(positional.key))
      throw invalidInput(
        `Unexpected word ${JSON.stringify(word)}.`,
        `${positional.label} is given by a flag too.`,
      );
    if (positional.dashReadsStdin === true && word === "-" && index < plainCount) stdinKey = positional.key;
    index = positional.repeated === true ? words.length : index + 1;
  }
  const extra = words[index];
  if (extra !== undefined) throw extraWord(command, extra, flags.voice);
  return stdinKey;
}

/** `rest` stands behind `--`, where it is not what is missing. */
function missingWord(
  { name, cli, examples }: CommandFacts,
  { label }: Positional,
  { call, seeHelp }: Voice,
  rest: readonly string[],
) {
  const [first] = examples;
  const [behind] = rest;
  if (behind !== undefined)
    return invalidInput(
      `${label} is required before --.`,
      `The words after -- are ${cli.rest?.label}. Write a ${label} that starts with a dash as ./${behind}`,
    );
  const example = first === undefined ? "" : ` Example: ${call(first.command.replace(/^sb /, ""))}`;
  return invalidInput(`${label} is required.${example}`, seeHelp(name));
}

function extraWord({ name, cli }: CommandFacts, word: string, { call, seeHelp }: Voice) {
  const labels = (cli.positionals ?? []).map(({ label }) => label);
  const taken = labels.length === 0 ? "no words" : `only ${labels.join(" and ")}`;
  const hint = `${call(name)} takes ${taken}; quote text that has spaces. ${seeHelp(name)}`;
  return invalidInput(`Unexpected word ${JSON.stringify(word)}.`, hint);
}
