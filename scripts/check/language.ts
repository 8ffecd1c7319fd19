/**
 * Words and pointers that make a text hard to understand for a newcomer, and source files that do not begin with a
 * comment. CONTRIBUTING.md says how the project writes.
 */
import type { Sources } from "./sources.ts";

const UNCLEAR: readonly (readonly [RegExp, string])[] = [
  [/\bwhoever\b/i, "name the person, process or file instead of"],
  [/\bnobody\b/i, "name the person, process or file instead of"],
  [/\bsomebody\b/i, "name the person, process or file instead of"],
  [/\bwhat is meant\b/i, "name the thing instead of"],
  [/\bin vain\b/i, "say what was not reached instead of"],
  [/\bspec \d/i, "point into docs/ or give the reason instead of"],
  [/\bwire: "/, "point into docs/ or give the reason instead of"],
];

/** This file and its test quote the words that they look for. */
const QUOTES_THEM = /(^|\/)language(\.test)?\.ts$/;

/** One line for each place where a text uses such a word. */
export function wordFaults(folder: string, sources: Sources): string[] {
  return [...sources]
    .filter(([path]) => !QUOTES_THEM.test(path))
    .flatMap(([path, text]) =>
      text.split("\n").flatMap((line, index) =>
        UNCLEAR.flatMap(([word, advice]) => {
          const found = word.exec(line)?.[0];
          return found === undefined ? [] : [`${folder}/${path}:${index + 1}: ${advice} "${found}"`];
        }),
      ),
    );
}

/** What may stand above the opening comment: the line that names an interpreter, and Luau's directives. */
const ABOVE = /^(?:(?:#!|--!)[^\n]*\n|\s)*/;

/** One line for each source file that says nothing about what it owns. */
export function openingFaults(folder: string, sources: Sources): string[] {
  return [...sources]
    .filter(([, text]) => !/^(?:\/\/|\/\*|--|#)/.test(text.replace(ABOVE, "")))
    .map(([path]) => `${folder}/${path} must begin with a comment that says what the file owns`);
}
