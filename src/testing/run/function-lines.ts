/**
 * Finds the functions in a Luau source, with their first and last lines. It does not parse the source, but pairs the words that
 * open and close blocks. For a source that does not compile, the lines may be wrong.
 */

/** Lines count from 1. */
export interface LineRange {
  readonly first: number;
  readonly last: number;
}

/** An escape sequence inside of a string. `\z` also takes the white space after it, even line ends. */
const ESCAPED = String.raw`\\(?:z\s*|\r\n|[^])`;
const TOKEN = new RegExp(
  [
    String.raw`--\[(=*)\[[^]*?(?:\]\1\]|$)`,
    String.raw`--[^\n]*`,
    String.raw`\[(=*)\[[^]*?(?:\]\2\]|$)`,
    String.raw`"(?:${ESCAPED}|[^"\\\n])*"?`,
    String.raw`'(?:${ESCAPED}|[^'\\\n])*'?`,
    String.raw`\w+`,
    String.raw`\.{2,3}`,
    String.raw`[^\s\w]`,
  ].join("|"),
  "y",
);
const SPACE = /\s*/y;
/** Text of a string in backticks, up to the end of the string or to the next value in it. */
const BACKTICK_TEXT = new RegExp(String.raw`(?:${ESCAPED}|[^\`{\\])*`.replace("\\`", "`"), "y");

/** The functions in the order of their first lines. Of functions with the same first line, the outermost comes first. */
export function functionsIn(source: string): LineRange[] {
  const blocks = new Blocks();
  let [at, line] = [0, 1];
  const take = (pattern: RegExp): string => {
    pattern.lastIndex = at;
    const text = pattern.exec(source)?.[0] ?? "";
    at += text.length;
    return text;
  };
  const skip = (text: string): void => {
    line += text.split("\n").length - 1;
  };
  for (;;) {
    skip(take(SPACE));
    const token = take(TOKEN);
    if (token === "") return blocks.end(line);
    if (!token.startsWith("--")) blocks.add(token, line);
    skip(token);
    if (blocks.isInText) skip(take(BACKTICK_TEXT));
  }
}

/** A block or bracket that is open at a point of the source. A `choice` is an `if` expression, which no word closes. */
interface Open {
  readonly word: string;
  readonly line: number;
  hasElse: boolean;
}

const BLOCKS = new Set(["function", "do", "if"]);
const BRACKETS: Readonly<Record<string, string>> = { ")": "(", "]": "[", "}": "{" };
/** After these tokens, `if` begins an expression. `>` is not among them, because a type may end with it before a statement. */
const BEFORE_VALUE = new Set(
  "= + - * / % ^ < ~ # .. , and or not return in if elseif while until".split(" "),
);

class Blocks {
  readonly #open: Open[] = [];
  readonly #functions: LineRange[] = [];
  #before = "";
  #isInText = false;

  /** True if text of a string in backticks follows. */
  get isInText(): boolean {
    return this.#isInText;
  }

  add(token: string, line: number): void {
    this.#isInText = false;
    if (token === "`") this.#backtick(line);
    else if (["function", "do", "repeat", "(", "[", "{"].includes(token)) this.#push(token, line);
    else if (token === "if") this.#push(this.#isValueNext() ? "choice" : "if", line);
    else if (token === "else" || token === "elseif") this.#else(token);
    else if (token === "end") this.#close(({ word }) => BLOCKS.has(word), line);
    else if (token === "until") this.#close(({ word }) => word === "repeat", line);
    else if (token in BRACKETS) this.#close(({ word }) => word === BRACKETS[token], line);
    if (token === "}") this.#isInText = this.#open.at(-1)?.word === "`";
    this.#before = token;
  }

  /** Closes everything that is open at the end of the source, and returns the functions. */
  end(line: number): LineRange[] {
    while (this.#open.length > 0) this.#pop(line);
    return this.#functions.toSorted((one, other) => one.first - other.first || other.last - one.last);
  }

  #push(word: string, line: number): void {
    this.#open.push({ word, line, hasElse: false });
  }

  #pop(line: number): void {
    const open = this.#open.pop();
    if (open?.word === "function") this.#functions.push({ first: open.line, last: line });
  }

  /** Closes the innermost open block of a kind, with everything that is open inside of it. Does nothing if there is none. */
  #close(isKind: (open: Open) => boolean, line: number): void {
    const at = this.#open.findLastIndex(isKind);
    while (at >= 0 && this.#open.length > at) this.#pop(line);
  }

  #backtick(line: number): void {
    if (this.#open.at(-1)?.word === "`") return this.#pop(line);
    this.#push("`", line);
    this.#isInText = true;
  }

  #isValueNext(): boolean {
    if (BEFORE_VALUE.has(this.#before)) return true;
    const inside = this.#open.at(-1)?.word;
    if (inside === "(" || inside === "[" || inside === "{") return true;
    return (this.#before === "then" || this.#before === "else") && inside === "choice";
  }

  /** A choice has only one `else`. Another `else` belongs to the block around it. */
  #else(token: string): void {
    while (this.#open.at(-1)?.hasElse === true) this.#open.pop();
    const open = this.#open.at(-1);
    if (token === "else" && open?.word === "choice") open.hasElse = true;
  }
}
