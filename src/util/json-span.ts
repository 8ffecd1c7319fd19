/**
 * Finds where a member is inside JSON text, so that it can be passed on without being parsed and written again. Only
 * for text that `JSON.parse` has accepted: nothing is validated here.
 */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** The span of the value at `path` of objects; as with `JSON.parse`, the last of equal keys counts. */
export function jsonSpan(text: string, path: readonly string[]): Span | undefined {
  let at = skipSpace(text, 0);
  let found: Span = { start: at, end: text.length };
  for (const key of path) {
    const member = lastMember(text, at, key);
    if (member === undefined) return undefined;
    found = member;
    at = member.start;
  }
  return found;
}

function lastMember(text: string, objectAt: number, key: string): Span | undefined {
  if (text[objectAt] !== "{") return undefined;
  let found: Span | undefined;
  let at = skipSpace(text, objectAt + 1);
  while (at < text.length && text[at] !== "}") {
    const keyEnd = stringEnd(text, at);
    const isWanted = keyAt(text, at, keyEnd) === key;
    const start = skipSpace(text, skipSpace(text, keyEnd) + 1);
    const end = valueEnd(text, start);
    if (isWanted) found = { start, end };
    at = skipSpace(text, end);
    if (text[at] === ",") at = skipSpace(text, at + 1);
  }
  return found;
}

function keyAt(text: string, start: number, end: number): string {
  const raw = text.slice(start + 1, end - 1);
  return raw.includes("\\") ? String(JSON.parse(text.slice(start, end))) : raw;
}

function valueEnd(text: string, start: number): number {
  const first = text[start];
  if (first === '"') return stringEnd(text, start);
  if (first === "{" || first === "[") return nestedEnd(text, start);
  let at = start;
  while (at < text.length && !isScalarEnd(text.charCodeAt(at))) at += 1;
  return at;
}

function nestedEnd(text: string, start: number): number {
  let depth = 0;
  let at = start;
  while (at < text.length) {
    const char = text[at];
    if (char === '"') {
      at = stringEnd(text, at);
      continue;
    }
    if (char === "{" || char === "[") depth += 1;
    if (char === "}" || char === "]") depth -= 1;
    at += 1;
    if (depth === 0) break;
  }
  return at;
}

/** Just behind the closing quote of the string that opens at `start`. */
function stringEnd(text: string, start: number): number {
  let quote = text.indexOf('"', start + 1);
  while (quote !== -1) {
    let slashes = 0;
    while (text[quote - 1 - slashes] === "\\") slashes += 1;
    if (slashes % 2 === 0) return quote + 1;
    quote = text.indexOf('"', quote + 1);
  }
  return text.length;
}

function skipSpace(text: string, start: number): number {
  let at = start;
  while (at < text.length && isSpace(text.charCodeAt(at))) at += 1;
  return at;
}

const isSpace = (code: number) => code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09;
const isScalarEnd = (code: number) => code === 0x2c || code === 0x7d || code === 0x5d || isSpace(code);
