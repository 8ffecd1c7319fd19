/** The terminal surface: a prompt where a person sits at it, lines from stdin everywhere else. */
import { isatty } from "node:tty";
import type { SessionCommandContext } from "../commands/define.ts";
import type { TerminalOutcome } from "../commands/terminal.ts";

/** Resolves when it was left, or its input ended. */
export async function runTerminalAsync(context: SessionCommandContext): Promise<TerminalOutcome> {
  if (isatty(0) && isatty(1)) {
    const { runPromptAsync } = await import("./prompt.ts");
    await runPromptAsync(context);
    return { failed: false };
  }
  const { runLinesAsync } = await import("./lines.ts");
  return runLinesAsync(context, Bun.stdin.stream());
}
