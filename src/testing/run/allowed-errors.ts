/**
 * Decides which uncaught errors a test expects: those that the settings name, and those that a comment `--@sb allow-error TEXT` of the
 * test file names for the function around it. Outside of all functions, the comment counts for the whole file.
 */
import type { Failure } from "../events.ts";
import { functionsIn, type LineRange } from "./function-lines.ts";

const COMMENT = /^\s*--\s*@sb\s+allow-error\s+(?<text>\S.*?)\s*$/;

/** What a comment allows, and the lines for which it counts. */
interface Allowance {
  readonly text: string;
  readonly line: number;
  /** The innermost function around the comment; undefined for the whole file. */
  readonly around: LineRange | undefined;
}

export class AllowedErrors {
  readonly #path: string;
  readonly #patterns: readonly RegExp[];
  readonly #source: () => string | undefined;
  #allowances: readonly Allowance[] | undefined;

  /** `source` gives the text of the file at `path`; undefined if it cannot be read. It is called when the text is needed first. */
  constructor(path: string, patterns: readonly RegExp[], source: () => string | undefined) {
    this.#path = path;
    this.#patterns = patterns;
    this.#source = source;
  }

  /** True for the message of an error that the settings allow in every file. */
  isOfSettings(message: string): boolean {
    return this.#patterns.some((pattern) => pattern.test(message));
  }

  /** True for an error that is allowed here. `cases` are the lines of the cases that are to blame for it. */
  has({ message, frames }: Failure, cases: readonly LineRange[]): boolean {
    if (this.isOfSettings(message)) return true;
    const lines = frames.filter(({ path }) => path === this.#path).map(({ line }) => line);
    this.#allowances ??= allowancesIn(this.#source() ?? "");
    return this.#allowances.some(
      ({ text, line, around }) =>
        message.includes(text) &&
        (around === undefined ||
          lines.some((each) => isIn(around, each)) ||
          cases.some((range) => isIn(range, line))),
    );
  }
}

const isIn = ({ first, last }: LineRange, line: number): boolean => first <= line && line <= last;

function allowancesIn(source: string): readonly Allowance[] {
  const found = source.split("\n").flatMap((content, index) => {
    const text = COMMENT.exec(content)?.groups?.["text"];
    return text === undefined ? [] : [{ text, line: index + 1 }];
  });
  if (found.length === 0) return [];
  const functions = functionsIn(source);
  return found.map(({ text, line }) => ({
    text,
    line,
    // A function inside of another one begins later.
    around: functions.findLast((range) => isIn(range, line)),
  }));
}
