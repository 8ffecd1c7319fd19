/**
 * The words that fit at the cursor, computed from the command definitions alone. Values that only the bridge knows are
 * named by kind, and the caller looks them up.
 */
import type { CommandFacts } from "../facts.ts";
import { listedCommands } from "./command-help.ts";
import { choicesOf } from "./choices.ts";
import { commandAt, familyOf, secondWordOf } from "./families.ts";
import { everySharedFlag, flagSections } from "./shared-flags.ts";
import type { SharedFlag } from "./shared-flags.ts";
import type { Lookup } from "./spelling.ts";

export interface Candidate {
  readonly value: string;
  /** Empty where there is nothing to say. */
  readonly description: string;
}

/** `found` is to be filtered by `partial`; `prefix` stands before each candidate in the word that is completed. */
export interface Completion {
  readonly partial: string;
  readonly prefix: string;
  readonly found: readonly Candidate[];
  /** What else fits, and only the caller can find. */
  readonly also?: Lookup;
  /** Whose properties are meant: a path or a class, as it was typed. */
  readonly subject?: { readonly kind: "path" | "class"; readonly word: string };
  /** Follows each property. */
  readonly suffix?: "=";
  /** The property before the equals sign, whose value is typed. */
  readonly property?: string;
}

/** `words` stand before the cursor's word, `current` is that word up to the cursor. */
export function completionFor(
  words: readonly string[],
  current: string,
  commands: readonly CommandFacts[],
): Completion {
  const visible = listedCommands(commands);
  const { command, rest, unknown } = commandIn(words, visible);
  if (unknown !== undefined) {
    const isNext = words.at(-1) === unknown;
    return plain(current, isNext ? secondWords(unknown, visible) : []);
  }
  // Some shells make a word of the equals sign between a flag and its value.
  if (current === "=") return completionFor([...words, "="], "", commands);
  const before = rest.at(-1) === "=" ? rest.slice(0, -1) : rest;
  const completion = wordCompletion({ command, visible, before }, current, propertyBefore(rest));
  const subject = completion.also === "properties" ? subjectOf(command, before) : undefined;
  return subject === undefined ? completion : { ...completion, subject };
}

/** `Anchored` where a shell has made three words of `Anchored=true`. */
function propertyBefore(words: readonly string[]): string | undefined {
  const word = words.at(-1) === "=" ? words.at(-2) : undefined;
  return word === undefined || word.startsWith("-") ? undefined : word;
}

interface TypedWords {
  readonly command: CommandFacts | undefined;
  readonly visible: readonly CommandFacts[];
  /** Those of the command that stand before the cursor's. */
  readonly before: readonly string[];
}

function wordCompletion(
  { command, visible, before }: TypedWords,
  current: string,
  property: string | undefined,
): Completion {
  const flags = flagsOf(command);
  const asking = flags.find((flag) => takesValue(flag) && isSpelled(flag, before.at(-1) ?? ""));
  const mayBeFlag = asking?.bareValue !== undefined && current.startsWith("-");
  if (asking !== undefined && !mayBeFlag) {
    const completion = valueCompletion(command, asking, current, "");
    if (asking.isValue === undefined || command === undefined) return completion;
    // A word that is no value of the flag belongs to the command.
    const { also } = positionalCompletion(command, flags, before, current, visible);
    return also === undefined ? completion : { ...completion, also };
  }
  if (before.includes("--")) return nothing(current);
  if (current.startsWith("-")) return flagCompletion(command, flags, before, current);
  if (command === undefined) return plain(current, firstWords(visible));
  const completion = positionalCompletion(command, flags, before, current, visible);
  if (completion.suffix !== "=" || property === undefined) return completion;
  return { ...nothing(current), also: "properties", property };
}

const plain = (partial: string, found: readonly Candidate[]): Completion => ({ partial, prefix: "", found });
const nothing = (partial: string): Completion => plain(partial, []);
const byName = ({ name, summary }: CommandFacts): Candidate => ({ value: name, description: summary });

/** A family whose first word is no command stands where its first member stands. */
function firstWords(commands: readonly CommandFacts[]): Candidate[] {
  const candidates = commands.map((command) => {
    const [word = ""] = command.name.split(" ");
    const isCommand = commands.some(({ name }) => name === word);
    if (isCommand) return command.name === word ? byName(command) : undefined;
    const family = familyOf(word, commands);
    return family[0] === command
      ? { value: word, description: family.map(secondWordOf).join(", ") }
      : undefined;
  });
  return candidates.filter((candidate) => candidate !== undefined);
}

/** `list` after `tool`. */
function secondWords(first: string, commands: readonly CommandFacts[]): Candidate[] {
  return familyOf(first, commands).map((command) => ({
    value: secondWordOf(command),
    description: command.summary,
  }));
}

/** What `help` explains: a command, of which some have a second word, or a topic. */
function namedCommands(
  given: readonly string[],
  topics: readonly Candidate[],
  visible: readonly CommandFacts[],
): Candidate[] {
  const [first] = given;
  if (first === undefined) return [...firstWords(visible), ...topics];
  return given.length > 1 ? [] : secondWords(first, visible);
}

/** The command that is being typed and the words after it, with those that stood before it. */
function commandIn(words: readonly string[], commands: readonly CommandFacts[]) {
  const flags = flagsOf(undefined);
  for (let index = 0; index < words.length; index += 1) {
    const word = words[index] ?? "";
    const flag = flags.find((each) => isSpelled(each, word));
    if (flag !== undefined && takesValue(flag)) index += 1;
    else if (!word.startsWith("-") && word !== "=") {
      const at = commandAt(words.slice(index), commands);
      const rest = [...words.slice(0, index), ...words.slice(index + (at?.used ?? 1))];
      return { command: at?.command, rest, unknown: at === undefined ? word : undefined };
    }
  }
  return { command: undefined, rest: words, unknown: undefined };
}

function flagsOf(command: CommandFacts | undefined): SharedFlag[] {
  const flags = command === undefined ? everySharedFlag : flagSections(command).flatMap((each) => each.flags);
  return flags.filter(({ hidden }) => hidden !== true);
}

const takesValue = ({ kind }: SharedFlag) => kind !== "boolean";
const isSpelled = ({ name, alias }: SharedFlag, word: string) =>
  word === `--${name}` || (alias !== undefined && word === `-${alias}`);

function flagCompletion(
  command: CommandFacts | undefined,
  flags: readonly SharedFlag[],
  before: readonly string[],
  current: string,
): Completion {
  const [spelled = "", ...value] = current.split("=");
  const asking = flags.find((flag) => takesValue(flag) && isSpelled(flag, spelled));
  if (value.length > 0)
    return asking === undefined
      ? nothing(current)
      : valueCompletion(command, asking, value.join("="), `${spelled}=`);
  const isNew = (flag: SharedFlag) =>
    flag.kind === "list" ||
    flag.kind === "repeats" ||
    !before.some((word) => isSpelled(flag, word.split("=")[0] ?? ""));
  return plain(
    current,
    flags.filter(isNew).flatMap((flag) => {
      const description = flag.describe();
      const spellings = flag.negatable === true ? [flag.name, `no-${flag.name}`] : [flag.name];
      return spellings.map((name) => ({ value: `--${name}`, description }));
    }),
  );
}

/** The last of several values that a list takes, separated by commas, is the one being typed. */
function valueCompletion(
  command: CommandFacts | undefined,
  flag: SharedFlag,
  text: string,
  prefix: string,
): Completion {
  const comma = flag.kind === "list" ? text.lastIndexOf(",") + 1 : 0;
  const equals = text.indexOf("=") + 1;
  if (equals > 0 && flag.label?.endsWith("[=FILE]") === true)
    return { ...nothing(text.slice(equals)), prefix: prefix + text.slice(0, equals), also: "files" };
  const partial = text.slice(comma);
  const chosen = new Set(text.slice(0, comma).toLowerCase().split(","));
  const { found, ...completion } = fieldCompletion(command, flag, partial);
  return {
    ...completion,
    found: found.filter(({ value }) => !chosen.has(value.toLowerCase())),
    prefix: prefix + text.slice(0, comma),
  };
}

/** The words that are neither flags nor their values. */
function plainWordsOf(flags: readonly SharedFlag[], before: readonly string[]): readonly string[] {
  const isValue = (index: number) =>
    flags.some((flag) => takesValue(flag) && isSpelled(flag, before[index - 1] ?? ""));
  return before.filter((word, index) => !word.startsWith("-") && !isValue(index));
}

/** The first word, where it is a path or a class. */
function subjectOf(command: CommandFacts | undefined, before: readonly string[]): Completion["subject"] {
  const [first] = command?.cli.positionals ?? [];
  const [word] = plainWordsOf(flagsOf(command), before);
  const lookup = first === undefined ? undefined : lookupOf(first);
  if (word === undefined || (lookup !== "paths" && lookup !== "classes")) return undefined;
  return { kind: lookup === "paths" ? "path" : "class", word };
}

function positionalCompletion(
  command: CommandFacts,
  flags: readonly SharedFlag[],
  before: readonly string[],
  current: string,
  visible: readonly CommandFacts[],
): Completion {
  const plainWords = plainWordsOf(flags, before);
  const given = plainWords.length;
  const { positionals = [] } = command.cli;
  const repeated = positionals.find((positional) => positional.repeated === true);
  const positional = positionals[given] ?? repeated;
  const more = given === 0 ? secondWords(command.name, visible) : [];
  if (positional === undefined) return plain(current, more);
  if (positional.label === "COMMAND")
    return plain(current, namedCommands(plainWords, positional.topics ?? [], visible));
  const completion = fieldCompletion(command, positional, current);
  return { ...completion, found: [...more, ...completion.found] };
}

/** What stands for a path in help is one. */
const PATH_LABELS: readonly string[] = ["FILE", "FOLDER", "PLACE", "PROJECT"];
const isPath = (label: string): boolean => label.split("|").some((word) => PATH_LABELS.includes(word));

type Field = Pick<SharedFlag, "key" | "label" | "values" | "lookup">;

function fieldCompletion(
  command: CommandFacts | undefined,
  { key, label = "", values, lookup }: Field,
  partial: string,
): Completion {
  const words = values ?? choicesOf(command, key);
  const isOpen = key !== "properties" || words.length === 0;
  const also = lookup ?? (isOpen ? lookupOf({ key, label }) : undefined);
  const completion = plain(
    partial,
    words.map((value) => ({ value, description: "" })),
  );
  if (also === undefined) return completion;
  if (label !== "NAME=VALUE") return { ...completion, also };
  const [property = "", ...value] = partial.split("=");
  if (value.length === 0) return { ...completion, also, suffix: "=" };
  return { ...nothing(value.join("=")), prefix: `${property}=`, also, property };
}

/** Keys of many commands that mean the same everywhere. */
const LOOKUPS: { readonly [key: string]: Lookup | undefined } = {
  sessionId: "sessions",
  instanceId: "instances",
  path: "paths",
  paths: "paths",
  root: "paths",
  parent: "paths",
  exists: "paths",
  className: "classes",
  properties: "properties",
  values: "properties",
};

function lookupOf({ key, label = "" }: Pick<Field, "key" | "label">): Lookup | undefined {
  if (isPath(label)) return "files";
  return Object.hasOwn(LOOKUPS, key) ? LOOKUPS[key] : undefined;
}
