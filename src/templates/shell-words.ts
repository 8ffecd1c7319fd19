/** Splits a template that is given as one string, the way a shell would split it. Runs no shell and expands nothing. */
import { templateError } from "./template-error.ts";

/** Not every white space: what else is in a file name separates no words. */
const BLANK = /[ \t\r\n]/;
/** What a backslash escapes between double quotes; before anything else it stands for itself. */
const ESCAPED_IN_QUOTES = '"\\$`';

/** Throws TEMPLATE_ERROR for an unclosed quote and for a line without words. `#` is an ordinary character. */
export function shellWords(line: string): string[] {
  const words: string[] = [];
  let word: string | undefined;
  let quote: string | undefined;
  for (let at = 0; at < line.length; at++) {
    const character = line.charAt(at);
    const next = line.charAt(at + 1);
    // A line that goes on.
    if (character === "\\" && next === "\n" && quote !== "'") at += 1;
    else if (quote !== undefined) {
      if (character === quote) quote = undefined;
      else if (quote === '"' && character === "\\" && next !== "" && ESCAPED_IN_QUOTES.includes(next)) {
        word += next;
        at += 1;
      } else word += character;
    } else if (character === '"' || character === "'") {
      quote = character;
      word ??= "";
    } else if (BLANK.test(character)) {
      if (word !== undefined) words.push(word);
      word = undefined;
    } else if (character === "\\" && next !== "") {
      word = (word ?? "") + next;
      at += 1;
    } else word = (word ?? "") + character;
  }
  if (quote !== undefined) throw templateError(`Unclosed quote: ${line}`, `Add the missing ${quote}.`);
  if (word !== undefined) words.push(word);
  if (words.length === 0) throw templateError("no command provided", "Name a program and its arguments.");
  return words;
}
