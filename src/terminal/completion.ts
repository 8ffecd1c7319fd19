/** What Tab offers: names from the live DataModel behind Luau, words and flags behind a dot. */
import { readdir } from "node:fs/promises";
import { completionFor } from "../command-kit/words/completion-candidates.ts";
import type { Completion } from "../command-kit/words/completion-candidates.ts";
import type { Command } from "../command-kit/definition.ts";
import type { SessionInfo } from "../protocol/network.ts";
import { wirePath } from "../tree/instance-path.ts";
import { StudioBridgeError } from "../protocol/errors.ts";
import { visibleOnOneLine } from "../util/visible-controls.ts";
import { inDots, isDotLine } from "./dot-line.ts";
import type { Repl } from "./repl.ts";

/** The candidates, and the end of the typed text with which each of them begins. */
type Completions = [candidates: string[], fragment: string];

const TIMEOUT_MS = 1_000;
const nothing: Completions = [[], ""];

/** `text` ends where Tab was pressed, and may have several lines. */
export async function completeTextAsync(repl: Repl, text: string): Promise<Completions> {
  try {
    const line = text.slice(text.lastIndexOf("\n") + 1);
    const isMeant = line === text ? isDotLine(line) || line.trim() === "." : mayBeDotCommand(repl, line);
    return isMeant ? await completeDotLineAsync(repl, line) : await completeLuauAsync(repl, text);
  } catch (error) {
    // Nothing can be offered by a Studio that does not answer; what was typed stays.
    if (error instanceof StudioBridgeError) return nothing;
    throw error;
  }
}

/** Below unfinished text, a line such as `.Parent` is Luau. */
function mayBeDotCommand(repl: Repl, line: string): boolean {
  if (repl.isDotCommand(line)) return true;
  const [only = "", ...more] = line.trimStart().split(/\s+/);
  return isDotLine(line) && more.length === 0 && repl.catalog.some(({ name }) => `.${name}`.startsWith(only));
}

async function completeLuauAsync(repl: Repl, text: string): Promise<Completions> {
  const [names, fragment] = await askStudioAsync(repl, text);
  return [names.map(insideQuotes), fragment];
}

/** A name that is no identifier is offered only within quotes, where Luau writes these characters as escapes. */
function insideQuotes(name: string): string {
  return visibleOnOneLine(name.replace(/["'\\]/g, "\\$&"));
}

async function askStudioAsync({ bridge, session }: Repl, text: string): Promise<Completions> {
  if (session === undefined) return nothing;
  const reply = await bridge
    .session(session.sessionId)
    .callAsync("complete", { text }, { timeoutMs: TIMEOUT_MS });
  return [reply.candidates, reply.fragment];
}

async function completeDotLineAsync(repl: Repl, line: string): Promise<Completions> {
  const words = line.trimStart().split(/\s+/);
  const current = words.pop() ?? "";
  const [name, ...before] = words;
  if (name === undefined)
    return matching([...new Set(repl.catalog.map((command) => `.${command.name.split(" ")[0]}`))], current);
  const catalog = repl.catalog.map(asTyped);
  const completion = completionFor([name.slice(1), ...before], current, catalog);
  const { partial, prefix, found, also } = completion;
  const isPath = also === "paths" || also === "members";
  if (isPath && !current.startsWith("-")) return completeLuauAsync(repl, wirePath(partial));
  const more = await lookUpAsync(repl, completion);
  return matching(
    [...found.map(({ value }) => value), ...more].map((value) => prefix + value),
    prefix + partial,
  );
}

/** The properties of what a path leads to, as Studio offers them for a method that takes the name of one. */
async function propertyNamesAsync(repl: Repl, path: string, { partial, suffix }: Completion) {
  const [names] = await askStudioAsync(repl, `${wirePath(path)}:GetPropertyChangedSignal("${partial}`);
  return suffix === undefined ? names : names.map((name) => name + suffix);
}

/** What `NAME=VALUE` can be: a property, or behind the equals sign a value of it. */
async function assignmentsAsync(
  { bridge, session }: Repl,
  completion: Completion,
): Promise<readonly string[]> {
  const { subject } = completion;
  if (subject === undefined || session === undefined) return [];
  const { assignmentCandidatesAsync } = await import("../command-kit/words/api-candidates.ts");
  const { classAtAsync } = await import("../command-kit/words/place-candidates.ts");
  const className =
    subject.kind === "class" ? subject.word : await classAtAsync(bridge, session, subject.word);
  return (await assignmentCandidatesAsync(className, completion)).map(({ value }) => value);
}

async function lookUpAsync(repl: Repl, completion: Completion): Promise<readonly string[]> {
  const { also, partial, subject, property } = completion;
  switch (also) {
    case "files":
      return fileNamesAsync(partial);
    case "sessions":
      return (await repl.bridge.sessionsAsync()).map(({ sessionId }) => sessionId);
    case "properties":
      return property === undefined && subject?.kind === "path"
        ? propertyNamesAsync(repl, subject.word, completion)
        : assignmentsAsync(repl, completion);
    case "checkpoints":
      return repl.session === undefined ? [] : checkpointNamesAsync(repl.session);
    case "classes":
    case "newClasses":
    case "api":
      return namesAsync(completion);
    default:
      return [];
  }
}

async function checkpointNamesAsync(session: SessionInfo): Promise<readonly string[]> {
  const { checkpointCandidatesAsync } = await import("../command-kit/words/place-candidates.ts");
  return (await checkpointCandidatesAsync(session)).map(({ value }) => value);
}

async function namesAsync(completion: Completion): Promise<readonly string[]> {
  const { nameCandidatesAsync } = await import("../command-kit/words/api-candidates.ts");
  return (await nameCandidatesAsync(completion)).map(({ value }) => value);
}

/** What is in the folder that `partial` leads to; folders end in a slash. */
async function fileNamesAsync(partial: string): Promise<string[]> {
  const lead = partial.slice(0, partial.lastIndexOf("/") + 1);
  const entries = await readdir(lead === "" ? "." : lead, { withFileTypes: true }).catch(() => []);
  return entries
    .filter(({ name }) => !/\s/.test(name))
    .map((entry) => `${lead}${entry.name}${entry.isDirectory() ? "/" : ""}`)
    .sort();
}

/** Only the flags that make sense once a session has been chosen. */
function asTyped(command: Command): Command {
  return { ...inDots(command), target: "none", surfaces: ["cli"] };
}

function matching(values: readonly string[], start: string): Completions {
  return [values.filter((value) => value.startsWith(start)), start];
}
