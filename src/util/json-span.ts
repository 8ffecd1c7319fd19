/**
 * Finds where a member is inside JSON text, so that it can be passed on without being parsed and written again. Only
 * for text that `JSON.parse` has accepted: nothing is validated here.
 */
export interface Span {
  readonly start: number;
  readonly end: number;
}

// Codes are compared, because that takes half the time of comparing texts of one character.
const [QUOTE, BACKSLASH, COMMA] = [0x22, 0x5c, 0x2c];
const [OPEN_BRACE, CLOSE_BRACE, OPEN_BRACKET, CLOSE_BRACKET] = [0x7b, 0x7d, 0x5b, 0x5d];

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
  if (text.charCodeAt(objectAt) !== OPEN_BRACE) return undefined;
  let found: Span | undefined;
  let at = skipSpace(text, objectAt + 1);
  while (at < text.length && text.charCodeAt(at) !== CLOSE_BRACE) {
    const keyEnd = stringEnd(text, at);
    const start = skipSpace(text, skipSpace(text, keyEnd) + 1);
    const end = valueEnd(text, start);
    if (isKey(text, at, keyEnd, key)) found = { start, end };
    at = skipSpace(text, end);
    if (text.charCodeAt(at) === COMMA) at = skipSpace(text, at + 1);
  }
  return found;
}

/** Whether the quoted text means `key`. Only a longer one can mean it by an escape. */
function isKey(text: string, start: number, end: number, key: string): boolean {
  const excess = end - start - 2 - key.length;
  if (excess <= 0) return excess === 0 && text.startsWith(key, start + 1);
  const raw = text.slice(start, end);
  return raw.includes("\\") && JSON.parse(raw) === key;
}

function valueEnd(text: string, start: number): number {
  const first = text.charCodeAt(start);
  if (first === QUOTE) return stringEnd(text, start);
  if (first === OPEN_BRACE || first === OPEN_BRACKET) return nestedEnd(text, start);
  let at = start;
  while (at < text.length && !isScalarEnd(text.charCodeAt(at))) at += 1;
  return at;
}

function nestedEnd(text: string, start: number): number {
  let depth = 0;
  let at = start;
  while (at < text.length) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) {
      at = stringEnd(text, at);
      continue;
    }
    if (code === OPEN_BRACE || code === OPEN_BRACKET) depth += 1;
    else if (code === CLOSE_BRACE || code === CLOSE_BRACKET) depth -= 1;
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
    while (text.charCodeAt(quote - 1 - slashes) === BACKSLASH) slashes += 1;
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
const isScalarEnd = (code: number) =>
  code === COMMA || code === CLOSE_BRACE || code === CLOSE_BRACKET || isSpace(code);
