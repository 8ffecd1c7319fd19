/**
 * Holds each engine member that the plugin and its Luau programs name against the class data: it exists, a plugin may use it, the
 * number of arguments fits, and one that is deprecated or yields is listed with a reason. There are no types here: a receiver
 * that is known (a service, `game`, `workspace`) is held against its class, any other against all classes and datatypes. Code in a string counts too, because some programs contain others.
 */
import { DEPRECATED, YIELDING } from "./engine-exceptions.ts";
import { withoutComments } from "./luau-text.ts";
import type { Sources } from "./sources.ts";

export interface EngineMember {
  readonly className: string;
  readonly name: string;
  readonly isMethod: boolean;
  readonly isLocked: boolean;
  readonly isDeprecated: boolean;
  readonly yields: boolean;
  /** The fewest and most arguments of a method; undefined where any number will do. */
  readonly arity?: readonly [least: number, most: number] | undefined;
}

/** What the class data says, and the names of all that datatypes, signals and enums have. */
export interface EngineData {
  /** The members of a class, with inherited ones; undefined for what is no class. */
  readonly membersOf: (className: string) => ReadonlyMap<string, EngineMember> | undefined;
  readonly withName: (name: string) => readonly EngineMember[];
  readonly datatypeMembers: ReadonlySet<string>;
}

interface Use {
  readonly at: number;
  /** Of the receiver, where it is known. */
  readonly className: string | undefined;
  readonly name: string;
  /** Of a call with a colon. The last argument may stand for several. */
  readonly call?: { readonly count: number; readonly isOpen: boolean };
}

const RECEIVER =
  /(?<receiver>(?:[\w.]*\w)?(?:\(["'\w]*\)|\[[^\]\n]*\])?)(?<separator>[.:])(?<name>[A-Z]\w*)/g;
/** `methodOf("SERVICE", "METHOD")`. */
const METHOD_OF = /\bmethodOf\("(?<service>\w+)", "(?<name>\w+)"\)/g;
const SERVICE = /(?:\bservice|:GetService)\(["'](\w+)["'](?: :: any)?\)(?: :: any)?$/;

export function engineMemberFaults(folder: string, sources: Sources, data: EngineData): string[] {
  return [...sources].flatMap(([file, text]) => {
    const code = withoutComments(text);
    return usesIn(code).flatMap((use) => {
      const fault = faultOf(use, data);
      const line = code.slice(0, use.at).split("\n").length;
      return fault === undefined ? [] : [`${folder}/${file}:${line} ${fault}`];
    });
  });
}

function usesIn(code: string): Use[] {
  const uses: Use[] = [];
  for (const match of code.matchAll(RECEIVER)) {
    const { receiver = "", separator, name = "" } = match.groups ?? {};
    const at = match.index;
    const end = at + match[0].length;
    const isCall = separator === ":" && code[end] === "(";
    if (separator === ":" && !isCall) continue;
    const className = classOf(receiver, code.slice(0, at));
    uses.push({ at, className, name, ...(isCall ? { call: argumentsAt(code, end) } : {}) });
  }
  for (const { index: at, groups } of code.matchAll(METHOD_OF))
    uses.push({ at, className: groups?.["service"], name: groups?.["name"] ?? "" });
  return uses;
}

/** `before` is the code before it, whose last assignment to a variable of that name tells what the variable holds. */
function classOf(receiver: string, before: string): string | undefined {
  if (receiver === "game" || receiver === "Engine.root") return "DataModel";
  if (receiver === "workspace") return "Workspace";
  if (!/^\w+$/.test(receiver)) return SERVICE.exec(receiver)?.[1];
  const assignments = before.matchAll(new RegExp(`\\b${receiver}(?:: \\w+)? = ([^\\n]*)`, "g"));
  return SERVICE.exec([...assignments].at(-1)?.[1]?.trim() ?? "")?.[1];
}

/** How many arguments stand between the parenthesis at `start` and its end. */
function argumentsAt(code: string, start: number): { count: number; isOpen: boolean } {
  let depth = 0;
  let commas = 0;
  let last = "";
  for (let at = start; at < code.length; at += 1) {
    const char = code.charAt(at);
    if ("([{".includes(char)) depth += 1;
    else if (")]}".includes(char)) depth -= 1;
    if (depth === 0) break;
    if (depth === 1 && char === ",") [commas, last] = [commas + 1, ""];
    else if (at > start) last += char;
    if (`"'\``.includes(char)) {
      const from = at;
      for (at += 1; at < code.length && code.charAt(at) !== char; at += 1)
        if (code.charAt(at) === "\\") at += 1;
      last += code.slice(from, at);
    }
  }
  const isEmpty = last.trim() === "" && commas === 0;
  return { count: isEmpty ? 0 : commas + 1, isOpen: /(?:\.\.\.|\))\s*$/.test(last) };
}

function faultOf(use: Use, data: EngineData): string | undefined {
  const { className, name } = use;
  if (className === undefined) return use.call === undefined ? undefined : faultOfAny(use, data);
  const member = data.membersOf(className)?.get(name);
  return member === undefined ? `${className} has no ${name}` : faultOfAll(use, [member]);
}

function faultOfAny(use: Use, data: EngineData): string | undefined {
  if (data.datatypeMembers.has(use.name)) return undefined;
  const members = data.withName(use.name).filter(({ isMethod }) => isMethod);
  return members.length === 0 ? `no class has a method ${use.name}` : faultOfAll(use, members);
}

/** Of several classes that have such a member, one that takes the use is enough. */
function faultOfAll({ name, call }: Use, members: readonly EngineMember[]): string | undefined {
  const allowed = members.filter(({ isLocked }) => !isLocked);
  if (allowed.length === 0) return `${name} is for Roblox's own scripts only`;
  if (call !== undefined && !allowed.some(({ arity }) => fits(call, arity)))
    return `${name} does not take ${call.count} ${call.count === 1 ? "argument" : "arguments"}`;
  const unlisted = (list: Readonly<Record<string, string>>) =>
    allowed.every((member) => list[`${member.className}.${member.name}`] === undefined);
  if (allowed.every(({ isDeprecated }) => isDeprecated) && unlisted(DEPRECATED))
    return `${name} is deprecated: use another, or list ${allowed[0]?.className}.${name} in engine-exceptions.ts with a reason`;
  if (allowed.every(({ yields }) => yields) && unlisted(YIELDING))
    return `${name} yields: list ${allowed[0]?.className}.${name} in engine-exceptions.ts with why it may wait there`;
  return undefined;
}

function fits(
  { count, isOpen }: { readonly count: number; readonly isOpen: boolean },
  arity: EngineMember["arity"],
): boolean {
  if (arity === undefined) return true;
  const [least, most] = arity;
  return (isOpen || count >= least) && count <= most;
}

/** Listed members that no source names any more. */
export function needlessExceptions(texts: readonly string[]): string[] {
  const listed = new Set([...Object.keys(DEPRECATED), ...Object.keys(YIELDING)]);
  return [...listed].flatMap((member) => {
    const name = new RegExp(`\\b${member.split(".")[1]}\\b`);
    return texts.some((text) => name.test(text))
      ? []
      : [`engine-exceptions.ts lists ${member}, which is not used`];
  });
}
