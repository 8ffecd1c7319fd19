/**
 * Finds the functions in a Luau source, with the lines on which they begin and end. It pairs the words that open and close blocks
 * and does not parse. For a source that does not compile the lines may be wrong.
 */

/** Lines count from 1. */
export interface LineRange {
  readonly first: number;
  readonly last: number;
}

/** Inside of a string: a backslash and what it stands for. `\z` swallows the white space behind it, line ends too. */
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
/** Text of a string in backticks, up to its end or up to the next value in it. */
const BACKTICK_TEXT = new RegExp(String.raw`(?:${ESCAPED}|[^\`{\\])*`.replace("\\`", "`"), "y");

/** In the order in which they begin; of those that begin on one line, the outermost comes first. */
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

/** What is open at a point of the source. A `choice` is an `if` that gives a value, which no word closes. */
interface Open {
  readonly word: string;
  readonly line: number;
  hasElse: boolean;
}

const BLOCKS = new Set(["function", "do", "if"]);
const BRACKETS: Readonly<Record<string, string>> = { ")": "(", "]": "[", "}": "{" };
/** Behind these an `if` gives a value. Not behind `>`, because a type may end with it, and a statement follows. */
const BEFORE_VALUE = new Set(
  "= + - * / % ^ < ~ # .. , and or not return in if elseif while until".split(" "),
);

class Blocks {
  readonly #open: Open[] = [];
  readonly #functions: LineRange[] = [];
  #before = "";
  #isInText = false;

  /** Whether text of a string in backticks follows. */
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

  /** What is still open ends with the source. */
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

  /** Closes the innermost one of a kind with all that is open in it; nothing where none is open. */
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

  /** A choice has one `else`; a further one belongs to what is around it. */
  #else(token: string): void {
    while (this.#open.at(-1)?.hasElse === true) this.#open.pop();
    const open = this.#open.at(-1);
    if (token === "else" && open?.word === "choice") open.hasElse = true;
  }
}
