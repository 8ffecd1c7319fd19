/**
 * Finds what a pattern replaces in texts, line by line, as `searchLines` finds it. Pure, so that a worker and the main
 * thread can both run it.
 */
import type { Replacement } from "./apply-edits.ts";
import { endOfLine, type Search } from "./search-lines.ts";

export interface ReplaceSearch extends Pick<Search, "pattern" | "isRegex" | "ignoreCase"> {
  /** The new text; with a regular expression `$1`, `$<name>`, `$&` and `$$` mean what they mean in JavaScript. */
  readonly with: string;
  /** Only where no letter, digit or underscore is on either side. */
  readonly isWord: boolean;
}

export interface Replaced {
  readonly texts: readonly {
    /** Which of the texts, counted from 0. */
    readonly text: number;
    /** Each is a whole line without its line break, in order. */
    readonly replacements: readonly Replacement[];
  }[];
  /** Places where the pattern matches. */
  readonly total: number;
}

/** The texts have line feeds alone. Throws SyntaxError for what is no regular expression. */
export function replaceLines(texts: readonly string[], search: ReplaceSearch): Replaced {
  const regex = replacingRegex(search);
  let total = 0;
  const replaced = texts.flatMap((content, text) => {
    const replacements: Replacement[] = [];
    for (let start = 0; start < content.length;) {
      const end = endOfLine(content, start);
      const line = content.slice(start, end);
      const matches = Array.from(line.matchAll(regex)).length;
      if (matches > 0) replacements.push({ start, end, text: replacedLine(line, regex, search) });
      total += matches;
      start = end + 1;
    }
    return replacements.length === 0 ? [] : [{ text, replacements }];
  });
  return { texts: replaced, total };
}

function replacingRegex({ pattern, isRegex, ignoreCase, isWord }: ReplaceSearch): RegExp {
  const source = isRegex ? pattern : RegExp.escape(pattern);
  return new RegExp(isWord ? `(?<!\\w)(?:${source})(?!\\w)` : source, ignoreCase ? "gi" : "g");
}

function replacedLine(line: string, regex: RegExp, search: ReplaceSearch): string {
  return search.isRegex ? line.replace(regex, search.with) : line.replace(regex, () => search.with);
}
