/**
 * Families of commands: two-word commands with the same first word, such as `script read` and `script grep`. The first
 * word alone need not be a command.
 */
import { nearest } from "../../util/nearest.ts";

interface Named {
  readonly name: string;
}

/** The members of a family, in the order of help; none where `word` begins no family. */
export function familyOf<Member extends Named>(word: string, commands: readonly Member[]): Member[] {
  return commands.filter(({ name }) => name.startsWith(`${word} `));
}

/** `read` of `script read`. */
export function secondWordOf({ name }: Named): string {
  return name.slice(name.indexOf(" ") + 1);
}

/** The command that words begin with, and how many of them name it: two where that is possible. */
export function commandAt<Member extends Named>(
  [first = "", second]: readonly string[],
  commands: readonly Member[],
): { readonly command: Member; readonly used: 1 | 2 } | undefined {
  const find = (wanted: string) => commands.find(({ name }) => name === wanted);
  const longer = second === undefined ? undefined : find(`${first} ${second}`);
  if (longer !== undefined) return { command: longer, used: 2 };
  const command = find(first);
  return command === undefined ? undefined : { command, used: 1 };
}

/** What is wrong with a second word that no member of the family has, and what there is; `call` writes a command. */
export function secondWordFault(
  word: string,
  second: string | undefined,
  family: readonly Named[],
  call: (words: string) => string,
): { readonly message: string; readonly hint: string } {
  const hint = `Subcommands: ${family.map(({ name }) => call(name)).join(", ")}.`;
  if (second === undefined || second.startsWith("-"))
    return { message: `${call(word)} needs a second word.`, hint };
  const guess = nearest(second, family.map(secondWordOf));
  const question = guess === undefined ? "" : ` Did you mean ${call(`${word} ${guess}`)}?`;
  return { message: `Unknown command "${call(`${word} ${second}`)}".${question}`, hint };
}
