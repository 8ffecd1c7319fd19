/** Searches texts for the lines that a pattern is on. Pure, so that a worker and the main thread can both run it. */

export interface Search {
  readonly pattern: string;
  /** The pattern is a regular expression, tried on each line by itself. */
  readonly isRegex: boolean;
  readonly ignoreCase: boolean;
  /** Lines to give before and after each hit. */
  readonly contextLines: number;
  /** The hits beyond are counted only. */
  readonly limit: number;
}

export interface Hit {
  /** Which of the texts, counted from 0. */
  readonly text: number;
  readonly line: number;
  readonly content: string;
  readonly before: readonly string[];
  readonly after: readonly string[];
}

export interface Found {
  readonly hits: readonly Hit[];
  /** Lines with a hit. */
  readonly total: number;
  /** Texts with a hit. */
  readonly texts: number;
}

/** A longer line is shown around its hit only. */
const LINE_CHARACTERS = 400;
const LEAD_CHARACTERS = 100;

/** The index of the next hit, or -1. */
type Finder = (text: string, from: number) => number;

/** Throws SyntaxError for what is no regular expression. */
export function searchLines(texts: readonly string[], search: Search): Found {
  const find = finderOf(search);
  const hits: Hit[] = [];
  let total = 0;
  let withHits = 0;
  for (const [index, text] of texts.entries()) {
    const before = total;
    let [line, counted] = [1, 0];
    for (let at = find(text, 0); at !== -1;) {
      total += 1;
      const start = startOfLine(text, at);
      const end = endOfLine(text, at);
      if (hits.length < search.limit) {
        line += breaksBetween(text, counted, start);
        counted = start;
        hits.push({
          text: index,
          line,
          content: windowOf(text.slice(start, end), at - start),
          before: linesBefore(text, start, search.contextLines),
          after: linesAfter(text, end, search.contextLines),
        });
      }
      at = end >= text.length ? -1 : find(text, end + 1);
    }
    if (total > before) withHits += 1;
  }
  return { hits, total, texts: withHits };
}

export function regexOf({ pattern, ignoreCase }: Pick<Search, "pattern" | "ignoreCase">): RegExp {
  return new RegExp(pattern, ignoreCase ? "i" : "");
}

function finderOf(search: Search): Finder {
  const { pattern, isRegex, ignoreCase } = search;
  if (isRegex) return lineFinder(regexOf(search));
  if (!ignoreCase) return (text, from) => text.indexOf(pattern, from);
  const literal = new RegExp(RegExp.escape(pattern), "gi");
  return (text, from) => {
    literal.lastIndex = from;
    return literal.exec(text)?.index ?? -1;
  };
}

/** `from` is the start of a line. */
function lineFinder(regex: RegExp): Finder {
  return (text, from) => {
    for (let start = from; start < text.length;) {
      const end = endOfLine(text, start);
      const isCarriage = text.charCodeAt(end - 1) === 13 && end > start;
      const at = text.slice(start, isCarriage ? end - 1 : end).search(regex);
      if (at !== -1) return start + at;
      start = end + 1;
    }
    return -1;
  };
}

function startOfLine(text: string, at: number): number {
  return at === 0 ? 0 : text.lastIndexOf("\n", at - 1) + 1;
}

/** Where the line break is, or the end of the text. */
export function endOfLine(text: string, at: number): number {
  const end = text.indexOf("\n", at);
  return end === -1 ? text.length : end;
}

function breaksBetween(text: string, from: number, to: number): number {
  let count = 0;
  for (let at = text.indexOf("\n", from); at !== -1 && at < to; at = text.indexOf("\n", at + 1)) count += 1;
  return count;
}

function linesBefore(text: string, start: number, count: number): string[] {
  const lines: string[] = [];
  for (let end = start - 1; lines.length < count && end >= 0;) {
    const lineStart = startOfLine(text, end);
    lines.unshift(windowOf(text.slice(lineStart, end), 0));
    end = lineStart - 1;
  }
  return lines;
}

function linesAfter(text: string, end: number, count: number): string[] {
  const lines: string[] = [];
  for (let start = end + 1; lines.length < count && start < text.length;) {
    const lineEnd = endOfLine(text, start);
    lines.push(windowOf(text.slice(start, lineEnd), 0));
    start = lineEnd + 1;
  }
  return lines;
}

/** The line without a carriage return at its end, and of a very long one the part around `column`. */
function windowOf(line: string, column: number): string {
  const whole = line.endsWith("\r") ? line.slice(0, -1) : line;
  if (whole.length <= LINE_CHARACTERS) return whole;
  const start = Math.max(0, Math.min(column - LEAD_CHARACTERS, whole.length - LINE_CHARACTERS));
  const end = start + LINE_CHARACTERS;
  const [lead, rest] = [start > 0 ? "…" : "", end < whole.length ? "…" : ""];
  return `${lead}${whole.slice(start, end).toWellFormed()}${rest}`;
}
