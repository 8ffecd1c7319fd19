/** Reads the value of a flag that all commands share out of words that are still being typed. */
import { everySharedFlag } from "./shared-flags.ts";

/**
 * The last value of the flag `--NAME` or of its short form; undefined where it has none. Shells write `--session ID`,
 * `--session=ID`, and `--session`, `=` and `ID` as three words.
 */
export function typedFlag(words: readonly string[], name: string): string | undefined {
  const alias = everySharedFlag.find((flag) => flag.name === name)?.alias;
  const spellings = [`--${name}`, ...(alias === undefined ? [] : [`-${alias}`])];
  const values = words.flatMap((word, at) => {
    const joined = spellings.find((spelling) => word.startsWith(`${spelling}=`));
    if (joined !== undefined) return [word.slice(joined.length + 1)];
    if (!spellings.includes(word)) return [];
    return [words[at + 1] === "=" ? words[at + 2] : words[at + 1]];
  });
  return values.findLast((value) => value !== undefined);
}
