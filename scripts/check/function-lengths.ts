/**
 * Functions that are too long to be read at one glance. TypeScript is read by its indentation, which `npm run format` sets, and
 * Luau by the pairs of its words. A function whose body is one expression, such as a schema, is a table and has no limit.
 */
import { functionsIn, type LineRange } from "../../src/testing/run/function-lines.ts";
import type { Sources } from "./sources.ts";

export const MOST_LINES = 60;

/** The line that opens a block and begins its statement: a statement with a condition opens no function. */
const CONDITION = /^\s*(?:\} )?(?:if|else|for|while|switch|catch|try|do|with)\b/;
const WORDS = "(?:(?:public|private|protected|static|override|async|get|set) |\\*)*";
/** `name(input: Input): Output {`, in a class or in an object. */
const METHOD = new RegExp(`^\\s*${WORDS}(?:#?[\\w$]+|\\[[^\\]]+\\])(?:<.*>)?\\(.*\\)(?:: .+)? \\{$`);
const FUNCTION = /\bfunction\b.* \{$|=> \{$/;
/** The last line of a signature that takes several lines. */
const SIGNATURE_END = /^\s*[)}\]].*\)?(?:: .+)? \{$/;

const indentOf = (line: string): number => line.length - line.trimStart().length;

/** The first line of the statement that goes on in `lines[at]`, whose indentation is the same. */
function firstLineOf(lines: readonly string[], at: number): number {
  const indent = indentOf(lines[at] ?? "");
  for (let above = at - 1; above >= 0; above -= 1) {
    const line = lines[above] ?? "";
    if (line !== "" && indentOf(line) <= indent && !/^\s*[)}\]]/.test(line)) return above;
  }
  return at;
}

/** Whether `lines[at]` opens the body of a function; gives the line in which the function begins. */
function beginOf(lines: readonly string[], at: number): number | undefined {
  const line = lines[at] ?? "";
  if (!line.endsWith(" {")) return undefined;
  const begin = SIGNATURE_END.test(line) ? firstLineOf(lines, at) : at;
  if (CONDITION.test(lines[begin] ?? "")) return undefined;
  if (begin !== at) return /^\s*\)(?:: .+?)?(?: =>)? \{$/.test(line) ? begin : undefined;
  return FUNCTION.test(line) || METHOD.test(line) ? begin : undefined;
}

/** The functions of a formatted source, with their first and last lines. */
export function typescriptFunctionsIn(text: string): LineRange[] {
  const lines = text.split("\n");
  return lines.flatMap((line, at) => {
    const begin = beginOf(lines, at);
    if (begin === undefined) return [];
    const closing = `${" ".repeat(indentOf(line))}}`;
    const end = lines.findIndex((later, index) => index > at && later.startsWith(closing));
    return [{ first: begin + 1, last: end + 1 }];
  });
}

const lengthOf = ({ first, last }: LineRange): number => last - first + 1;

/** One line for each function that is too long. `sources`: files below `folder`. */
export function longFunctionFaults(folder: string, sources: Sources): string[] {
  return [...sources].flatMap(([path, text]) =>
    (path.endsWith(".luau") ? functionsIn(text) : typescriptFunctionsIn(text))
      .filter((range) => lengthOf(range) > MOST_LINES)
      .map(
        (range) =>
          `${folder}/${path}:${range.first}: this function has ${lengthOf(range)} lines; split it, so that none has more than ${MOST_LINES}`,
      ),
  );
}
