/** The language of `test/golden/jsonrpc-cases.json`: how its lines are built and how its answers are compared. */
import { isObject } from "../../../src/mcp/wire/json.ts";

export interface Case {
  readonly id: string;
  readonly setup: readonly Sent[];
  readonly send: readonly Sent[];
  readonly expect: readonly unknown[];
  readonly alternative?: readonly unknown[];
  readonly match?: "atLeast";
  readonly ordered?: boolean;
  readonly exactResult?: boolean;
  readonly serverFlags?: readonly string[];
}

export type Sent =
  | string
  | { readonly base64: string }
  | { readonly repeat: { before: string; char: string; count: number; after: string } }
  | { readonly nest: { before: string; open: string; close: string; count: number; after: string } }
  | { readonly split: readonly string[] };

/** Raw writes, in order. */
export function writesOf(sent: Sent): Uint8Array[] {
  if (typeof sent === "string") return [Buffer.from(`${sent}\n`)];
  if ("base64" in sent) return [Buffer.concat([Buffer.from(sent.base64, "base64"), Buffer.from("\n")])];
  if ("repeat" in sent) {
    const { before, char, count, after } = sent.repeat;
    return [Buffer.from(`${before}${char.repeat(count)}${after}\n`)];
  }
  if ("nest" in sent) {
    const { before, open, close, count, after } = sent.nest;
    return [Buffer.from(`${before}${open.repeat(count)}${close.repeat(count)}${after}\n`)];
  }
  return sent.split.map((piece, index) =>
    Buffer.from(index === sent.split.length - 1 ? `${piece}\n` : piece),
  );
}

const words: { readonly [word: string]: (value: unknown) => boolean } = {
  "<any>": () => true,
  "<absent>": (value) => value === undefined,
  "<string>": (value) => typeof value === "string",
  "<nonempty-string>": (value) => typeof value === "string" && value !== "",
  "<number>": (value) => typeof value === "number",
  "<boolean>": (value) => typeof value === "boolean",
  "<object>": isObject,
  "<array>": Array.isArray,
};

/** `exactResult` forbids further keys in `result`. */
export function matches(value: unknown, expected: unknown, exactResult = false): boolean {
  if (typeof expected === "string" && Object.hasOwn(words, expected))
    return words[expected]?.(value) ?? false;
  if (Array.isArray(expected)) return Array.isArray(value) && matchesList(value, expected);
  if (!isObject(expected)) return Object.is(value, expected);
  return Object.entries(expected).every(([key, wanted]) => {
    if (key.startsWith("$")) return matchesOperator(value, key, wanted);
    const member = isObject(value) ? value[key] : undefined;
    if (exactResult && key === "result" && isObject(member) && isObject(wanted))
      return matches(member, wanted) && Object.keys(member).every((name) => name in wanted);
    return matches(member, wanted);
  });
}

function matchesList(values: readonly unknown[], expected: readonly unknown[]): boolean {
  return (
    values.length === expected.length && expected.every((wanted, index) => matches(values[index], wanted))
  );
}

function matchesOperator(value: unknown, operator: string, wanted: unknown): boolean {
  switch (operator) {
    case "$oneOf":
      return Array.isArray(wanted) && wanted.some((choice) => matches(value, choice));
    case "$contains":
      return (typeof value === "string" ? value : (JSON.stringify(value) ?? ""))
        .toLowerCase()
        .includes(String(wanted).toLowerCase());
    case "$has":
      return matches(value, wanted);
    case "$includes":
      return Array.isArray(value) && value.some((item) => matches(item, wanted));
    default:
      throw new Error(`no matcher ${operator}`);
  }
}

/** What is wrong with the answers, or nothing. */
export function verdict(answers: readonly unknown[], { expect, match, ordered, exactResult }: Case): string {
  const left = [...answers];
  for (const wanted of expect) {
    const index =
      ordered === true && match === undefined
        ? 0
        : left.findIndex((answer) => matches(answer, wanted, exactResult));
    if (index === -1 || !matches(left[index], wanted, exactResult))
      return `missing ${JSON.stringify(wanted)} in ${JSON.stringify(answers).slice(0, 2_000)}`;
    if (match === "atLeast" && ordered === true) left.splice(0, index + 1);
    else left.splice(index, 1);
  }
  return match === "atLeast" || left.length === 0 ? "" : `not expected: ${JSON.stringify(left)}`;
}
