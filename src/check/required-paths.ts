/**
 * Reads which paths a script requires, in the text: `require(script.Parent.Cart)`, `require("./Cart")`, also by way of locals. What is
 * computed otherwise is left out, because only a run could tell where it leads.
 */
import { luauTokens, type Token } from "./luau-tokens.ts";

/** A path from an Instance: `Parent` leads up, and every other name to a child. */
export interface InstancePath {
  readonly base: "script" | "game";
  readonly names: readonly string[];
}

export interface RequiredPath {
  readonly path: InstancePath | string;
  readonly line: number;
  readonly column: number;
  readonly endColumn: number;
}

export function requiredPaths(source: string): readonly RequiredPath[] {
  const tokens = luauTokens(source);
  const locals = localPaths(tokens);
  return tokens.flatMap((token, index): RequiredPath[] => {
    if (token.kind !== "word" || token.value !== "require" || isMember(tokens[index - 1])) return [];
    const next = tokens[index + 1];
    const { line, column } = token;
    const place = { line, column, endColumn: column + token.value.length - 1 };
    if (next?.kind === "text") return [{ path: next.value, ...place }];
    if (next?.value !== "(") return [];
    const inner = tokens[index + 2];
    if (inner?.kind === "text")
      return tokens[index + 3]?.value === ")" ? [{ path: inner.value, ...place }] : [];
    const read = readPath(tokens, index + 2, locals);
    if (read === undefined || tokens[read.end]?.value !== ")" || tokens[read.end]?.kind !== "sign") return [];
    return [{ path: read.path, ...place }];
  });
}

const isMember = (before: Token | undefined): boolean => before?.value === "." || before?.value === ":";

type Locals = ReadonlyMap<string, InstancePath>;

/** The locals that are given one path for good. A name that stands for two things in a file is left out. */
function localPaths(tokens: readonly Token[]): Locals {
  const paths = new Map<string, InstancePath>();
  const spoilt = new Set<string>(otherNames(tokens));
  for (const [index, { kind, value }] of tokens.entries()) {
    const [before, after, second] = [tokens[index - 1], tokens[index + 1], tokens[index + 2]];
    if (kind !== "word" || isMember(before) || after?.value !== "=" || second?.value === "=") continue;
    const isLocal = before?.value === "local" && before.kind === "word";
    const read = isLocal ? readPath(tokens, index + 2, paths) : undefined;
    if (read === undefined || paths.has(value) || goesOn(tokens[read.end])) spoilt.add(value);
    else paths.set(value, read.path);
  }
  for (const name of spoilt) paths.delete(name);
  return paths;
}

/** Names of parameters, of loops, and of locals that are declared together. */
function otherNames(tokens: readonly Token[]): readonly string[] {
  const names: string[] = [];
  for (const [index, { kind, value }] of tokens.entries()) {
    if (kind !== "word" || !(value in DECLARES)) continue;
    const [start, end] = DECLARES[value] ?? [];
    let at = index + 1;
    while (start !== undefined && at < tokens.length && tokens[at]?.value !== start) at += 1;
    const listed: string[] = [];
    for (; at < tokens.length && end?.includes(tokens[at]?.value ?? "") === false; at += 1)
      if (tokens[at]?.kind === "word") listed.push(tokens[at]?.value ?? "");
    if (value !== "local" || listed.length > 1) names.push(...listed);
  }
  return names;
}

/** What declares names: the sign before the first of them, if there is one, and what stands behind the last. */
const DECLARES: Readonly<Record<string, readonly [string | undefined, readonly string[]]>> = {
  function: ["(", [")"]],
  for: [undefined, ["in", "="]],
  local: [undefined, ["=", ":", "function", "local", "return", "end"]],
};

/** What follows takes part in the value. */
const goesOn = (token: Token | undefined): boolean =>
  token !== undefined &&
  ((token.kind === "sign" && token.value !== ";") || ["or", "and"].includes(token.value));

interface ReadPath {
  readonly path: InstancePath;
  /** The token behind it. */
  readonly end: number;
}

/** Methods that give a child or fail. `FindFirstChild` may give nil, which a script may mean. */
const CHILD_METHODS: ReadonlySet<string> = new Set(["WaitForChild", "GetService"]);

function readPath(tokens: readonly Token[], start: number, locals: Locals): ReadPath | undefined {
  const first = tokens[start];
  const base = first?.kind === "word" ? basePath(first.value, locals) : undefined;
  if (base === undefined) return undefined;
  const names = [...base.names];
  let at = start + 1;
  for (;;) {
    const step = readStep(tokens, at);
    if (step === undefined) return undefined;
    if (step === "end") return { path: { base: base.base, names }, end: at };
    names.push(step.name);
    at = step.end;
  }
}

function basePath(word: string, locals: Locals): InstancePath | undefined {
  if (word === "script" || word === "game") return { base: word, names: [] };
  return word === "workspace" ? { base: "game", names: ["Workspace"] } : locals.get(word);
}

/** One more name of a path, or its end; undefined for what is no path. */
function readStep(
  tokens: readonly Token[],
  at: number,
): { readonly name: string; readonly end: number } | "end" | undefined {
  const [sign, name, third, fourth] = tokens.slice(at, at + 4);
  if (sign?.kind !== "sign") return "end";
  if (sign.value === "." && name?.kind === "word")
    return third?.value === "(" ? undefined : { name: name.value, end: at + 2 };
  if (sign.value === "[" && name?.kind === "text" && third?.value === "]")
    return { name: name.value, end: at + 3 };
  if (sign.value !== ":") return sign.value === "." || sign.value === "[" ? undefined : "end";
  // Two colons begin a cast.
  if (name?.value === ":") return "end";
  if (name === undefined || !CHILD_METHODS.has(name.value) || third?.value !== "(" || fourth?.kind !== "text")
    return undefined;
  for (let end = at + 4; end < at + 8; end += 1)
    if (tokens[end]?.value === ")" && tokens[end]?.kind === "sign")
      return { name: fourth.value, end: end + 1 };
  return undefined;
}
