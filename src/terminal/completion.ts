/** What Tab offers: names from the live DataModel behind Luau, words and flags behind a dot. */
import { completionFor } from "../commands/completion-candidates.ts";
import type { Command } from "../commands/define.ts";
import { StudioBridgeError } from "../protocol/errors.ts";
import { inDots, isDotLine } from "./dot-line.ts";
import type { Shell } from "./shell.ts";

/** What the candidates are, and the end of the line that each of them starts with. */
export type Completions = [candidates: string[], fragment: string];

const TIMEOUT_MS = 1_000;
const nothing: Completions = [[], ""];

export async function completeLineAsync(shell: Shell, line: string): Promise<Completions> {
  try {
    return isDotLine(line) || line.trim() === "."
      ? await completeDotLineAsync(shell, line)
      : await completeLuauAsync(shell, line);
  } catch (error) {
    // Nothing can be offered by a Studio that does not answer; what was typed stays.
    if (error instanceof StudioBridgeError) return nothing;
    throw error;
  }
}

async function completeLuauAsync({ bridge, session }: Shell, text: string): Promise<Completions> {
  if (session === undefined) return nothing;
  const reply = await bridge
    .session(session.sessionId)
    .callAsync("complete", { text }, { timeoutMs: TIMEOUT_MS });
  return [reply.candidates, reply.fragment];
}

async function completeDotLineAsync(shell: Shell, line: string): Promise<Completions> {
  const words = line.trimStart().split(/\s+/);
  const current = words.pop() ?? "";
  const [name, ...before] = words;
  if (name === undefined)
    return matching(
      shell.catalog.map((command) => `.${command.name}`),
      current,
    );
  const catalog = shell.catalog.map(asTyped);
  const { partial, prefix, found, also } = completionFor([name.slice(1), ...before], current, catalog);
  const values = found.map(({ value }) => prefix + value);
  if (also === "sessions") {
    const { sessions } = await shell.bridge.listSessionsAsync();
    values.push(...sessions.map(({ sessionId }) => prefix + sessionId));
  }
  return matching(values, prefix + partial);
}

/** Only the flags that make sense once a session has been chosen. */
function asTyped(command: Command): Command {
  return { ...inDots(command), target: "none", surfaces: ["cli"] };
}

function matching(values: readonly string[], start: string): Completions {
  return [values.filter((value) => value.startsWith(start)), start];
}
