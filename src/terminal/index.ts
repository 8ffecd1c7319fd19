/** The terminal surface: a prompt where a person sits at it, lines from stdin everywhere else. */
import type { SessionCommandContext } from "../command-kit/context.ts";
import type { TerminalOutcome } from "../command-kit/surfaces/terminal-record.ts";
import { commands } from "../commands/index.ts";
import { isTerminal } from "../util/is-terminal.ts";
import { expectLongRun } from "../util/long-run.ts";

/** Resolves when it was left, or its input ended. */
export async function runTerminalAsync(context: SessionCommandContext): Promise<TerminalOutcome> {
  expectLongRun();
  const all = await commands.allAsync();
  if (isTerminal(0) && isTerminal(1)) {
    const { runPromptAsync } = await import("./prompt.ts");
    await runPromptAsync(context, all);
    return { failed: false };
  }
  const { runLinesAsync } = await import("./lines.ts");
  return runLinesAsync(context, all, Bun.stdin.stream());
}
