/** Prepares the text of a Luau file for the patterns of discovery, without a parser. */

/** Removes comments, because they may name modules that the code does not use. */
export const withoutComments = (source: string): string =>
  source.replace(/--\[(=*)\[[\s\S]*?\]\1\]/g, "").replace(/--[^\n]*/g, "");

/** Each string becomes an empty one, because a string may contain words and brackets of the language. */
const withoutStrings = (code: string): string =>
  code.replace(
    /"(?:\\[\s\S]|[^"\\\n])*"|'(?:\\[\s\S]|[^'\\\n])*'|`(?:\\[\s\S]|[^`\\])*`|\[(=*)\[[\s\S]*?\]\1\]/g,
    '""',
  );

/** The start of a function or a table after `return`. */
const RETURNED = /\breturn\b\s*(?:(function)\s*[(<]|\{)/;
const [BLOCKS, BRACES] = [/\b(?:(function|do|if|repeat)|end|until)\b/g, /(\{)|\}/g];

/**
 * The value that the last statement of a file without comments returns, if that is a function or a table. Usually its line begins
 * with `return`. If no line does, as in a file of one line, it is the `return` whose value ends with the file.
 */
export function lastValueOf(code: string): "function" | "table" | undefined {
  const usual = [...code.matchAll(new RegExp(`^${RETURNED.source}`, "gm"))];
  if (usual.length > 0) return usual.some(([, word]) => word === "function") ? "function" : "table";
  if (/^return\b/m.test(code)) return undefined;
  const plain = withoutStrings(code);
  for (const found of plain.matchAll(new RegExp(RETURNED.source, "g"))) {
    const isFunction = found[1] !== undefined;
    if (endsWithFile(plain.slice(found.index), isFunction ? BLOCKS : BRACES))
      return isFunction ? "function" : "table";
  }
  return undefined;
}

/** True if the first block that `marks` opens is closed at the end of the text. The first group of `marks` opens a block. */
function endsWithFile(text: string, marks: RegExp): boolean {
  let depth = 0;
  for (const mark of text.matchAll(marks)) {
    depth += mark[1] === undefined ? -1 : 1;
    if (depth === 0) return /^[\s;]*$/.test(text.slice(mark.index + mark[0].length));
  }
  return false;
}
