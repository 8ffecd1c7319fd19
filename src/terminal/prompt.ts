/** A terminal with a person at it: puts the line editor, the keyboard, the screen and Studio's log around one shell. */
import type { Command } from "../command/definition.ts";
import type { SessionCommandContext } from "../command/context.ts";
import { KeyGate, MARK_PASTES, UNMARK_PASTES } from "./key-gate.ts";
import { Presence } from "./presence.ts";
import { PromptEditor } from "./prompt-editor.ts";
import { PromptScreen } from "./prompt-screen.ts";
import { connectedText, Shell } from "./shell.ts";
import { StudioLog } from "./studio-log.ts";

/** Resolves when the person has left, or the process is told to end. */
export async function runPromptAsync(
  context: SessionCommandContext,
  commands: readonly Command[],
): Promise<void> {
  const screen = new PromptScreen(process.stdout);
  const log = new StudioLog(screen.show, () => shell.isLogShown);
  const shell: Shell = new Shell(context, commands, {
    show: (emission) => {
      if (log.admits(emission)) screen.show(emission);
    },
    clear: screen.clear,
    status: screen.status,
    attached: (session) => log.follow(context.bridge, session?.sessionId),
  });
  const gate = new KeyGate(process.stdin, {
    interrupt: () => shell.cancel(),
    enter: () => shell.isDotLineRunning && shell.cancel(),
  });
  const leaveRawMode = () => gate.stop();
  process.once("exit", leaveRawMode);
  screen.show({
    stream: "stdout",
    text: () => `${connectedText(context.session)}\nType .help for commands, .exit to disconnect.\n`,
  });
  const editor = new PromptEditor(shell, gate, screen);
  process.stdout.write(MARK_PASTES);
  using _presence = new Presence(shell);
  const abort = () => editor.close();
  context.signal.addEventListener("abort", abort, { once: true });
  try {
    await editor.closed;
  } finally {
    context.signal.removeEventListener("abort", abort);
    screen.close();
    shell.cancel();
    log.follow(context.bridge, undefined);
    gate.stop();
    process.off("exit", leaveRawMode);
    // `.exit` has ended its line already.
    process.stdout.write(shell.isExiting ? UNMARK_PASTES : `${UNMARK_PASTES}\n`);
  }
}
